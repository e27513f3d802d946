"""Trains the network of rating/paifu/top_table and measures it."""
