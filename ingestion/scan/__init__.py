"""Which files there are: walked, held against the ignore rules, and compared with the library."""
