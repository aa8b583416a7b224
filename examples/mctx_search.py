#!/usr/bin/env python3
"""Tree search with mctx: MuZero's and Gumbel MuZero's policies over a game that is played inside the program.

    ./dev test-slow mctx

On millrace and on XLA:CPU. A search is a loop that carries its tree, arrays of all nodes of all games, and each round writes one node
of each. The game is walking in a grid towards a goal. Rewards are whole numbers, values and discounts fractions of powers of two: what
is added of them comes out exactly, and both sides take the same decisions.
"""

import sys

import side_by_side

import jax
import jax.numpy as jnp
import mctx
import numpy as np

SIDE, ACTIONS, GAMES = 16, 4, 32
MOVES = np.array([[0, 1], [0, -1], [1, 0], [-1, 0]], np.int32)


def away(place):
    return jnp.abs(place - SIDE // 2).sum(-1)


def walk(parameters, key, action, place):
    """What an action leads to, for all games."""
    del parameters, key
    after = jnp.clip(place + jnp.asarray(MOVES)[action], 0, SIDE - 1)
    reward = (away(place) - away(after)).astype(jnp.float32)
    step = mctx.RecurrentFnOutput(reward=reward, discount=jnp.full(action.shape, 0.5), value=-away(after) / 64.0,
                                  prior_logits=jnp.zeros((*action.shape, ACTIONS)))
    return step, after


def searching(policy, simulations, **options):
    def program(device, watch):
        places = np.random.default_rng(3).integers(0, SIDE, (GAMES, 2)).astype(np.int32)
        places = jax.device_put(places, device)

        @jax.jit
        def search(key, place):
            root = mctx.RootFnOutput(prior_logits=jnp.zeros((GAMES, ACTIONS)), value=-away(place) / 64.0, embedding=place)
            output = policy(params=(), rng_key=key, root=root, recurrent_fn=walk, num_simulations=simulations, **options)
            return output.action_weights, output.search_tree.node_visits

        compiled = watch.compile(search, jax.random.key(6), places)
        for _ in range(5):
            weights, visits = watch.step(compiled, jax.random.key(6), places)
        return {"weights": weights, "visits": np.asarray(visits, np.float32).sum(0)}

    return program


def main():
    report = side_by_side.Report()
    muzero = {"dirichlet_fraction": 0.0, "max_depth": 16}
    report.compare("mctx MuZero, 64 simulations", searching(mctx.muzero_policy, 64, **muzero), {"weights": 1e-3, "visits": 1e-3})
    report.compare("mctx MuZero, 256 simulations", searching(mctx.muzero_policy, 256, **muzero), {"weights": 1e-3, "visits": 1e-3})
    report.compare("mctx Gumbel MuZero", searching(mctx.gumbel_muzero_policy, 64), {"weights": 1e-3, "visits": 1e-3})
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
