"""What editors offer for ChatBuilder messages: one module a feature, called as the feature is."""
