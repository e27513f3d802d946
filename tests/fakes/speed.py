"""How fast this machine is, for limits of time that hold on a slower one too."""

import time

# Seconds of processor time of the computation below on the machine for which the tests' limits
# were chosen.
REFERENCE = 0.0024


def slowness() -> float:
    """How many times slower than the reference machine this one is now; at least 1."""
    seconds = []
    for _ in range(5):
        began = time.process_time()
        sum(len(str(number)) for number in range(20_000))
        seconds.append(time.process_time() - began)
    return max(1.0, min(seconds) / REFERENCE)
