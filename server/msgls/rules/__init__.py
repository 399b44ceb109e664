"""What is checked: one file a rule, and the runner that applies them."""
