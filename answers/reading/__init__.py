"""What the reader finds in the units, and the lead: the answer itself, a span inside a quoted sentence."""
