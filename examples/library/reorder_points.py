"""Order points for spare parts: when to order again so that a part does not run out.

Used by Procurement once a quarter. The figures come from the stock system as
one row for each part: mean demand a week, its standard deviation, and the lead
time of the supplier in weeks.

    order point = demand * lead time + safety stock
    safety stock = Z * deviation * sqrt(lead time)

Z is 1.65, which means that in 95 of 100 order cycles nothing runs out. Parts on
the critical list (shaft seals, injector nozzles, fire pump impellers) use 2.33,
that is 99 of 100.

Author: Daniel Achterberg. Agreed with Priya Raman on 14 May 2026.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

Z_NORMAL = 1.65
Z_CRITICAL = 2.33
REVIEW_WEEKS = 13  # the list is made once a quarter
MAX_WEEKS_OF_STOCK = 26  # more than half a year's demand is never ordered


@dataclass(frozen=True)
class Part:
    """One part of the stock list. Demand is in pieces a week, lead time in weeks."""

    number: str
    demand: float
    deviation: float
    lead_time: float
    pack_size: int = 1
    critical: bool = False


def safety_stock(part: Part) -> float:
    """Pieces that are kept against uneven demand during the lead time."""
    z = Z_CRITICAL if part.critical else Z_NORMAL
    return z * part.deviation * math.sqrt(part.lead_time)


def order_point(part: Part) -> int:
    """Order as soon as stock and open orders together fall to this number of pieces."""
    return math.ceil(part.demand * part.lead_time + safety_stock(part))


def order_quantity(part: Part) -> int:
    """A quarter's demand in whole packs, but at least one pack and at most half a year's demand."""
    wanted = part.demand * REVIEW_WEEKS
    ceiling = part.demand * MAX_WEEKS_OF_STOCK
    packs = max(1, math.ceil(wanted / part.pack_size))
    while packs > 1 and packs * part.pack_size > ceiling:
        packs -= 1
    return packs * part.pack_size


if __name__ == "__main__":
    seal = Part("SH-2290", demand=3.2, deviation=1.9, lead_time=6.0, pack_size=10, critical=True)
    print(seal.number, order_point(seal), order_quantity(seal))
