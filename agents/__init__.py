"""The agents: one async function and one file each; they import `core` alone and reach only what they are given."""
