"""Plain data: cells, messages, conversations, agents. No behaviour of any format."""
