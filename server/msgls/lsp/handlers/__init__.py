"""One file a feature: decode the params, call the feature, encode the result."""
