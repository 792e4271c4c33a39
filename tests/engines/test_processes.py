import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

FORK = """
import multiprocessing
import neardup

texts = ["save the whales now and for ever and ever", "save the whales now and for ever and EVER!", "other"] * 200

def work(number):
    return neardup.find(texts, method="METHOD", threads=number).labels.tolist()

if __name__ == "__main__":
    before = [work(0), work(2), work(1)]
    with multiprocessing.get_context("fork").Pool(3) as pool:
        after = pool.map(work, [0, 2, 1, 4])
    assert all(labels == before[0] for labels in before + after)
    assert work(2) == before[0]
    print("done")
"""


@pytest.mark.parametrize("method", ["exact", "jaccard", "minhash"])
def test_forked_process_gives_the_same_result_and_does_not_hang(method):
    done = subprocess.run(
        [sys.executable, "-c", FORK.replace("METHOD", method)], capture_output=True, text=True, timeout=600, check=False
    )
    assert done.stdout == "done\n", done.stderr


THREADS = """
import threading
import neardup

texts = ["save the whales now and for ever and ever", "save the whales now and for ever and EVER!", "other"] * 500
found = []

def work():
    found.append(neardup.find(texts, method="jaccard", threads=2).labels.tolist())

workers = [threading.Thread(target=work) for _ in range(6)]
for worker in workers:
    worker.start()
for worker in workers:
    worker.join()
assert len(found) == 6 and all(labels == found[0] for labels in found)
print("done")
"""


def test_several_threads_can_search_at_once():
    done = subprocess.run([sys.executable, "-c", THREADS], capture_output=True, text=True, timeout=600, check=False)
    assert done.stdout == "done\n", done.stderr
