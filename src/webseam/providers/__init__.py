"""One file per vendor or transport; providers never import each other."""
