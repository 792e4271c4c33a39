"""Reference implementations of images and of mining: go through every subset of the documents."""

import math
from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np

from neardup.represent import Images
from reference.hashes import mix, multiply
from reference.sets import list_shingles

Image = set[int]
Cluster = tuple[frozenset[int], int]
"""The documents, and the number of units that they share."""


def image_size(size: int, growth: str, shingles: int) -> int:
    if growth == "log":
        size = math.ceil(size * max(shingles, 1).bit_length() / 10)
    if growth == "linear":
        size = math.ceil(size * shingles / 1000)
    return min(max(size, 1), 10_000)


def make_image(
    units: Sequence[str],
    hash_shingle: Callable[[tuple[str, ...]], int],
    *,
    shingle: int,
    offset: int,
    choice: str,
    size: int,
    growth: str,
) -> list[int]:
    """Return the smallest hashes, or the smallest in each of many orders, mixed with the number of the order."""
    hashes = sorted({hash_shingle(each) for each in list_shingles(units, shingle)[::offset]})
    wanted = image_size(size, growth, len(hashes))
    if choice == "bottom" or not hashes:
        return hashes[:wanted]
    seeds = [mix(number) for number in range(1, wanted + 1)]
    return sorted({multiply(min(mix(each ^ seed) for each in hashes), seed | 1) for seed in seeds})


def as_images(images: Sequence[Image]) -> Images:
    """Return images as flat arrays."""
    offsets = np.cumsum([0, *map(len, images)]).astype(np.uint64)
    return Images(np.array([unit for image in images for unit in sorted(image)], np.uint64), offsets)


def find_closed(images: Sequence[Image], need: Callable[[int], int]) -> set[Cluster]:
    """Find the clusters of two or more documents; `need` returns how many units an image of a given size must share."""
    found: set[Cluster] = set()
    for count in range(1, len(images) + 1):
        for chosen in combinations(range(len(images)), count):
            common = set.intersection(*(images[index] for index in chosen))
            members = frozenset(
                index for index, image in enumerate(images) if common <= image and len(common) >= need(len(image))
            )
            if len(members) > 1 and members.issuperset(chosen):
                found.add((members, len(common)))
    return found


def keep_maximal(clusters: set[Cluster]) -> set[Cluster]:
    return {cluster for cluster in clusters if not any(cluster[0] < other for other, _ in clusters)}


def find_pairs(images: Sequence[Image], need: Callable[[int], int]) -> dict[tuple[int, int], int]:
    return {
        (a, b): len(images[a] & images[b])
        for a, b in combinations(range(len(images)), 2)
        if len(images[a] & images[b]) >= max(need(len(images[a])), need(len(images[b])))
    }
