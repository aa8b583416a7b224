"""Ten models of torchvision and transformers, with random weights, on millrace and on torch_xla's own CPU device: the same numbers, and
how long a forward and a training step take.

    ./dev torch-models                 all of them
    ./dev torch-models --only vit_b_16,gpt2 --rounds 5

Each device has a process of its own, which makes the models from the same seed, runs forwards and steps of SGD, and writes the outputs, the
losses and the fastest of the rounds. The two processes of a model alternate, so that a slow minute of the machine meets both. The exit
status is 0 when all numbers agree, millrace is at least 1.5 times as fast in the geometric mean and slower in no row.

Which numbers are right a third process says, PyTorch without XLA in f64: outputs of a forward and losses of three steps are off it by at
most 1e-3, or by three times of what the CPU device is off. Training in small batches magnifies roundings: after five steps of 1e-3
ResNet-18 on four pictures has a loss of 3.526 on the CPU device, 3.539 here and in PyTorch without XLA, and 3.530 in f64.
"""

import argparse
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import time

STEPS = 3
RATE = 1e-4
TOLERANCE = 1e-3
TIMES = 3
REFERENCE = "REFERENCE"
WANTED = 1.5


def pictures(torch, batch, size):
    return torch.randn(batch, 3, size, size)


def tokens(torch, batch, length, vocabulary=1000):
    return torch.randint(0, vocabulary, (batch, length))


def classifier(model, x, y):
    """(forward, loss) of a network from pictures to classes."""
    import torch

    return lambda: model(x), lambda: torch.nn.functional.cross_entropy(model(x), y)


def of_torchvision(name, batch, size):
    def make(torch, place):
        import torchvision

        model = getattr(torchvision.models, name)(weights=None)
        for weight in model.parameters():
            if weight.dim() > 1 and not weight.any():  # ViT's last layer, which would answer zero whatever came before it
                torch.nn.init.normal_(weight, std=0.02)
        model = place(model)
        x, y = place(pictures(torch, batch, size)), place(torch.randint(0, 1000, (batch,)))
        return model, *classifier(model, x, y)

    return make


def _model_and_loss(place, model, loss_of, **inputs):
    model = place(model)
    inputs = {name: place(value) for name, value in inputs.items()}
    return model, lambda: loss_of(model(**inputs))[0], lambda: loss_of(model(**inputs))[1]


def bert(torch, place):
    import transformers

    config = transformers.BertConfig(vocab_size=1000, hidden_size=256, num_hidden_layers=4, num_attention_heads=4, intermediate_size=1024)
    model = transformers.BertForMaskedLM(config)
    ids = tokens(torch, 8, 64)
    return _model_and_loss(place, model, lambda out: (out.logits, out.loss), input_ids=ids, labels=ids,
                           attention_mask=torch.ones_like(ids))


def gpt2(torch, place):
    import transformers

    config = transformers.GPT2Config(vocab_size=1000, n_embd=256, n_layer=4, n_head=4, n_positions=128)
    ids = tokens(torch, 4, 128)
    return _model_and_loss(place, transformers.GPT2LMHeadModel(config), lambda out: (out.logits, out.loss), input_ids=ids, labels=ids)


def llama(torch, place):
    import transformers

    config = transformers.LlamaConfig(vocab_size=1000, hidden_size=256, intermediate_size=688, num_hidden_layers=4, num_attention_heads=4,
                                      num_key_value_heads=2, max_position_embeddings=128)
    ids = tokens(torch, 4, 64)
    return _model_and_loss(place, transformers.LlamaForCausalLM(config), lambda out: (out.logits, out.loss), input_ids=ids, labels=ids)


def t5(torch, place):
    import transformers

    config = transformers.T5Config(vocab_size=1000, d_model=256, d_kv=64, d_ff=512, num_layers=3, num_heads=4,
                                decoder_start_token_id=0)
    ids, labels = tokens(torch, 4, 48), tokens(torch, 4, 32)
    return _model_and_loss(place, transformers.T5ForConditionalGeneration(config), lambda out: (out.logits, out.loss), input_ids=ids,
                           labels=labels)


MODELS = {
    "resnet18": of_torchvision("resnet18", 4, 64),
    "resnet50": of_torchvision("resnet50", 2, 96),
    "mobilenet_v2": of_torchvision("mobilenet_v2", 4, 64),
    "efficientnet_b0": of_torchvision("efficientnet_b0", 2, 64),
    "convnext_tiny": of_torchvision("convnext_tiny", 2, 64),
    "vit_b_16": of_torchvision("vit_b_16", 1, 224),
    "bert": bert,
    "gpt2": gpt2,
    "llama": llama,
    "t5": t5,
}


def without_chance(torch, model):
    """Dropout draws from the device's generator, which differs between devices."""
    for module in model.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.0
        for name in ("dropout", "attention_dropout", "dropout_prob", "p"):
            if isinstance(getattr(module, name, None), float):
                setattr(module, name, 0.0)
        if type(module).__name__ == "StochasticDepth":
            module.p = 0.0


def fastest(run, sync, rounds):
    took = []
    for _ in range(rounds):
        begin = time.perf_counter()
        run()
        sync()
        took.append(time.perf_counter() - begin)
    return min(took)


