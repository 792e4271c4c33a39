"""The distinct texts of an index as a graph: nodes, their links, and what is needed to link them."""
