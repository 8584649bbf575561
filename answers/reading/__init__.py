"""The reader's findings in the units, and the lead: the answer itself, a span inside a quoted sentence."""
