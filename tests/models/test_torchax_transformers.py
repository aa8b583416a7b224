"""Models of Hugging Face's transformers, which are PyTorch's, by torchax: small ones with random weights."""

import numpy as np
import pytest
import torch
import transformers
from torchax.export import exported_program_to_jax

import as_files
from as_files import HEADS, LENGTH, TERMS, WIDTH
from exported import beside

LETTERS, LAYERS = 50, 2
SIZES = {"hidden_size": WIDTH, "num_hidden_layers": LAYERS, "num_attention_heads": HEADS, "intermediate_size": 2 * WIDTH}
MODELS = {
    "bert": (transformers.BertModel, transformers.BertConfig(vocab_size=LETTERS, **SIZES)),
    "gpt2": (transformers.GPT2LMHeadModel, transformers.GPT2Config(
        vocab_size=LETTERS, n_embd=WIDTH, n_layer=LAYERS, n_head=HEADS, n_positions=2 * LENGTH, bos_token_id=0, eos_token_id=0)),
    "llama": (transformers.LlamaForCausalLM, transformers.LlamaConfig(vocab_size=LETTERS, num_key_value_heads=2, **SIZES)),
    "t5": (transformers.T5EncoderModel, transformers.T5Config(
        vocab_size=LETTERS, d_model=WIDTH, d_kv=WIDTH // HEADS, d_ff=2 * WIDTH, num_layers=LAYERS, num_heads=HEADS)),
    "vit": (transformers.ViTModel, transformers.ViTConfig(image_size=16, patch_size=4, **SIZES)),
}


class First(torch.nn.Module):
    """The first answer of a model, without what it keeps for the next letter."""

    def __init__(self, model):
        super().__init__()
        self.model = model
        if hasattr(model.config, "use_cache"):
            model.config.use_cache = False

    def forward(self, x):
        return self.model(x)[0]


@pytest.mark.parametrize("kind", MODELS)
def test_weights_beside(kind, tmp_path):
    torch.manual_seed(1)
    make, config = MODELS[kind]
    config._attn_implementation = "eager"  # by scaled_dot_product_attention, torch.export cannot decompose GPT-2's
    model, random = First(make(config)).eval(), np.random.default_rng(1)
    x = random.normal(size=(3, 3, 16, 16)).astype(np.float32) if kind == "vit" else random.integers(0, LETTERS, (3, LENGTH)).astype(np.int32)
    with torch.no_grad():
        wanted = model(torch.from_numpy(x)).numpy()
    weights, function = exported_program_to_jax(torch.export.export(model, (torch.from_numpy(x),)))
    program, arrays = beside(lambda weights, x: function(weights, (x,))[0], weights, x)
    as_files.compare(as_files.run(program, [x], tmp_path, arrays), wanted, LAYERS * TERMS["transformer"])
