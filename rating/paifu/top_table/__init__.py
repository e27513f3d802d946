"""What players of Tenhou's top table would discard, with three seats: the probability of every
discard.

`sights` collects what a player can see before each discard, `features` turns it into the numbers
that the `network` takes, and `review` gives the probabilities for a record. The weights were trained
by `python -m tests.tools.train_top_table`; docs/paifu.md has the figures and what may be said.
"""
