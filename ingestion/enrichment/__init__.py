"""What is derived from a document that was read: its profile, its references, and what a model says of its pictures."""
