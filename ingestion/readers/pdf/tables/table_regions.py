"""Places of tables without ruled cells on a page: between horizontal rules, in runs of divided lines, in one text column of the page."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter

from ingestion.readers.pdf.tables.columns import column_gaps
from ingestion.readers.pdf.tables.lattice import distinct_values
from ingestion.readers.pdf.tables.table_model import PageWord, Rule, WordLine
from ingestion.readers.pdf.tables.text_segments import is_note, is_numeric, is_prose, is_wordy, line_of, opens_note

_MIDDLE = attrgetter("middle")
_SHORTEST_FRAME = 90.0  # points
_EQUAL_ENDS = 6.0
_INDENTED = 0.15
_LOOSE = 2.3  # em: more white space than this above a line ends a run of lines
_LOOSEST = 6.0  # em: the same for lines that stand in the same columns
_NEAREST = 5
_HANGING = 2
_COLUMNS_OF_ONE_ROW = 4
_WORDS_OF_NAME = 5
_COVERED = 0.33  # of a line's height
_SHORTEST_RUN = 3
_MOST_BETWEEN, _MOST_IN_COLUMN = 2, 20
_VOTES = 6  # lines with running text on both sides of a gap that make it one between columns of the page
_APART = 5
_CLOSE = 0.6  # em between lines of one column


@dataclass(frozen=True, slots=True)
class RuleFrame:
    """Horizontal rules with equal ends (`rules` of them, double ones counted once) and the lines between the first and the last."""

    left: float
    right: float
    lines: list[WordLine]
    rules: int


def find_frames(rules: Sequence[Rule], lines: Sequence[WordLine]) -> list[RuleFrame]:
    """Find rules with equal ends that hold divided lines between them, and no running text."""
    found: list[RuleFrame] = []
    used: set[int] = set()
    lines = sorted(lines, key=_MIDDLE)
    for first, rule in enumerate(rules):
        if first in used or rule.length < _SHORTEST_FRAME:
            continue
        equal = [index for index in range(first + 1, len(rules)) if index not in used and _have_same_ends(rule, rules[index])]
        beside = _lines_between(lines, rule, rule.position, rules[equal[-1]].position) if equal else []
        if not _are_divided(beside):
            continue
        beside = _clip_to_rule(rule, beside)
        if not _are_divided(beside):
            continue
        chain = _chain_rules(rules, [first, *equal], beside)
        body = _lines_between(beside, rule, rule.position, rules[chain[-1]].position)
        if len(chain) >= 2 and _are_divided(body):
            found.append(RuleFrame(rule.start, rule.end, body, _count_rules_around(body, [rules[index].position for index in chain])))
            used.update(chain)
    return found


def _are_divided(lines: Sequence[WordLine]) -> bool:
    """Return whether at least two of the lines have several segments."""
    return sum(len(line.segments) > 1 for line in lines) >= 2


def _count_rules_around(body: Sequence[WordLine], places: Sequence[float]) -> int:
    """Count the rules around and between the lines: of those above the first line or below the last (of a running head) one counts."""
    first, last = body[0].middle, body[-1].middle
    return len(distinct_values(at for at in places if first < at < last)) + any(at <= first for at in places) + any(at >= last for at in places)


def _have_same_ends(rule: Rule, other: Rule) -> bool:
    return abs(other.start - rule.start) <= _EQUAL_ENDS and abs(other.end - rule.end) <= _EQUAL_ENDS


def _chain_rules(rules: Sequence[Rule], indices: Sequence[int], lines: Sequence[WordLine]) -> list[int]:
    """Return those of the rules that go on with the frame that the first one opens, up to running text."""
    first = rules[indices[0]]
    chain = [indices[0]]
    for index in indices[1:]:
        between = _lines_between(lines, first, rules[chain[-1]].position, rules[index].position)
        if _is_running_text(between, first):
            break
        if len(chain) > 1 and between and all(len(line.segments) == 1 for line in between):
            below = _lines_between(lines, first, rules[index].position, rules[indices[-1]].position)
            if _has_other_columns(_lines_between(lines, first, first.position, rules[chain[-1]].position), below):
                break
        chain.append(index)
    return chain


def _lines_between(lines: Sequence[WordLine], rule: Rule, top: float, bottom: float) -> list[WordLine]:
    """Return those of the lines, which stand in order, between two heights and (partly) above or below the rule."""
    first, end = bisect_right(lines, top - 1, key=_MIDDLE), bisect_left(lines, bottom + 1, key=_MIDDLE)
    left, right = rule.start - 2, rule.end + 2
    return [line for line in lines[first:end] if line.right > left and line.left < right]


def _is_running_text(lines: Sequence[WordLine], rule: Rule) -> bool:
    """Return whether a line is running text, or a caption: no part of a table. A line that begins well inside the frame is one of a column's."""
    whole = [line for line in lines if len(line.segments) == 1 and line.left < rule.start + _INDENTED * rule.length]
    if sum(map(is_prose, whole)) > 0.3 * len(lines):
        return True
    if len(lines) > 4 and len(whole) > 0.6 * len(lines):
        return True
    return any(map(is_note, whole))


