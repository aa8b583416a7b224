"""What PyTorch/XLA is used for: programs that give numbers, run in a process each, as torch_xla has one device kind for a process.

    PJRT_DEVICE=MILLRACE python programs.py PROGRAM FILE

writes FILE, numpy's .npz. test_torch.py runs them on millrace and on torch_xla's own CPU device and compares.
"""

import os
import sys

import numpy as np
import torch
import torch_xla

PROGRAMS = {}


def program(function):
    PROGRAMS[function.__name__] = function
    return function


def numbers(*shape):
    return torch.sin(torch.arange(int(np.prod(shape)), dtype=torch.float32) * 0.7 + 1).reshape(shape)


@program
def functions():
    """What becomes CHLO on the way: torch_xla makes HLO of the optimized program after each compile."""
    x = numbers(64, 64).to(torch_xla.device())
    return torch.erf(x), torch.nn.functional.gelu(x), torch.tan(x), torch.topk(x, 3).values, torch.sort(x).values


@program
def permutation():
    return (torch.sort(torch.randperm(10, device=torch_xla.device())).values,)


@program
def linear_algebra():
    a = numbers(3, 6, 6)
    a = (a @ a.mT + torch.eye(6)).to(torch_xla.device())
    values, vectors = torch.linalg.eigh(a)
    q, r = torch.linalg.qr(a)
    return (values, vectors @ torch.diag_embed(values) @ vectors.mT, torch.linalg.eigvalsh(a, UPLO="U"), q @ r, torch.linalg.inv(a),
            torch.linalg.det(a), torch.linalg.cholesky(a), torch.linalg.svdvals(a))


def _network():
    torch.manual_seed(0)
    return torch.nn.Sequential(torch.nn.Conv2d(3, 8, 3, padding=1), torch.nn.BatchNorm2d(8), torch.nn.GELU(), torch.nn.MaxPool2d(2),
                               torch.nn.Flatten(), torch.nn.Linear(8 * 16, 10))


@program
def training():
    network, losses = _network().to(torch_xla.device()), []
    optimizer = torch.optim.AdamW(network.parameters(), lr=1e-2)
    x, y = numbers(16, 3, 8, 8).to(torch_xla.device()), (torch.arange(16) % 10).to(torch_xla.device())
    for _ in range(5):
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(network(x), y)
        loss.backward()
        optimizer.step()
        torch_xla.sync()
        losses.append(loss.detach())
    return tuple(losses)


@program
def attention_in_bfloat16():
    torch.manual_seed(0)
    layer = torch.nn.TransformerEncoderLayer(32, 4, 64, dropout=0, batch_first=True).to(torch_xla.device(), torch.bfloat16).eval()
    return (layer(numbers(2, 8, 32).to(torch_xla.device(), torch.bfloat16)).float(),)


@program
def compiled():
    network = _network().to(torch_xla.device()).eval()
    with torch.no_grad():
        return (torch.compile(network, backend="openxla")(numbers(2, 3, 8, 8).to(torch_xla.device())),)


@program
def sharded():
    """Over all devices of the process."""
    import torch_xla.distributed.spmd as spmd
    import torch_xla.runtime

    torch_xla.runtime.use_spmd()
    count = torch_xla.runtime.global_runtime_device_count()
    mesh = spmd.Mesh(np.arange(count), (count,), ("data",))
    x, w = numbers(64, 16).to(torch_xla.device()), numbers(16, 8).to(torch_xla.device())
    spmd.mark_sharding(x, mesh, ("data", None))
    y = torch.tanh(x @ w)
    return y, y.sum(0), torch.tensor(count > 1 or os.environ["PJRT_DEVICE"] == "CPU")


class _Rows(torch.utils.data.Dataset):
    def __len__(self):
        return 64

    def __getitem__(self, index):
        return torch.full((8,), float(index))


@program
def loaded_by_workers():
    """Beside workers that were forked, and started, while the runtime is there."""
    w, sums = torch.ones(8, device=torch_xla.device()), []
    sums.append((w * 2).sum())
    torch_xla.sync()
    for context in ("fork", "spawn"):
        rows = torch.utils.data.DataLoader(_Rows(), batch_size=8, num_workers=2, multiprocessing_context=context)
        sums.append(sum((row.to(w.device) * w).sum() for row in rows))
    return tuple(sums)


@program
def saved():
    import io

    import torch_xla.core.xla_model as xm

    network, file = _network().to(torch_xla.device()), io.BytesIO()
    xm.save(network.state_dict(), file)
    file.seek(0)
    return tuple(torch.load(file).values())


def export(folder):
    """A program with its weights beside it, as files for `millrace run`, and what it gives."""
    from torch_xla.stablehlo import exported_program_to_stablehlo

    network, x = _network().eval(), numbers(2, 3, 8, 8)
    exported = exported_program_to_stablehlo(torch.export.export(network, (x,)))
    exported.save(folder)
    np.save(os.path.join(folder, "x.npy"), x.numpy())
    np.save(os.path.join(folder, "wanted.npy"), network(x).detach().numpy())


if __name__ == "__main__":
    if sys.argv[1] == "export":
        export(sys.argv[2])
    else:
        np.savez(sys.argv[2], *[part.detach().cpu().numpy() for part in PROGRAMS[sys.argv[1]]()])
