"""Parts of the composition root, each from the settings to the adapters of one concern; only `bootstrap` imports them."""
