"""How mails are recognised by their letters: an address, and the line of a mail's head that has the day on which it was sent."""

from __future__ import annotations

import re

from core.lazy_patterns import compile_when_used

MAIL_ADDRESS = compile_when_used(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
DAY_LABELS = "date|sent|datum|gesendet"
MAIL_DAY = compile_when_used(rf"^\W*(?:{DAY_LABELS})\s*:", re.IGNORECASE)
