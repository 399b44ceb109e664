"""The features of Simple Text Format files."""
