"""Linear equations solved without their matrix, by conjugate gradients.

M. Hestenes and E. Stiefel, Journal of Research of the National Bureau of Standards 49, 1952,
doi:10.6028/jres.049.044.
"""

from collections.abc import Callable

import numpy as np

from rating.columns import Floats

TOLERANCE = 1e-10  # of the residual, as a share of the right side


def conjugate_gradients(
    times: Callable[[Floats], Floats], right: Floats, diagonal: Floats, tolerance: float = TOLERANCE
) -> Floats:
    """Solve A x = right (n,) for a positive definite A given by `times(x)`; `diagonal` (n,) is A's,
    the preconditioner. r is the residual, p the direction, z the residual over the diagonal."""
    x = np.zeros(len(right))
    r = right
    goal = tolerance * float(np.linalg.norm(right))
    p = r / diagonal
    rz = float(r @ p)
    for _ in range(10 * len(right)):
        if float(np.linalg.norm(r)) <= goal:
            break
        ap = times(p)
        step = rz / float(p @ ap)
        x = x + step * p
        r = r - step * ap
        z = r / diagonal
        new_rz = float(r @ z)
        p = z + new_rz / rz * p
        rz = new_rz
    return x
