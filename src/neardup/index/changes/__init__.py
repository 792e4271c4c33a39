"""Changes an index: documents are added, updated and removed, and links and clusters follow."""
