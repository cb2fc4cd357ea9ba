"""Our tools as other systems take them: vendors' APIs, and agent frameworks. Public as `webseam.adapters`."""
