"""How near the English of German questions is to a good wording: `python -m benchmarks.german_wordings [--half judged] [--verbose]`

Of the two hundred questions of tests/support/german_questions.tsv, half to work with and half to judge with: look at the scores of these alone.
"""

from __future__ import annotations

import argparse

from tests.support.german_wordings import read_question, read_wordings, score_wordings, stem_words


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--half", choices=("working", "judged"), default="working")
    parser.add_argument("--verbose", action="store_true", help="print what is not worded as wanted")
    arguments = parser.parse_args()
    pairs = read_wordings(arguments.half)
    for german, english in pairs if arguments.verbose else ():
        read = read_question(german, english)
        if stem_words(read.text) != stem_words(english):
            print(f"{german}\n    {english}\n    {read.text}  {' '.join(read.unknown_words)}")
    known, words, order = score_wordings(pairs)
    print(f"{arguments.half}: {len(pairs)} questions, known {known:.2f}, words {words:.3f}, order {order:.3f}")


if __name__ == "__main__":
    main()
