"""Two small libraries: one that is searched better with other settings than it has, and one for which the settings are the best."""

from __future__ import annotations

import csv
import json
from pathlib import Path

# Long questions about a household matter that end with the two things that are looked for: what the library says of the matter stands in the way.
_MATTERS = (
    ("How do I get a sourdough loaf to rise well", "Sourdough bread rises well when the starter is fed twice on the day before baking.",
     "A loaf of sourdough that will not rise has usually been proved in a cold kitchen.",
     "To get bread to rise, keep the dough at twenty-four degrees for five hours."),
    ("How do I stop the roof of the shed from leaking", "A shed roof stops leaking once the felt is lapped over the eaves.",
     "Leaks in the roof of a shed come from nails that were driven through the felt.",
     "Stop a leaking roof with bitumen tape until the rain is over."),
    ("How should I prune the climbing roses in winter", "Climbing roses are pruned in winter, when their leaves have fallen.",
     "Prune the side shoots of a climbing rose to two buds in January.", "In winter the oldest stem of a climbing rose is cut at the ground."),
    ("How do I adjust the brakes of a bicycle", "The brakes of a bicycle are adjusted at the barrel of the lever.",
     "Adjust bicycle brakes so that the pads touch the rim together.", "A bicycle whose brakes squeal needs its pads turned in by a degree."),
    ("How can I teach the dog not to bark at visitors", "A dog learns not to bark at visitors when it is sent to its basket first.",
     "Teach the dog a word for silence before visitors come.", "Dogs that bark at visitors are often afraid of them."),
    ("How do I thicken a pumpkin soup without cream", "Pumpkin soup is thickened without cream by a boiled potato.",
     "Without cream a pumpkin soup thickens when it is left to simmer.", "Thicken the soup of pumpkin with red lentils."),
)  # fmt: skip
_THINGS = (
    "gusset tallow quoin mullion bodkin sextant thimble hassock plinth ferrule gantry caster trivet spigot dowel grommet cornice lintel mantel "
    "pestle tureen bobbin sconce newel corbel ratchet lanyard mallet trowel skillet ladle hamper wicker velvet "
    "damask brocade gingham muslin taffeta calico"
).split()
# Search by meaning nearly alone, which the matters lead astray.
WITHOUT_WORDS = """search:
  hybrid: {bm25_weight: 0.02, vector_weight: 0.98}
  semantic: {bm25_weight: 0.02, vector_weight: 0.98}
"""
_BIRDS = {
    "heron": ("Where does the heron nest?", "The heron nests in the tops of alders."),
    "swift": ("How long does a swift stay in the air?", "A swift may stay in the air for ten months."),
    "cuckoo": ("Into whose nests does the cuckoo lay?", "The cuckoo lays its eggs into the nests of reed warblers."),
    "dipper": ("What does the dipper eat under water?", "The dipper eats the larvae of caddis flies, which it finds under water."),
    "nuthatch": ("With what does the nuthatch narrow its entrance?", "The nuthatch narrows the entrance of its hole with mud."),
    "wren": ("How many nests does a male wren build?", "A male wren builds up to six nests, of which the female chooses one."),
    "owl": ("Why is the flight of the barn owl silent?", "The flight of the barn owl is silent because its feathers end in a soft fringe."),
    "kestrel": ("How does the kestrel see the traces of voles?", "The kestrel sees the urine of voles, which shines in ultraviolet light."),
    "gannet": ("From what height does the gannet dive?", "The gannet dives from a height of thirty metres."),
    "jay": ("What does the jay hide in autumn?", "In autumn the jay hides thousands of acorns."),
}


def write_household(folder: Path) -> Path:
    """Write the files of the library that other settings suit, and return the CSV file with its questions."""
    files = folder / "household"
    files.mkdir(parents=True)
    for number, (_, *notes) in enumerate(_MATTERS):
        for place, note in enumerate(notes):
            (files / f"matter{number}{place}.txt").write_text(f"{note}\n")
    lines = [["question", "file"]]
    for number, thing in enumerate(_THINGS):
        other = _THINGS[(number * 7 + 3) % len(_THINGS)]
        (files / f"attic{number:02}.txt").write_text(f"The {thing} and the {other} went to the attic.\n")
        lines.append([f"{_MATTERS[number % len(_MATTERS)][0]} with the {thing} by the {other}?", f"attic{number:02}.txt"])
    with (folder / "household.csv").open("w", newline="") as out:
        csv.writer(out).writerows(lines)
    return folder / "household.csv"


def write_birds(folder: Path) -> Path:
    """Write the set whose documents are all found with the defaults, and return its folder."""
    folder.mkdir(parents=True)
    (folder / "corpus.jsonl").write_text("".join(json.dumps({"id": name, "text": told}) + "\n" for name, (_, told) in _BIRDS.items()))
    (folder / "queries.jsonl").write_text("".join(json.dumps({"id": name, "text": asked}) + "\n" for name, (asked, _) in _BIRDS.items()))
    (folder / "qrels.tsv").write_text("query-id\tdoc-id\tgrade\n" + "".join(f"{name}\t{name}\t1\n" for name in _BIRDS))
    return folder
