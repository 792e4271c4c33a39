"""Write a collection without some of its records, in its own formats."""
