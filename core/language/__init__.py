"""What a language is made of, as far as Vantage knows it: months, weekdays, stop words, numbers, units, stems and inflections.

The words stand in `data/<language>/<topic>.toml`, one folder for each ISO 639-1 code; the modules say what they are for. Nothing else in Vantage
lists words of these kinds: `docs/add-a-language.md`.
"""
