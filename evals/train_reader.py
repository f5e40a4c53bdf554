"""Trains the reader: all-MiniLM-L6-v2 goes on to learn which line states the answer to a question.

    python -m evals.train_reader cases.jsonl WEIGHTS OUT [--start reader.safetensors] [--epochs 6]

`cases.jsonl` is of `evals.reader_cases`, WEIGHTS the folder model/ of the package that has MiniLM's
weights. Written are OUT/reader.safetensors, which layers/embedding/ holds, and the reference that
set-up checks a built reader against. It needs torch and transformers, which footnote does not, so
it runs in an environment of its own; on a graphics card an epoch takes a minute, on two cores of a
processor hours.

It learns from two kinds of texts at once, lines of the evidence and excerpts of hits. A question's
texts of a kind and "none of them" share a probability of 1 (softmax, where "none" has the logit 0),
and the loss is the negative log of what falls to the right ones. Some questions with an answer are
shown once more without their right texts.
"""

import argparse
import json
import math
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from safetensors.numpy import load_file, save_file
from torch import Tensor, nn
from transformers import BertConfig, BertModel

from footnote.adapters.embedding.minilm_tokenizer import PairTokenizer
from footnote.wire import Json
from local.reader_graph import trained

SHOWN = 12  # texts of a question at a time
HARD = 16  # of the best ones, from which most of them are drawn
# By kind: of the questions with an answer, shown once more without their right texts, and of the
# texts, shown without a part of what they stand under.
WITHOUT: Mapping[str, float] = {"lines": 0.5, "hits": 0.2}
BARE: Mapping[str, float] = {"lines": 0.18, "hits": 0.1}
RATE, WARM_UP, DECAY, QUESTIONS = 8e-5, 0.06, 0.01, 32  # QUESTIONS in a step
RANK = 128  # of what training changed in a matrix; with all of it the gate tells no more
FIXED = "word_embeddings"
HEADS = 12
TOGETHER = 128  # texts
TOLD = 20  # steps

REFERENCE = (
    (
        "How long does the warranty last?",
        "Revenue grew by 12 % in 2023.",
        "The warranty will last two years.",
        "The warranty does not cover the battery.\nterms > Roost kettle > Warranty",
    ),
    (
        "What was net revenue of the Harbour segment in 2022?",
        "Harbour | 410 | 388 | 371\nSegment | 2023 | 2022 | 2021\nreport > Segments",
        "Quarry | 95 | 102 | 99\nSegment | 2023 | 2022 | 2021\nreport > Segments",
        "Net revenue of all segments rose by 4 % in 2022.",
    ),
    (
        "Who signed the lease for the Velden warehouse?",
        "The lease for the warehouse in Velden runs until 2031.",
        "The lease for the warehouse in Velden was signed by Ines Okoro.",
        "Ines Okoro joined the board in 2019.",
    ),
)


class Shown(NamedTuple):
    """A question with some of its texts of a kind, and which of them are right."""

    question: str
    kind: str
    texts: Sequence[Json]
    gold: Sequence[bool]


