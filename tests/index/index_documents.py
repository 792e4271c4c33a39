"""Documents for indexes: sentences from a small vocabulary, so that many are similar."""

import random

import pyarrow as pa

WORDS = [f"{first}{second}" for first in ("ba", "ko", "lu", "mi", "tra") for second in "aeiou"]


def make_documents(count: int, seed: int = 0) -> pa.Table:
    """Make documents d0, d1, …; a third of them are versions of earlier ones."""
    rng, texts = random.Random(seed), []
    for _ in range(count):
        if texts and rng.random() < 0.35:
            words = rng.choice(texts[-50:]).split()
            words[rng.randrange(len(words))] = rng.choice(WORDS)
        else:
            words = rng.choices(WORDS, k=rng.randint(8, 40))
        texts.append(" ".join(words))
    return pa.table({"id": [f"d{number}" for number in range(count)], "text": texts})
