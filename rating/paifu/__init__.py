"""Paifu (牌譜, game records): reading them, the view of each seat, the danger of discards, and statistics."""
