"""The seam: vocabulary, errors, URL, protocols, selection, routes and `Web`; no I/O, one third party (can_ada)."""
