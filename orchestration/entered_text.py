"""What a person entered, checked before a run begins or goes on with it."""

from __future__ import annotations

from core.errors import InvalidInput, TooLarge
from core.search_schemas import RunAnswer
from orchestration.state import ClarificationReply


def check_question(text: str, longest: int) -> str:
    """Return the question without control characters. Raises InvalidInput for an empty one, TooLarge for one over the limit."""
    if len(text) > longest:
        raise TooLarge(f"The question has {len(text):,} characters; at most {longest:,} can be asked. Attach long text as a document instead.")
    cleaned = "".join(character if character.isprintable() or character in "\n\t" else " " for character in text).strip()
    if not cleaned:
        raise InvalidInput("The question is empty. Ask something in words.")
    return cleaned


def check_reply(reply: RunAnswer, choices: list[str], longest: int) -> ClarificationReply:
    """Return what was answered. Raises InvalidInput where it is nothing, or a choice that was not offered."""
    if reply.skip:
        return ClarificationReply(skipped=True)
    if reply.choice is not None:
        if reply.choice >= len(choices):
            raise InvalidInput(f"There are {len(choices)} choices, counted from 0; {reply.choice} is none of them.")
        return ClarificationReply(question=choices[reply.choice])
    if reply.text is None:
        raise InvalidInput("Answer with a choice, with words, or with skip.")
    return ClarificationReply(words=check_question(reply.text, longest))
