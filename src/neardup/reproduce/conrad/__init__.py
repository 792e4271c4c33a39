"""Conrad, Guo & Schriber 2003, reproduced."""
