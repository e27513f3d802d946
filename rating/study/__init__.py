"""How well rating systems predict, and how a league's scores compare with ranked games."""
