"""PyTorch models with random weights, and what PyTorch says of them on its own CPU."""

import numpy as np
import torch
from torch import nn

from as_files import CHANNELS, CLASSES, FEATURES, HEADS, HIDDEN, IMAGE, LENGTH, LETTERS, MAPS, WIDTH, inputs


class Transformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.letters, self.places = nn.Embedding(LETTERS, WIDTH), nn.Parameter(torch.randn(LENGTH, WIDTH) * 0.1)
        self.block = nn.TransformerEncoderLayer(WIDTH, HEADS, 4 * WIDTH, activation="gelu", batch_first=True, norm_first=True)
        self.norm, self.last = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, LETTERS)

    def forward(self, letters):
        return self.last(self.norm(self.block(self.letters(letters) + self.places)))


def mlp():
    return nn.Sequential(nn.Linear(FEATURES, HIDDEN), nn.Tanh(), nn.Linear(HIDDEN, CLASSES))


def cnn():
    return nn.Sequential(nn.Conv2d(CHANNELS, MAPS, 3, padding=1), nn.BatchNorm2d(MAPS), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
                         nn.Dropout(0.5), nn.Linear(MAPS * (IMAGE // 2) ** 2, CLASSES))


MODELS = {"mlp": mlp, "cnn": cnn, "transformer": Transformer}


def made(kind):
    """A model as it is used after training, an input, and its answer."""
    torch.manual_seed(1)
    model, x, random = MODELS[kind](), torch.from_numpy(inputs(kind, layout="NCHW")), np.random.default_rng(2)
    for name, buffer in model.named_buffers():
        if "running" in name:
            buffer.copy_(torch.from_numpy(random.uniform(0.5, 1.5, buffer.shape)))
    model.eval()
    with torch.no_grad():
        return model, x, model(x).numpy()