def _clip_to_rule(rule: Rule, lines: Sequence[WordLine]) -> list[WordLine]:
    """Return the lines; where running text stands beside the rule, only their words above or below it."""
    beside = [part for line in lines for part in line.segments if part.right < rule.start - 3 or part.left > rule.end + 3]
    if not beside or sum(map(is_wordy, beside)) <= 0.5 * len(beside):
        return list(lines)
    cut = [[word for word in line.words if word.right > rule.start - 3 and word.left < rule.end + 3] for line in lines]
    return sorted([line_of(words) for words in cut if words], key=_MIDDLE)


def find_runs(lines: Sequence[WordLine]) -> Iterator[list[WordLine]]:
    """Find runs of divided lines, with up to two undivided ones together between them, more where they go on with the last column."""
    run: list[WordLine] = []
    waiting: list[WordLine] = []
    before: WordLine | None = None
    for index, line in enumerate(lines):
        loose = before is not None and _is_loose(before, line, run)
        divided = len(line.segments) > 1
        most = _MOST_IN_COLUMN if run and all(_stands_in_last_column(run, each) for each in (*waiting, line)) else _MOST_BETWEEN
        ends = not divided and (is_prose(line) or len(waiting) >= most or opens_note(line))
        if run and (loose or ends):
            yield from _split_by_columns([*run, *_lines_that_hang(run, waiting)])
            run, waiting = [], []
        if divided:
            run, waiting = [*(run or _headings_above(line, lines[:index])), *waiting, line], []
        elif run:
            waiting.append(line)
        before = line
    yield from _split_by_columns([*run, *_lines_that_hang(run, waiting)])


def _lines_that_hang(run: Sequence[WordLine], waiting: Sequence[WordLine]) -> Sequence[WordLine]:
    """Return the undivided lines behind a run that go on with its last row, as others within it do that begin in the same place."""
    lefts = [line.left for line in run if len(line.segments) == 1]
    hanging = [line for line in waiting if sum(abs(line.left - left) < 1 for left in lefts) >= _HANGING and line.left > run[-1].segments[0].right]
    return hanging if len(hanging) == len(waiting) else []


def _stands_in_last_column(run: Sequence[WordLine], line: WordLine) -> bool:
    """Return whether an undivided line begins in the last column of a run of at least three."""
    last = next((before.segments for before in reversed(run) if len(before.segments) > 1), [])
    return len(last) > 2 and line.left > last[-1].left - 0.5 * line.size and last[-2].right < line.left


def _headings_above(first: WordLine, lines: Sequence[WordLine]) -> list[WordLine]:
    """Return undivided lines right above the first divided one that stand over its columns behind the first: a heading over several."""
    above: list[WordLine] = []
    below = first
    for line in reversed(lines[-2:]):
        behind = line.left > first.segments[0].right and line.right < first.right + first.size
        if len(line.segments) > 1 or not behind or below.top - line.bottom > 0.8 * line.size:
            break
        above.insert(0, line)
        below = line
    return above


def _is_loose(before: WordLine, line: WordLine, run: Sequence[WordLine]) -> bool:
    """Return whether the white space above a line ends the run: wide, and wider still where the line stands in the columns of the run's last."""
    space = (line.top - before.bottom) / max(4.0, line.size)
    return space > _LOOSE and (space > _LOOSEST or not run or not _are_aligned(run[-1], line))


