"""What a cell of any format consists of: its id, its names, its nodes."""
