"""Trains a small convolutional network with PyTorch on whatever PJRT_DEVICE names, and says how long a step takes.

    PJRT_DEVICE=MILLRACE python examples/torch_train.py
    PJRT_DEVICE=CPU python examples/torch_train.py      # torch_xla's own CPU device, for comparison

Wants torch and torch_xla, and millrace's wheel beside them or what `./dev torch` makes (docs/pytorch.md).
"""

import os
import time

os.environ.setdefault("PJRT_DEVICE", "MILLRACE")

import torch
import torch_xla
from torch import nn


def images(count):
    """Pictures of ten kinds: a wave each, with noise."""
    kinds = torch.arange(count) % 10
    across = torch.linspace(0, 3, 28)
    waves = torch.sin(across[None, None, :] * (kinds[:, None, None] + 1) + across[None, :, None])
    return (waves + 0.3 * torch.randn(count, 28, 28))[:, None], kinds


def main():
    torch.manual_seed(0)
    device = torch_xla.device()
    network = nn.Sequential(nn.Conv2d(1, 16, 3), nn.BatchNorm2d(16), nn.GELU(), nn.MaxPool2d(2), nn.Conv2d(16, 32, 3), nn.GELU(),
                            nn.MaxPool2d(2), nn.Flatten(), nn.Linear(32 * 25, 10)).to(device)
    optimizer = torch.optim.AdamW(network.parameters(), lr=1e-3)
    x, y = (part.to(device) for part in images(2048))
    took = []
    for step in range(100):
        start = time.perf_counter()
        rows = slice(step % 16 * 128, step % 16 * 128 + 128)
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(network(x[rows]), y[rows])
        loss.backward()
        optimizer.step()
        torch_xla.sync(wait=True)
        took.append(time.perf_counter() - start)
    network.eval()
    with torch.no_grad():
        right = (network(x).argmax(1) == y).float().mean().item()
    print(f"{os.environ['PJRT_DEVICE']}: loss {loss.item():.4f}, {right:.1%} right, first step {took[0]:.2f} s, the fastest {min(took) * 1e3:.2f} ms")
    assert right > 0.9


if __name__ == "__main__":
    main()