def _are_aligned(one: WordLine, other: WordLine) -> bool:
    """Return whether two divided lines have most of their segments above one another: their left sides, right sides or middles."""
    fewer = min(len(one.segments), len(other.segments))
    near = 0.4 * one.size
    if fewer < 3 or len(one.segments) != len(other.segments):
        return False
    above = zip(one.segments, other.segments, strict=True)
    return sum(min(abs(a.left - b.left), abs(a.right - b.right), abs(a.middle - b.middle)) < near for a, b in above) >= 0.7 * fewer


def _split_by_columns(run: Sequence[WordLine]) -> Iterator[list[WordLine]]:
    """Yield the run in parts that share their columns: below a title between two lines of it another table may begin."""
    parts: list[list[WordLine]] = [[]]
    for line in run:
        if len(line.segments) == 1 and _is_title(line, parts[-1]):
            parts.append([])
        parts[-1].append(line)
    joined: list[list[WordLine]] = []
    for part in parts:
        if joined and not _has_other_columns(joined[-1], part):
            joined[-1] += part
        else:
            joined.append(part)
    for index, part in enumerate(joined):
        own = part[1:] if index and len(part[0].segments) == 1 and part[0].left < min(line.left for line in part) + part[0].size else part
        if _is_run(own):
            yield own


def _is_title(line: WordLine, above: Sequence[WordLine]) -> bool:
    """Return whether an undivided line may open another table: it begins at the left of the divided lines above, or stands in their middle."""
    divided = [other for other in above if len(other.segments) > 1]
    if not divided:
        return False
    left, right = min(other.left for other in divided), max(other.right for other in divided)
    return line.left < left + 2 * line.size or abs(line.left + line.right - left - right) < 4 * line.size


def _has_other_columns(above: Sequence[WordLine], below: Sequence[WordLine]) -> bool:
    """Return whether more than a third of the gaps of the one part are crossed by the other's rows; of the upper part the last rows count."""
    last = [line for line in above if len(line.segments) > 1][-_NEAREST:]
    return _are_crossed(column_gaps(above), below) or _are_crossed(column_gaps(below), last)


def _are_crossed(gaps: Sequence[float], lines: Sequence[WordLine]) -> bool:
    rows = [line for line in lines if len(line.segments) > 1]
    crossed = sum(sum(any(part.left < gap < part.right for part in line.segments) for line in rows) > 0.3 * len(rows) for gap in gaps)
    return 3 * crossed > len(gaps)


def _is_run(run: Sequence[WordLine]) -> bool:
    return sum(len(line.segments) > 1 for line in run) >= _SHORTEST_RUN or (len(run) == 2 and _names_values(*run))


def _names_values(names: WordLine, values: WordLine) -> bool:
    """Return whether of two lines the upper names what stands right below each of its words: a table of one row."""
    if not len(names.segments) == len(values.segments) >= _COLUMNS_OF_ONE_ROW:
        return False
    texts = [part.text for part in names.segments]
    if len(set(texts)) < len(texts) or any(":" in text or is_numeric(text) for text in texts):
        return False
    above = zip(names.segments, values.segments, strict=True)
    near = 0.4 * names.size
    aligned = all(min(abs(a.left - b.left), abs(a.right - b.right), abs(a.middle - b.middle)) < near for a, b in above)
    figures = sum(is_numeric(part.text) for part in values.segments)
    return aligned and 3 * figures >= len(values.segments) and all(len(part.words) <= _WORDS_OF_NAME for part in names.segments)


def without_overprints(lines: Sequence[WordLine]) -> list[WordLine]:
    """Return the lines without those of running text that are printed over the lines above and below them, as a foot that has no room is."""
    kept = []
    for index, line in enumerate(lines):
        beside = [other for other in lines[max(0, index - 1) : index + 2] if other is not line and len(other.segments) > 1]
        if not (len(line.segments) == 1 and len(line.words) >= _WORDS_OF_NAME and any(_is_over(line, other) for other in beside)):
            kept.append(line)
    return kept


