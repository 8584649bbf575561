"""The encoder and the reader's heads in torch, from the same weights that the product serves."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn import functional

from retrieval.embedders.transformer_graph import QuantisedTable, TransformerShape, TransformerWeights
from training.reader.low_rank import NORMS, PRODUCTS, low_rank_factors

MASKED = -1e4


class LowRankProduct(nn.Module):
    """The base's product and a difference of low rank beside it, which alone is trained (Hu et al. 2021, https://arxiv.org/abs/2106.09685)."""

    base: Tensor

    def __init__(self, product: nn.Linear, base: Tensor, rank: int) -> None:
        super().__init__()
        left, right = low_rank_factors((product.weight.detach() - base).float().numpy(), rank)
        self.register_buffer("base", base, persistent=False)
        self.left, self.right, self.bias = nn.Parameter(torch.from_numpy(left)), nn.Parameter(torch.from_numpy(right)), product.bias

    def forward(self, hidden: Tensor) -> Tensor:
        return functional.linear(hidden, self.base + self.left @ self.right, self.bias)


class EncoderLayer(nn.Module):
    """One post-norm layer; the names are those of `TransformerWeights`. `dropout` is a share of what each half adds, and of the attention."""

    def __init__(self, shape: TransformerShape, weights: TransformerWeights, number: int, dropout: float) -> None:
        super().__init__()
        self.heads, self.dropout = shape.heads, nn.Dropout(dropout)
        for name in PRODUCTS:
            self.add_module(name, _linear(weights, f"{number}.{name}"))
        for name in NORMS:
            self.add_module(name, _norm(shape, weights, f"{number}.{name}"))

    def forward(self, hidden: Tensor, mask: Tensor) -> Tensor:
        rows, tokens, width = hidden.shape
        parts = self.get_submodule("query_key_value")(hidden).view(rows, tokens, 3, self.heads, width // self.heads)
        query, key, value = parts.permute(2, 0, 3, 1, 4)
        # torch's fused attention takes three times as long backwards on a processor
        weights = functional.softmax(query @ key.transpose(-1, -2) / math.sqrt(width // self.heads) + mask, dim=-1)
        mixed = self.dropout(weights.to(value.dtype)) @ value
        attended = self.get_submodule("attended")(mixed.transpose(1, 2).reshape(rows, tokens, width))
        hidden = self.get_submodule("attended_norm")(hidden + self.dropout(attended))
        widened = functional.gelu(self.get_submodule("widened")(hidden))
        out: Tensor = self.get_submodule("narrowed_norm")(hidden + self.dropout(self.get_submodule("narrowed")(widened)))
        return out


class ReaderModel(nn.Module):
    """Ids [rows, tokens] -> span logits [rows, tokens, 2] and passage logits [rows, 2] (answered here, relevant), both off the last layer.

    The vocabulary and the places stay as they are: they are most of the weights, and a difference to them has no low rank."""

    words: Tensor
    places: Tensor

    def __init__(self, shape: TransformerShape, weights: TransformerWeights, dropout: float = 0.0) -> None:
        super().__init__()
        words = weights.words.dequantise() if isinstance(weights.words, QuantisedTable) else weights.words
        self.register_buffer("words", torch.from_numpy(words.copy()), persistent=False)
        self.register_buffer("places", torch.from_numpy(weights.tensors["places"].copy()), persistent=False)
        self.norm, self.dropout = _norm(shape, weights, "norm"), nn.Dropout(dropout)
        self.layers = nn.ModuleList(EncoderLayer(shape, weights, number, dropout) for number in range(shape.layers))
        self.span, self.passage = nn.Linear(shape.width, 2), nn.Linear(shape.width, 2)
        for head in (self.span, self.passage):
            nn.init.normal_(head.weight, std=0.02)
            nn.init.zeros_(head.bias)

    def forward(self, ids: Tensor, seen: Tensor) -> tuple[Tensor, Tensor]:
        hidden = self.dropout(self.norm(functional.embedding(ids, self.words) + self.places[: ids.shape[1]]))
        mask = (~seen[:, None, None, :]).to(torch.bfloat16) * MASKED
        for layer in self.layers:
            hidden = layer(hidden, mask)
        hidden = hidden.float()
        return self.span(hidden), self.passage(hidden[:, 0])


def limit_rank(model: ReaderModel, weights: TransformerWeights, rank: int) -> None:
    """Cut each product's difference to the base to `rank` parts; only these, and what is no product, are trained from now on. The model must
    have been trained before: where there is no difference, both factors are 0, and 0 they stay.
    """
    for number, layer in enumerate(model.layers):
        for name in PRODUCTS:
            product = layer.get_submodule(name)
            if isinstance(product, nn.Linear):
                base = torch.from_numpy(weights.tensors[f"{number}.{name}.weight"].copy())
                setattr(layer, name, LowRankProduct(product, base, rank))


def _linear(weights: TransformerWeights, name: str) -> nn.Linear:
    table, bias = weights.tensors[f"{name}.weight"], weights.tensors[f"{name}.bias"]
    made = nn.Linear(table.shape[1], table.shape[0])
    with torch.no_grad():
        made.weight.copy_(torch.from_numpy(table.copy()))
        made.bias.copy_(torch.from_numpy(bias.copy()))
    return made


def _norm(shape: TransformerShape, weights: TransformerWeights, name: str) -> nn.LayerNorm:
    made = nn.LayerNorm(shape.width, eps=shape.norm_epsilon)
    with torch.no_grad():
        made.weight.copy_(torch.from_numpy(weights.tensors[f"{name}.weight"].copy()))
        made.bias.copy_(torch.from_numpy(weights.tensors[f"{name}.bias"].copy()))
    return made
