"""Writes text with the two programs of examples/export_gpt.py, with numpy and millrace alone: the cache stays on the device.

    python examples/gpt.py build/gpt [prompt] [count]
"""

import pathlib
import sys

import numpy as np

import millrace


def generate(folder, prompt, count):
    weights = millrace.Weights(folder / "gpt_step.safetensors")  # once for both, and mapped: nothing is read that is not used
    prefill = millrace.load(folder / "gpt_prefill.mlirbc", weights=weights)
    step = millrace.load(folder / "gpt_step.mlirbc", weights=weights).session()
    tokens = [ord(c) - 32 for c in prompt]
    logits, *cache = prefill.on_device(np.array([tokens], np.int32))
    for name, state in zip(step.keys(), cache):
        step[name] = state  # from device to device, and used up by the first step
    for place in range(len(tokens), len(tokens) + count):
        tokens.append(int(np.argmax(logits)))
        yield chr(32 + tokens[-1])
        logits = step(np.int32(tokens[-1]), np.int32(place))


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build/gpt")
    prompt = sys.argv[2] if len(sys.argv) > 2 else "The river turns"
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 32
    print(prompt, end="", flush=True)
    for character in generate(folder, prompt, count):
        print(character, end="", flush=True)
    print()


if __name__ == "__main__":
    main()
