"""Completion scripts for bash, zsh and fish, made from the parser: what it knows, they know."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field

_FILES = frozenset({"path", "FILE"})  # destinations and metavars that name something on the disk


@dataclass(frozen=True, slots=True)
class Flag:
    """A flag: `names` as they are written, `choices` of its value; `value` is False where it takes none."""

    names: tuple[str, ...]
    text: str
    value: bool
    choices: tuple[str, ...]
    files: bool


@dataclass(slots=True)
class CommandPlace:
    """The words that may follow after `words` ("memory", "show")."""

    words: tuple[str, ...]
    commands: list[tuple[str, str]] = field(default_factory=list)
    flags: list[Flag] = field(default_factory=list)
    choices: tuple[str, ...] = ()
    files: bool = False

    @property
    def key(self) -> str:
        return "".join(f" {word}" for word in self.words)


def completion_script(shell: str, parser: argparse.ArgumentParser) -> str:
    """Return the script for this shell: bash, zsh or fish."""
    places = list(_places(parser, ()))
    match shell:
        case "bash":
            return _bash(places)
        case "zsh":
            return _zsh(places)
        case _:
            return _fish(places)


def _places(parser: argparse.ArgumentParser, words: tuple[str, ...]) -> Iterator[CommandPlace]:
    place = CommandPlace(words)
    inner: list[CommandPlace] = []
    for action in parser._actions:  # argparse has no public way to its actions
        if isinstance(action, argparse._SubParsersAction):
            for help_of in action._choices_actions:
                place.commands.append((help_of.dest, help_of.help or ""))
                inner += _places(action.choices[help_of.dest], (*words, help_of.dest))
        elif action.option_strings:
            place.flags.append(_flag(action))
        else:
            place.choices, place.files = _choices(action), _files(action)
    yield place
    yield from inner


def _flag(action: argparse.Action) -> Flag:
    return Flag(tuple(action.option_strings), action.help or "", action.nargs not in {0, "?"}, _choices(action), _files(action))


def _choices(action: argparse.Action) -> tuple[str, ...]:
    return tuple(str(each) for each in action.choices or ())


def _files(action: argparse.Action) -> bool:
    return action.dest in _FILES or action.metavar in _FILES


def _words(place: CommandPlace) -> str:
    """Return what may be written there, but for files and free text."""
    return " ".join([*(name for name, _ in place.commands), *place.choices, *(name for flag in place.flags for name in flag.names)])


def _patterns(chosen: list[tuple[CommandPlace, str]]) -> str:
    return "|".join(f'"{place.key} {name}"' for place, name in chosen) or '""'


def _case_arms(places: list[CommandPlace], choice: str, files: str, nothing: str) -> Iterator[str]:
    """Yield the arms of a `case "$place $prev"` of POSIX kind for flags that take a value."""
    for place in places:
        for flag in place.flags:
            if flag.value:
                patterns = "|".join(f'"{place.key} {name}"' for name in flag.names)
                yield f"    {patterns}) {choice.format(' '.join(flag.choices)) if flag.choices else files if flag.files else nothing}; return ;;"


_POSIX = """{head}
  local place="" word skip="" i
  for ((i = {first}; i < {current}; i++)); do
    word="${{{array}[i]}}"
    if [[ -n $skip ]]; then skip=""; continue; fi
    case "$place $word" in
      {valued}) skip=1 ;;
      {commands}) place="$place $word" ;;
    esac
  done
  case "$place {previous}" in
{flags}
  esac
  case "$place" in
{places}
  esac
}}
{end}"""


def _posix(known: list[CommandPlace], **shell: str) -> str:
    valued = [(place, name) for place in known for flag in place.flags if flag.value for name in flag.names]
    commands = [(place, name) for place in known for name, _ in place.commands]
    return _POSIX.format(valued=_patterns(valued), commands=_patterns(commands), **shell)


_BASH_HEAD = """# Completion of vantage for bash: eval "$(vantage completion bash)"
_vantage() {
  local cur="${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=()"""


def _bash(places: list[CommandPlace]) -> str:
    choice = 'COMPREPLY=($(compgen -W "{}" -- "$cur"))'
    files = 'compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur"))'
    arms = []
    for place in places:
        more = '; [[ $cur == -* ]] || { compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -f -- "$cur")); }' if place.files else ""
        arms.append(f'    "{place.key}") {choice.format(_words(place))}{more} ;;')
    return _posix(
        places,
        head=_BASH_HEAD,
        first="1",
        current="COMP_CWORD",
        array="COMP_WORDS",
        previous="${COMP_WORDS[COMP_CWORD-1]}",
        flags="\n".join(_case_arms(places, choice, files, ":")),
        places="\n".join(arms),
        end="complete -F _vantage vantage\n",
    )


def _zsh(places: list[CommandPlace]) -> str:
    arms = [f'    "{place.key}") compadd -- {_words(place)}{"; _files" if place.files else ""} ;;' for place in places]
    return _posix(
        places,
        head='#compdef vantage\n# Completion of vantage for zsh: eval "$(vantage completion zsh)" after compinit\n_vantage() {',
        first="2",
        current="CURRENT",
        array="words",
        previous="${words[CURRENT-1]}",
        flags="\n".join(_case_arms(places, "compadd -- {}", "_files", ":")),
        places="\n".join(arms),
        end="compdef _vantage vantage\n",
    )


_FISH = """# Completion of vantage for fish: vantage completion fish | source
function __vantage_place
    set -l place ""
    set -l skip 0
    set -l words (commandline -opc)
    set -e words[1]
    for word in $words
        if test $skip -eq 1
            set skip 0
            continue
        end
        switch "$place $word"
            case {valued}
                set skip 1
            case {commands}
                set place "$place $word"
        end
    end
    echo "$place"
end
complete -c vantage -f
"""


def _fish(places: list[CommandPlace]) -> str:
    valued = [f"{place.key} {name}" for place in places for flag in place.flags if flag.value for name in flag.names]
    commands = [f"{place.key} {name}" for place in places for name, _ in place.commands]
    text = _FISH.format(valued=shlex.join(valued), commands=shlex.join(commands))
    for place in places:
        at = f"complete -c vantage -n 'test (__vantage_place) = \"{place.key}\"'"
        text += "".join(f"{at} -a {name} -d {_quote(said)}\n" for name, said in place.commands)
        text += f"{at} -a {_quote(' '.join(place.choices))}\n" if place.choices else ""
        text += f"{at} -F\n" if place.files else ""
        text += "".join(f"{at} {_fish_flag(flag)}\n" for flag in place.flags)
    return text


def _fish_flag(flag: Flag) -> str:
    names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in flag.names)
    value = f" -x -a {_quote(' '.join(flag.choices))}" if flag.choices else " -r -F" if flag.files else " -x" if flag.value else ""
    return f"{names}{value} -d {_quote(flag.text)}"


def _quote(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
