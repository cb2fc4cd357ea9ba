"""Search vendors, one file each."""
