"""Conrad, Guo & Schriber 2003, reproduced: online duplicate document detection in a changing collection."""
