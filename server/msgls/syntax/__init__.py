"""What a cell of any format is made of: its id, the names that it says, its nodes."""
