"""Archives, whose members are files of any format."""
