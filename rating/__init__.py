"""The domain of a mahjong league: games, logs, rating systems, game records. No I/O."""
