"""PyTorch by torch.export and torch_xla's StableHLO."""

import json
import os

os.environ["PJRT_DEVICE"] = "CPU"

import numpy as np
import pytest
import torch
from torch_xla.stablehlo import StableHLOExportOptions, exported_program_to_stablehlo

import as_files
from as_files import TERMS
from torch_models import MODELS, made


def files(folder, x):
    """The files of the program's parameters in their order, which forward.meta has: weights, constants and inputs, mixed."""
    np.save(folder / "x.npy", x)
    found = {"parameter": lambda place: folder / "data" / place["name"],
             "constant": lambda place: folder / "constants" / str(place["position"]), "input_arg": lambda place: folder / "x.npy"}
    meta = json.loads((folder / "functions" / "forward.meta").read_text())
    return [found[place["type_"]](place) for place in meta["input_locations"]]


def answers(folder, x):
    words = [word for file in files(folder, x) for word in ("--input", file)]
    done = as_files.millrace("run", folder / "functions" / "forward.bytecode", *words, "--output", folder)
    assert done.returncode == 0, done.stderr
    return [np.load(folder / "out0.npy")]


@pytest.mark.parametrize("kind", MODELS)
def test_weights_beside(kind, tmp_path):
    model, x, wanted = made(kind)
    exported_program_to_stablehlo(torch.export.export(model, (x,))).save(tmp_path)
    as_files.compare(answers(tmp_path, x.numpy()), wanted, TERMS[kind])


def test_an_exported_program(tmp_path):
    """From the .pt2 file that torch.export keeps models in."""
    model, x, wanted = made("cnn")
    torch.export.save(torch.export.export(model, (x,)), tmp_path / "model.pt2")
    exported_program_to_stablehlo(torch.export.load(tmp_path / "model.pt2")).save(tmp_path / "saved")
    as_files.compare(answers(tmp_path / "saved", x.numpy()), wanted, TERMS["cnn"])


def test_bfloat16(tmp_path):
    """NumPy has no such type, so torch_xla does not write weights of it: they are written as their bits."""
    model, x, _ = made("mlp")
    model, x = model.to(torch.bfloat16), x.to(torch.bfloat16)
    exported = torch.export.export(model, (x,))
    with pytest.raises(TypeError, match="BFloat16"):
        exported_program_to_stablehlo(exported)
    exported_program_to_stablehlo(exported, StableHLOExportOptions(export_weights=False)).save(tmp_path)
    for name, weight in model.state_dict().items():
        np.save(tmp_path / "data" / f"{name}.npy", weight.view(torch.uint16).numpy())
        (tmp_path / "data" / f"{name}.npy").rename(tmp_path / "data" / name)
    (bits,) = answers(tmp_path, x.view(torch.uint16).numpy())
    # A product, its bias, tanh, and the same once more, each rounded to bf16.
    as_files.compare([torch.from_numpy(bits).view(torch.bfloat16).float().numpy()], model(x).detach().float().numpy(), 5, unit=2.0**-8)
