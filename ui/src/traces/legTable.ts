// The legs of the search. Generated from retrieval/leg_table.py by `python -m scripts.write_legs`: do not edit.
import { mark } from "../text/language";

export const legs = [
  { name: "lexical", short: mark("words"), word: mark("keyword search"), what: mark("no search by exact words") },
  { name: "dense", short: mark("meaning"), word: mark("meaning search"), what: mark("no search by meaning") },
  { name: "graph", short: mark("graph"), word: mark("graph"), what: mark("no related names and terms") },
  { name: "tree", short: mark("tree"), word: mark("tree of summaries"), what: mark("no search through summaries") },
  { name: "multilingual", short: mark("other languages"), word: mark("other languages"), what: mark("no search across languages") },
] as const;
