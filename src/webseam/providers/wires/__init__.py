"""Wire formats that several vendors speak."""
