"""Parts of the composition root, each from the settings to the adapters of one concern; only `bootstrap` imports them, and a command
`early_models` beside it."""
