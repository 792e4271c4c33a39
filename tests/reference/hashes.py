"""Reference implementations of the hash functions and sketches. Stored data depends on their exact bits."""

ALL = (1 << 64) - 1
WORD_LOW = 0x9AE16A3B2F90404F
WORD_HIGH = 0xC3A5C85C97CB3127
CHAIN = 0xB492B66FBE98F273
SHINGLE_BASE = 0x9FB21C651E98DF25
BAND = 0x9E3779B97F4A7C15
PROBE = 0x5BD1E99500000000
EMPTY = (1 << 32) - 1


def multiply(a: int, b: int) -> int:
    """Multiply to 128 bits and fold the halves together."""
    product = a * b
    return (product & ALL) ^ (product >> 64)


def mix(x: int) -> int:
    x = (x ^ (x >> 33)) * 0xFF51AFD7ED558CCD & ALL
    x = (x ^ (x >> 33)) * 0xC4CEB9FE1A85EC53 & ALL
    return x ^ (x >> 33)


def hash_word(word: str) -> int:
    """Hash a folded word, sixteen bytes at a time; the underscore is replaced by 0x7f, which words do not contain."""
    content = word.replace("_", "\x7f").encode()
    chunks = [content[at : at + 16].ljust(16, b"\0") for at in range(0, len(content), 16)] or [bytes(16)]
    halves = [(int.from_bytes(chunk[:8], "little"), int.from_bytes(chunk[8:], "little")) for chunk in chunks]
    found = multiply(halves[0][0] ^ WORD_LOW, halves[0][1] ^ WORD_HIGH)
    for low, high in halves[1:]:
        found = multiply(found ^ low, high ^ CHAIN)
    return found


def hash_unit(unit: str, kind: str) -> int:
    return hash_word(unit) if kind == "word" else mix(0x7F if unit == "_" else ord(unit))


def hash_shingle(shingle: tuple[str, ...], kind: str) -> int:
    rolled = 0
    for unit in shingle:
        rolled = (rolled * SHINGLE_BASE + hash_unit(unit, kind)) & ALL
    return mix(rolled ^ (len(shingle) * CHAIN & ALL))


def simhash(shingles: list[int]) -> int:
    """Return the majority of each bit over all occurrences of shingles."""
    votes = [sum(1 if shingle >> bit & 1 else -1 for shingle in shingles) for bit in range(64)]
    return sum(1 << bit for bit, vote in enumerate(votes) if vote > 0)


def bottom(shingles: list[int], count: int) -> list[int]:
    return sorted(set(shingles))[:count]


def sketch(shingles: list[int], slots: int) -> list[int]:
    """One permutation: the high half selects a slot, which keeps the smallest low half; empty slots borrow one."""
    filled: dict[int, int] = {}
    for shingle in shingles:
        slot = (shingle >> 32) * slots >> 32
        filled[slot] = min(filled.get(slot, EMPTY), shingle & EMPTY)
    if not filled:
        return [EMPTY] * slots
    return [_borrow(filled, slot, slots) for slot in range(slots)]


def _borrow(filled: dict[int, int], slot: int, slots: int) -> int:
    probed, attempt = slot, 0
    while probed not in filled:
        probed = (mix((slot << 32) ^ attempt ^ PROBE) >> 32) * slots >> 32
        attempt += 1
    return filled[probed]


def band_keys(sketched: list[int], bands: int, rows: int) -> list[int]:
    """Hash each band of a sketch, in order."""
    keys = []
    for band in range(bands):
        key = mix(band + 1)
        for value in sketched[band * rows : (band + 1) * rows]:
            key = multiply(key ^ value, BAND)
        keys.append(key)
    return keys