def one(name, rounds):
    """What the device of PJRT_DEVICE says of one model, as a dictionary. The device REFERENCE is PyTorch's own, in f64."""
    import torch

    torch.manual_seed(0)
    if os.environ["PJRT_DEVICE"] == REFERENCE:
        def place(value):
            return value.double() if isinstance(value, torch.nn.Module) or value.is_floating_point() else value

        def sync():
            pass
    else:
        import torch_xla
        import torch_xla.core.xla_model as xm

        def place(value):
            return value.to(torch_xla.device())

        def sync():
            torch_xla.sync(wait=True)  # until the program has been handed to the device
            xm.wait_device_ops()

    model, forward, loss_of = MODELS[name](torch, place)
    without_chance(torch, model)

    sync()
    model.eval()

    def infer():
        with torch.no_grad():
            infer.output = forward()

    begin = time.perf_counter()
    infer()
    sync()
    first_forward = time.perf_counter() - begin
    output = infer.output.detach().cpu().flatten()
    forward_s = fastest(infer, sync, rounds)
    model.train()
    optimizer = torch.optim.SGD(model.parameters(), lr=RATE)
    losses = []

    def step():
        optimizer.zero_grad()
        loss = loss_of()
        loss.backward()
        optimizer.step()
        step.loss = loss

    begin = time.perf_counter()
    step()
    sync()
    first_step = time.perf_counter() - begin
    losses.append(step.loss.item())
    for _ in range(STEPS - 1):
        step()
        sync()
        losses.append(step.loss.item())
    step_s = fastest(step, sync, rounds)
    return {"output": output[:: max(1, output.numel() // 1000)].tolist(), "losses": losses, "forward_s": forward_s, "step_s": step_s,
            "first_forward_s": first_forward, "first_step_s": first_step}


def measured(name, device, rounds):
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out.json"
        command = [sys.executable, "-W", "ignore", __file__, "--child", name, "--rounds", str(rounds), "--out", str(out)]
        result = subprocess.run(command, env=dict(os.environ, PJRT_DEVICE=device), capture_output=True, text=True)
        if result.returncode:
            raise SystemExit(f"{name} on {device}: exit status {result.returncode}\n{result.stderr[-2000:]}")
        return json.loads(out.read_text())


def best(runs):
    """Of several processes the least of each time."""
    return {key: min(run[key] for run in runs) for key in runs[0] if key.endswith("_s")}


def largest(numbers):
    """max() passes over what is no number."""
    numbers = [abs(number) for number in numbers]
    return max(numbers) if all(map(math.isfinite, numbers)) else math.inf


def off(runs, reference):
    """How far outputs and losses of any process are from those in f64, as shares of the largest output and of each loss."""
    scale = largest(reference["output"])
    output = largest((a - b) / scale for run in runs for a, b in zip(run["output"], reference["output"], strict=True))
    losses = largest((a - b) / b for run in runs for a, b in zip(run["losses"], reference["losses"], strict=True))
    return output, losses


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="names with commas between them")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--processes", type=int, default=2, help="of each device and model, alternating")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    parser.add_argument("--out", type=pathlib.Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        arguments.out.write_text(json.dumps(one(arguments.child, arguments.rounds)))
        return 0
    names = arguments.only.split(",") if arguments.only else list(MODELS)
    if unknown := [name for name in names if name not in MODELS]:
        parser.error(f"there is no model {', '.join(unknown)}, wanted of {', '.join(MODELS)}")
    ratios, agree = [], True
    print(f"{'':16} {'forward, ms':>21} {'step, ms':>21} {'first step, s':>15}   outputs and losses off f64: ours, theirs")
    for name in names:
        runs = {"MILLRACE": [], "CPU": []}
        for _ in range(arguments.processes):
            for device, of_device in runs.items():
                of_device.append(measured(name, device, arguments.rounds))
        ours, theirs = best(runs["MILLRACE"]), best(runs["CPU"])
        reference = measured(name, REFERENCE, 1)
        errors = list(zip(off(runs["MILLRACE"], reference), off(runs["CPU"], reference)))
        same = all(our <= max(TOLERANCE, TIMES * their) < math.inf for our, their in errors)
        agree = agree and same
        row = [theirs[key] / ours[key] for key in ("forward_s", "step_s")]
        ratios += row
        print(f"{name:16} {ours['forward_s'] * 1e3:7.1f} {theirs['forward_s'] * 1e3:7.1f} {row[0]:5.2f} {ours['step_s'] * 1e3:7.1f} "
              f"{theirs['step_s'] * 1e3:7.1f} {row[1]:5.2f} {ours['first_step_s']:7.2f} {theirs['first_step_s']:7.2f}   "
              f"{', '.join(f'{our:.1e} {their:.1e}' for our, their in errors)}{'' if same else ' DIFFERS'}", flush=True)
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    print(f"{mean:.2f} times as fast in the mean, {min(ratios):.2f} at least; numbers {'agree' if agree else 'DIFFER'}")
    return 0 if agree and mean >= WANTED and min(ratios) >= 1 else 1


if __name__ == "__main__":
    sys.exit(main())
