"""The rules of the Simple Text Format."""
