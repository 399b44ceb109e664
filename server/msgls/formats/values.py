"""The values of attributes that several formats share."""

EXCLUDED_VALUES = ("none", "exclude", "0", "false")
INCLUDED_VALUES = ("include", "1", "true")
SUMMARY_VALUE = "summary"
HISTORY_VALUES = (*INCLUDED_VALUES, *EXCLUDED_VALUES, SUMMARY_VALUE)
HISTORY_SLIPS = {
    **dict.fromkeys(("no", "off", "excluded", "hidden", "hide"), "exclude"),
    **dict.fromkeys(("yes", "on", "included", "all", "full"), "include"),
}
"""What people write for a value of ``history``, and what they mean."""
TRUE_VALUES = ("1", "true")

DATA = "data"
"""The key of a file's payload that says what is in it, in base64."""
REFUSAL = "refusal"
"""The key of a text's payload that says that a model refuses to answer by that text."""
