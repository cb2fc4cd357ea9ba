"""The composition root: configuration, secrets, plugins, build."""
