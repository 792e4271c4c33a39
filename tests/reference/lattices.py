"""Reference implementations of edit distances, repeated bisection and concept lattices."""

from itertools import combinations


def edit_distance(a, b):
    """Return the edit distance by the full table of Wagner and Fischer."""
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(len(a) + 1):
        for j in range(len(b) + 1):
            if i == 0 or j == 0:
                table[i][j] = i + j
            else:
                changed = table[i - 1][j - 1] + (a[i - 1] != b[j - 1])
                table[i][j] = min(changed, table[i - 1][j] + 1, table[i][j - 1] + 1)
    return table[-1][-1]


def all_concepts(sets):
    """Return every formal concept, extent to intent, by going through all subsets of the documents."""
    concepts = {}
    for count in range(1, len(sets) + 1):
        for chosen in combinations(range(len(sets)), count):
            shared = frozenset.intersection(*(sets[document] for document in chosen))
            extent = frozenset(document for document, own in enumerate(sets) if shared <= own)
            concepts[extent] = shared
    return concepts


def all_covers(extents):
    """Return the pairs of extents of which one contains the other with no extent in between."""
    return {
        (low, high)
        for low in extents
        for high in extents
        if low < high and not any(low < between < high for between in extents)
    }


def criterion(sets, labels):
    """Return the sum over clusters of the norms of the sums of their unit vectors (I2 of Zhao & Karypis 2004)."""
    total = 0.0
    for label in set(labels):
        composite = {}
        for own in (sets[document] for document in range(len(sets)) if labels[document] == label):
            for element in own:
                composite[element] = composite.get(element, 0.0) + len(own) ** -0.5
        total += sum(value * value for value in composite.values()) ** 0.5
    return total


def best_split(sets):
    """Return the largest criterion that any cut into two clusters has, by trying all of them."""
    return max(
        criterion(sets, [bits >> document & 1 for document in range(len(sets))])
        for bits in range(1, 2 ** (len(sets) - 1))
    )