class Reader(nn.Module):  # type: ignore[misc] # torch is in no environment of ours
    """The graph of `local/reader_graph.py`, in torch."""

    def __init__(self, weights: Mapping[str, np.ndarray], dropout: float = 0.1) -> None:
        super().__init__()
        layers = 1 + max(int(one.split(".")[2]) for one in weights if one.startswith("encoder."))
        words, width = weights["embeddings.word_embeddings.weight"].shape
        inner = len(weights["encoder.layer.0.intermediate.dense.bias"])
        shape = BertConfig(
            vocab_size=words,
            hidden_size=width,
            num_hidden_layers=layers,
            num_attention_heads=HEADS,
            intermediate_size=inner,
            hidden_dropout_prob=dropout,
            attention_probs_dropout_prob=dropout,
        )
        self.bert = BertModel(shape, add_pooling_layer=False)
        self.mid, self.head = nn.Linear(width, width), nn.Linear(width, 1)
        self.drop = nn.Dropout(0.1)
        nn.init.eye_(self.mid.weight)
        nn.init.zeros_(self.mid.bias)
        nn.init.normal_(self.head.weight, std=0.02)
        nn.init.constant_(self.head.bias, -2.0)
        for name, one in self.tensors():
            if name in weights:
                one.data = torch.tensor(weights[name])
            one.requires_grad = FIXED not in name

    def tensors(self) -> Iterator[tuple[str, nn.Parameter]]:
        """Yields the weights by the names that the package and the graph have for them."""
        yield from ((n.removeprefix("bert."), one) for n, one in self.named_parameters())

    def forward(self, texts: Sequence[Sequence[int]]) -> Tensor:
        """Returns the log-odds of each text of token ids.

        Texts of about one length go together, so that little is filled up.
        """
        order = sorted(range(len(texts)), key=lambda n: len(texts[n]))
        parts = [
            self._judge([texts[n] for n in order[at : at + TOGETHER]])
            for at in range(0, len(order), TOGETHER)
        ]
        places = torch.tensor(sorted(range(len(order)), key=order.__getitem__))
        made: Tensor = torch.cat(parts)[places.to(parts[0].device)]
        return made

    def _judge(self, texts: Sequence[Sequence[int]]) -> Tensor:
        length = max(map(len, texts))
        ids = torch.tensor([[*one, *[0] * (length - len(one))] for one in texts])
        mask = (ids > 0).long()
        ids, mask = ids.to(self.head.weight.device), mask.to(self.head.weight.device)
        tokens = self.bert(input_ids=ids, attention_mask=mask).last_hidden_state
        mean = (tokens * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
        made: Tensor = self.head(self.drop(torch.tanh(self.mid(mean))))[:, 0]
        return made


def drawn_parts(text: Json, kind: str, dice: random.Random) -> str:
    """Returns a text as it is read, now and then without a part of what it stands under."""
    own, *under = text["parts"]
    return "\n".join(filter(None, (own, *(one for one in under if dice.random() >= BARE[kind]))))


def shown(cases: Sequence[Json], dice: random.Random) -> list[Shown]:
    """Draws the texts that are shown of each question in an epoch, in any order."""
    made = []
    for case, kind in ((case, kind) for case in cases for kind in WITHOUT):
        right = [text for text in case[kind] if text["gold"]]
        wrong = [text for text in case[kind] if text["gold"] is False]
        if case["answerable"] and not right:
            continue  # not found, so nothing says which of these texts answer
        hard, rest = wrong[:HARD], wrong[HARD:]
        dice.shuffle(hard)
        dice.shuffle(rest)
        some = [*hard[: SHOWN - 3], *rest][: SHOWN - 1]
        mine = dice.sample(right, min(3, len(right)))
        gold = [*[True] * len(mine), *[False] * len(some)]
        made.append(Shown(case["question"], kind, [*mine, *some], gold))
        if mine and some and dice.random() < WITHOUT[kind]:
            made.append(Shown(case["question"], kind, some, [False] * len(some)))
    dice.shuffle(made)
    return [one for one in made if one.texts]


def loss_of(odds: Tensor, batch: Sequence[Shown]) -> Tensor:
    """Returns the mean over questions of the negative log of what falls to the right texts."""
    total, start = odds.new_zeros(()), 0
    for one in batch:
        mine = odds[start : start + len(one.texts)].float()
        start += len(one.texts)
        share = torch.log_softmax(torch.cat([mine.new_zeros(1), mine]), 0)
        right = torch.tensor([not any(one.gold), *one.gold], device=odds.device)
        total = total - torch.logsumexp(share[right], 0)
    return total / len(batch)


def train(
    reader: Reader, encoder: PairTokenizer, cases: Sequence[Json], epochs: int, dice: random.Random
) -> None:
    device = reader.head.weight.device
    learned = [one for _, one in reader.tensors() if one.requires_grad]
    optimizer = torch.optim.AdamW(learned, lr=RATE, weight_decay=DECAY)
    shows = len(shown(cases, random.Random(0)))  # noqa: S311
    steps = epochs * math.ceil(shows / QUESTIONS)

    def rate(step: int) -> float:
        left = max(0.0, (steps - step) / ((1 - WARM_UP) * steps))
        return min((step + 1) / (WARM_UP * steps), left)

    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, rate)
    reader.train()
    for epoch in range(epochs):
        drawn, losses = shown(cases, dice), []
        for n in range(0, len(drawn), QUESTIONS):
            batch = drawn[n : n + QUESTIONS]
            texts = [
                encoder.encode(one.question, drawn_parts(text, one.kind, dice))
                for one in batch
                for text in one.texts
            ]
            with torch.autocast(device.type, torch.bfloat16):
                odds = reader(texts)
            loss = loss_of(odds, batch)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(learned, 1.0)
            optimizer.step()
            schedule.step()
            losses.append(loss.item())
            if len(losses) % TOLD == 0:
                print(f"{len(losses)} steps: loss {np.mean(losses[-TOLD:]):.3f}", flush=True)
        print(f"epoch {epoch}: loss {np.mean(losses):.3f} over {len(drawn)}", flush=True)
    reader.eval()


