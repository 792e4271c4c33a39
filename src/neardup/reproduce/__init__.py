"""Reproductions of the four papers, and generated corpora with known answers.

Each study (`durian`, `simfinder`, `concepts`, `conrad`) repeats the experiments of one paper and compares its numbers
with ours. `study.py` defines what a study is, `folder.py` writes its result, `corpora/` generates test collections.
The command line imports this package only when a command needs it.
"""
