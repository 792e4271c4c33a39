"""The formats that can be read, one file for each family."""
