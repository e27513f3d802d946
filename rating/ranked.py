"""Tenhou's ranked games in numbers, by the number of seats (https://tenhou.net/man/#RATING).

After a game a rating R becomes R + r + w (Rbar - R), where Rbar is the mean rating of the opponents.
"""

from __future__ import annotations

POINTS = {3: (6.0, 0.0, -6.0), 4: (6.0, 2.0, -2.0, -6.0)}  # r by placing
VARIANCE = {3: 24.0, 4: 20.0}  # v, of r
WEIGHT = {3: 1 / 300, 4: 3 / 800}  # w: 0.2 (2 / 3) / 40 and 0.2 (3 / 4) / 40
PER_PLACE = {3: 6.0, 4: 4.0}  # rating points that one place is worth
