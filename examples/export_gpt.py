"""A small GPT as two programs that share their weights, for hosts without JAX: one reads a prompt, one goes on by a token.

    python examples/export_gpt.py --out build/gpt     # with JAX, once
    python examples/gpt.py build/gpt                  # numpy alone
    examples/gpt.c does the same in C

    gpt_prefill.mlirbc  prefill(params, tokens i32[1, t]) -> (logits f32[96], cache), for any t up to 64
    gpt_step.mlirbc     step(params, cache, token i32[], position i32[]) -> (logits f32[96], cache); the cache is donated: a session
                        keeps it on the device (docs/python.md)
    *.safetensors       params, the same in both

The cache is a tuple of two arrays f32[2, 64, 4, 16]: keys and values of each layer, place and head. Weights are random, and the same each time: what is
written is no text, but one that JAX, Python and C agree on. Token n stands for the character 32 + n.
"""

import argparse
import pathlib

import jax
import jax.export
import jax.numpy as jnp
import numpy as np

from jax_plugins.millrace import export

LAYERS, PLACES, HEADS, HEAD, CHARACTERS = 2, 64, 4, 16, 96
WIDTH = HEADS * HEAD
CACHE = (LAYERS, PLACES, HEADS, HEAD)
PROMPT = "The river turns"


def make_params():
    random = np.random.default_rng(30)

    def weights(*shape):
        return (random.normal(size=shape) / np.sqrt(shape[0])).astype(np.float32)

    layers = [{"qkv": weights(WIDTH, 3 * WIDTH), "out": weights(WIDTH, WIDTH), "up": weights(WIDTH, 4 * WIDTH), "down": weights(4 * WIDTH, WIDTH)}
              for _ in range(LAYERS)]
    return {"characters": weights(CHARACTERS, WIDTH) * 8, "places": weights(PLACES, WIDTH) * 2, "layers": layers, "head": weights(WIDTH, CHARACTERS)}


def normalized(x):
    return (x - x.mean(-1, keepdims=True)) * jax.lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)


def attend(query, keys, values, places):
    """query[t, head, :] at places[t] looks at what is in the cache up to there."""
    scores = jnp.einsum("thd,shd->hts", query, keys) / np.sqrt(HEAD)
    seen = jnp.arange(PLACES)[None, :] <= places[:, None]
    return jnp.einsum("hts,shd->thd", jax.nn.softmax(jnp.where(seen, scores, -1e9), axis=-1), values)


def forward(params, cache, tokens, places):
    """Logits of each token, and the cache with theirs in it, from places[0] on."""
    keys, values = cache
    x = params["characters"][tokens] + params["places"][places]
    for number, layer in enumerate(params["layers"]):
        query, key, value = jnp.split(normalized(x) @ layer["qkv"], 3, axis=-1)
        split = [part.reshape(-1, HEADS, HEAD) for part in (query, key, value)]
        keys = jax.lax.dynamic_update_slice(keys, split[1][None], (number, places[0], 0, 0))
        values = jax.lax.dynamic_update_slice(values, split[2][None], (number, places[0], 0, 0))
        x = x + attend(split[0], keys[number], values[number], places).reshape(-1, WIDTH) @ layer["out"]
        x = x + jax.nn.gelu(normalized(x) @ layer["up"]) @ layer["down"]
    return normalized(x) @ params["head"], (keys, values)


def prefill(params, tokens):
    cache = (jnp.zeros(CACHE), jnp.zeros(CACHE))
    logits, cache = forward(params, cache, tokens[0], jnp.arange(tokens.shape[1]))
    return logits[-1], cache


def step(params, cache, token, position):
    logits, cache = forward(params, cache, token[None], position[None])
    return logits[0], cache


def generate(params, prompt, count):
    """What a host is to write: JAX's own answer."""
    tokens = [ord(c) - 32 for c in prompt]
    logits, cache = jax.jit(prefill)(params, np.array([tokens], np.int32))
    next_step = jax.jit(step)
    for place in range(len(tokens), len(tokens) + count):
        tokens.append(int(logits.argmax()))
        logits, cache = next_step(params, cache, np.int32(tokens[-1]), np.int32(place))
    return "".join(chr(32 + t) for t in tokens)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("build/gpt"))
    parser.add_argument("--count", type=int, default=32, help="how many characters to write after the prompt")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    params = make_params()
    (t,) = jax.export.symbolic_shape("t", constraints=[f"t <= {PLACES}"])
    integer, cache = jax.ShapeDtypeStruct((), np.int32), (jax.ShapeDtypeStruct(CACHE, np.float32),) * 2
    export(prefill, (params, jax.ShapeDtypeStruct((1, t), np.int32)), arguments.out / "gpt_prefill.mlirbc", weights="params")
    export(step, (params, cache, integer, integer), arguments.out / "gpt_step.mlirbc", weights="params", donate="cache")
    print(generate(params, PROMPT, arguments.count))


if __name__ == "__main__":
    main()
