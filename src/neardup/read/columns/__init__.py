"""Tables on their way to Documents: which columns are used, and how they become batches of one schema."""