def _is_over(line: WordLine, other: WordLine) -> bool:
    """Return whether a line covers a third of the height of two words of another and more."""
    shared = min(line.bottom, other.bottom) - max(line.top, other.top)
    covered = sum(word.left < line.right and word.right > line.left for word in other.words)
    return shared > _COVERED * min(line.size, other.size) and covered >= 2


# -- text columns of the page ------------------------------------------------------------------------------------------------------------


def split_text_columns(lines: list[WordLine], depth: int = 0) -> list[list[WordLine]]:
    """Cut lines at the gaps between the page's columns of running text; each part is to be read on its own."""
    votes = [
        (index, left.right, right.left)
        for index, line in enumerate(lines)
        for left, right in zip(line.segments, line.segments[1:], strict=False)
        if is_wordy(left) and is_wordy(right)
    ]
    gap = _most_voted_gap(votes)
    if gap is None or depth > 4:
        return [lines]
    parts: list[list[WordLine]] = []
    rest: list[list[WordLine]] = []
    done = 0
    for first, last in _extend_stretches(lines, _stretches(sorted({index for index, left, right in votes if left < gap < right})), gap):
        rest.append(lines[done:first])
        for side in _cut_lines(lines[first : last + 1], gap):
            parts += split_text_columns(side, depth + 1)
        done = last + 1
    rest.append(lines[done:])
    return [part for part in rest if part] + parts


def _most_voted_gap(votes: Sequence[tuple[int, float, float]]) -> float | None:
    """Return the x that lies in most of the gaps."""
    changes = sorted([(left, 0) for _, left, _ in votes] + [(right, 1) for _, _, right in votes], key=lambda change: (change[0], -change[1]))
    best, depth, place = 0, 0, 0.0
    for index, (x, closes) in enumerate(changes):
        depth += -1 if closes else 1
        if depth > best:
            best, place = depth, (x + changes[index + 1][0]) / 2
    return place if best >= _VOTES else None


def _stretches(hits: Sequence[int]) -> list[tuple[int, int]]:
    """Return the lines that voted for a gap, as stretches with at least five of them and at most five lines in between."""
    stretches: list[list[int]] = []
    for index in hits:
        if stretches and index - stretches[-1][-1] <= _APART:
            stretches[-1].append(index)
        else:
            stretches.append([index])
    return [(stretch[0], stretch[-1]) for stretch in stretches if len(stretch) >= _APART]


def _extend_stretches(lines: Sequence[WordLine], stretches: Sequence[tuple[int, int]], gap: float) -> list[tuple[int, int]]:
    """Return the stretches with the lines right above and below that leave the gap free: lists and headings of the same columns."""
    extended: list[tuple[int, int]] = []
    ends = [*(first - 1 for first, _ in stretches[1:]), len(lines) - 1]
    for (start, stop), end in zip(stretches, ends, strict=False):  # where there are no stretches, one end is left over
        first, last = start, stop
        while first > (extended[-1][1] + 1 if extended else 0) and _goes_on_beside(lines[first - 1], lines[first], gap):
            first -= 1
        while last < end and _goes_on_beside(lines[last], lines[last + 1], gap):
            last += 1
        extended.append((first, last))
    return extended


def _goes_on_beside(upper: WordLine, lower: WordLine, gap: float) -> bool:
    """Return whether two lines stand close, and neither runs across the gap."""
    close = lower.top - upper.bottom < _CLOSE * min(upper.size, lower.size)
    return close and not any(part.left < gap < part.right for line in (upper, lower) for part in line.segments)


def _cut_lines(lines: Sequence[WordLine], gap: float) -> tuple[list[WordLine], list[WordLine]]:
    left: list[WordLine] = []
    right: list[WordLine] = []
    for line in lines:
        if any(part.left < gap < part.right for part in line.segments):
            (left if line.right - gap < gap - line.left else right).append(line)
            continue
        for side, words in ((left, _words_within(line, 0.0, gap + 1)), (right, _words_within(line, gap + 1, float("inf")))):
            if words:
                side.append(line_of(words))
    return left, right


def _words_within(line: WordLine, start: float, end: float) -> list[PageWord]:
    return [word for word in line.words if start < word.right <= end]