def changes_of(reader: Reader, weights: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Returns what training changed, as `local/reader_graph.py` reads it."""
    made = {}
    for name, one in reader.tensors():
        value = one.detach().float().cpu().numpy()
        if FIXED in name:
            continue
        if value.ndim == 1 or min(value.shape) <= RANK or name not in weights:
            made[name] = value.astype(np.float16)
            continue
        left, sizes, right = np.linalg.svd(value - weights[name], full_matrices=False)
        root = np.sqrt(sizes[:RANK])
        made |= _in_bytes(f"{name}.up", left[:, :RANK] * root)
        made |= _in_bytes(f"{name}.down", root[:, None] * right[:RANK])
    return made


def _in_bytes(name: str, matrix: np.ndarray) -> dict[str, np.ndarray]:
    scale = np.maximum(np.abs(matrix).max(1, keepdims=True) / 127, 1e-12).astype(np.float32)
    return {name: np.round(matrix / scale).astype(np.int8), f"{name}_scale": scale}


def reference(reader: Reader, encoder: PairTokenizer) -> Json:
    cases = []
    for question, *texts in REFERENCE:
        with torch.no_grad():
            odds = reader([encoder.encode(question, text) for text in texts])
        told = [round(one, 4) for one in odds.float().tolist()]
        cases.append({"question": question, "texts": texts, "log_odds": told})
    return {"cases": cases}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("cases", type=Path)
    options.add_argument("weights", type=Path)
    options.add_argument("out", type=Path)
    options.add_argument("--start", type=Path, help="go on from these changes")
    options.add_argument("--epochs", type=int, default=6)
    options.add_argument("--dropout", type=float, default=0.1, help="0: none, as in one pass")
    options.add_argument("--seed", type=int, default=0, help="another one for another pass")
    given = options.parse_args()
    torch.manual_seed(given.seed)
    weights = load_file(given.weights / "model.safetensors")
    begun = trained(weights, load_file(given.start)) if given.start else weights
    reader = Reader(begun, given.dropout).to("cuda" if torch.cuda.is_available() else "cpu")
    encoder = PairTokenizer(given.weights)
    cases = [json.loads(line) for line in given.cases.read_text(encoding="utf-8").splitlines()]
    dice = random.Random(given.seed)  # noqa: S311 - draws texts
    train(reader, encoder, cases, given.epochs, dice)
    given.out.mkdir(parents=True, exist_ok=True)
    save_file(changes_of(reader, weights), given.out / "reader.safetensors")
    told = json.dumps(reference(reader, encoder), indent=1)
    (given.out / "reader_reference.json").write_text(f"{told}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
