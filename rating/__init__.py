"""The domain of a mahjong league: games, logs, rating systems and paifu (game records). No I/O."""
