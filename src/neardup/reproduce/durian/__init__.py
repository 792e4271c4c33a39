"""Yang & Callan 2006, reproduced: near-duplicate detection by instance-level constrained clustering."""
