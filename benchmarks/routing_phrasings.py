"""The same need in three phrasings, terse, polite and clumsy, for every intent and every strategy. Written after the rules of
Athena; Proteus's words that ask outright were given more weight after a first look at them."""

from __future__ import annotations

from typing import Literal, NamedTuple

from benchmarks.routing_questions import LabelledQuestion
from core.search import Intent, StrategyName


class PhrasedNeed(NamedTuple):
    """What a person wants; `strategy` "" is not judged."""

    intent: Intent
    strategy: StrategyName | Literal[""]
    terse: str
    polite: str
    clumsy: str


_S, _C, _Z, _A = Intent.DOCUMENT_SEARCH, Intent.COMPARISON, Intent.SUMMARIZATION, Intent.ANALYSIS
_G, _M, _N = Intent.GENERAL_KNOWLEDGE, Intent.SYSTEM_META, Intent.CLARIFICATION_NEEDED

NEEDS: tuple[PhrasedNeed, ...] = (
    # a fact from the documents
    PhrasedNeed(_S, "semantic", "How often must the filter be changed?", "What does the manual say about changing the filter, please?",
         "how often do u have to swap the filter thingy"),
    PhrasedNeed(_S, "semantic", "Who insures the delivery van?", "Who insures our delivery van, if you would be so kind?",
         "who insures the van the delivery one"),
    PhrasedNeed(_S, "", "travel allowance abroad", "Could you kindly look up the travel allowance for trips abroad?",
         "so that allowance for when u travel abroad idk how much"),
    PhrasedNeed(_S, "", "my pension statement balance", "Would you please tell me the balance on my pension statement?",
         "my pension paper the balance on it"),
    # exact
    PhrasedNeed(_S, "precise", '"gross negligence"', 'Please show me where "gross negligence" is mentioned.',
         'that bit that goes "gross negligence" u know'),
    PhrasedNeed(_S, "precise", "exact wording arbitration clause", "Could you give me the exact wording of the arbitration clause?",
         "arbitration clause word for word pls"),
    PhrasedNeed(_S, "precise", "tariffs_2.pdf", "Could you please open the file named tariffs_2.pdf?", "need tariffs_2.pdf the part w surcharges"),
    # time
    PhrasedNeed(_S, "temporal", "latest safety bulletin", "Could you please find the latest safety bulletin?",
         "the newest of those safety bulletins"),
    PhrasedNeed(_S, "temporal", "complaints last month", "I would like to see the complaints from last month, please.",
         "complaints and such from last month"),
    PhrasedNeed(_S, "temporal", "order book 2022", "Would you please show me the order book of 2022?", "order book thing for 2022"),
    # exploring
    PhrasedNeed(_S, "exploratory", "documents related to the quarry", "Could you look for documents related to the quarry, please?",
         "whatever is connected to the quarry"),
    PhrasedNeed(_S, "exploratory", "everything about the Brandt merger", "Would you please gather everything about the Brandt merger?",
         "gimme anything on the brandt merger"),
    # comparison
    PhrasedNeed(_C, "", "old vs new travel policy", "Could you please compare the old travel policy with the new one?",
         "diff between old n new travel policy, what is it"),
    PhrasedNeed(_C, "", "difference between the two tenders", "Would you kindly explain the difference between the two tenders?",
         "the two tenders whats the difference"),
    # summary
    PhrasedNeed(_Z, "", "summary of the site inspection", "Could you please summarise the site inspection?",
         "sum up that site inspection for me real quick"),
    PhrasedNeed(_Z, "", "key points of the charter", "Would you give me the key points of the charter, please?", "charter, main points only pls"),
    # analysis
    PhrasedNeed(_A, "", "analyse delivery delays", "Could you please analyse the delivery delays?", "can u analyse them delivery delays"),
    PhrasedNeed(_A, "", "patterns in absences", "Would you look for patterns in the absences, please?",
         "are there any patterns or trends w absences"),
    # what no document of ours is asked for
    PhrasedNeed(_G, "", "capital of Mongolia", "Could you please tell me the capital of Mongolia?", "whats the capital of mongolia again"),
    PhrasedNeed(_G, "", "write a limerick", "Would you please write a limerick for me?", "write me a limerick or sth"),
    PhrasedNeed(_M, "", "what can you do", "Could you please tell me what you can do?", "sooo what can u do"),
    PhrasedNeed(_M, "", "How many documents are indexed?", "Could you please tell me how many documents are indexed?", "how many docs u got indexed"),
    PhrasedNeed(_N, "", "that one", "Could you please look at that for me?", "the thing from before"),
    PhrasedNeed(_N, "", "more", "Could you tell me more, please?", "and then what about it"),
)  # fmt: skip

PHRASINGS: tuple[LabelledQuestion, ...] = (
    *(LabelledQuestion(need.terse, need.intent, need.strategy, "terse") for need in NEEDS),
    *(LabelledQuestion(need.polite, need.intent, need.strategy, "polite") for need in NEEDS),
    *(LabelledQuestion(need.clumsy, need.intent, need.strategy, "clumsy") for need in NEEDS),
)
