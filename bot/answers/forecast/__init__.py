"""優勝確率 and what goes with it: the chances of a season, what members need, skill and luck."""
