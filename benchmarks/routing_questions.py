"""Labelled questions for routing: (question, intent, strategy, style). Styles: terse, polite, clumsy. Written by hand; no rule knows them.

A strategy of "" is not judged (routes that search nothing, or where two are as good). `HELD_OUT` was written after Athena's rules
were last changed.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from core.search import Intent, StrategyName


class LabelledQuestion(NamedTuple):
    question: str
    intent: Intent
    strategy: StrategyName | Literal[""]
    style: Literal["terse", "polite", "clumsy"]


_S, _C, _Z, _A = Intent.DOCUMENT_SEARCH, Intent.COMPARISON, Intent.SUMMARIZATION, Intent.ANALYSIS
_G, _M, _N = Intent.GENERAL_KNOWLEDGE, Intent.SYSTEM_META, Intent.CLARIFICATION_NEEDED

QUESTIONS: tuple[LabelledQuestion, ...] = (
    # a fact from the documents
    LabelledQuestion("notice period lease", _S, "semantic", "terse"),
    LabelledQuestion("How much notice must we give?", _S, "semantic", "terse"),
    LabelledQuestion("Could you please tell me who signed the supplier agreement with Norvik?", _S, "", "polite"),
    LabelledQuestion("whats the deadline for handing in the expense thing", _S, "semantic", "clumsy"),
    LabelledQuestion("deductible on our home insurance policy", _S, "", "terse"),
    LabelledQuestion("I would like to know what my employment contract says about overtime, please.", _S, "", "polite"),
    LabelledQuestion("where does it say in my lease who pays for the boiler", _S, "semantic", "clumsy"),
    LabelledQuestion("warranty dishwasher", _S, "semantic", "terse"),
    LabelledQuestion("Which supplier delivers the filters for line 3?", _S, "semantic", "terse"),
    LabelledQuestion("Would you kindly find out when the fire inspection has to be repeated?", _S, "", "polite"),
    LabelledQuestion("um so do we need to like keep the receipts or what", _S, "", "clumsy"),
    LabelledQuestion("How many days of leave does an apprentice get?", _S, "semantic", "terse"),
    LabelledQuestion("How many documents must the applicant submit?", _S, "semantic", "terse"),
    LabelledQuestion("What is the capital requirement for subsidiaries?", _S, "semantic", "terse"),
    LabelledQuestion("Who wrote the safety report?", _S, "semantic", "terse"),
    LabelledQuestion("what did the auditors say about inventory", _S, "semantic", "clumsy"),
    LabelledQuestion("please what is the password policy saying about length", _S, "", "polite"),
    LabelledQuestion("Is smoking allowed on the balcony?", _S, "semantic", "terse"),
    LabelledQuestion("why was the bridge closed", _S, "semantic", "terse"),
    LabelledQuestion("What does the executive summary say about margins?", _S, "semantic", "terse"),
    # exact
    LabelledQuestion('"force majeure"', _S, "precise", "terse"),
    LabelledQuestion("exact wording clause 8.2", _S, "precise", "terse"),
    LabelledQuestion("Please give me the exact wording of the indemnity clause.", _S, "precise", "polite"),
    LabelledQuestion("find the file named budget_v3.xlsx", _S, "precise", "terse"),
    LabelledQuestion('verbatim text of the "right of first refusal"', _S, "precise", "terse"),
    LabelledQuestion("gimme literally the sentence about penalties", _S, "precise", "clumsy"),
    # time
    LabelledQuestion("latest price list", _S, "temporal", "terse"),
    LabelledQuestion("What is the latest version of the travel rules?", _S, "temporal", "terse"),
    LabelledQuestion("Could you show me what changed in the handbook last week?", _S, "temporal", "polite"),
    LabelledQuestion("revenue 2023", _S, "temporal", "terse"),
    LabelledQuestion("emails from last month about the crane", _S, "temporal", "terse"),
    LabelledQuestion("whats the newest thing we got from the landlord", _S, "temporal", "clumsy"),
    LabelledQuestion("most recent board decisions", _S, "temporal", "terse"),
    # exploring
    LabelledQuestion("anything about heat pumps", _S, "exploratory", "terse"),
    LabelledQuestion("documents related to the Halden project", _S, "exploratory", "terse"),
    LabelledQuestion("Could you please look for everything connected to the Miller case?", _S, "exploratory", "polite"),
    LabelledQuestion("stuff similar to the 2019 water damage", _S, "exploratory", "clumsy"),
    # images
    LabelledQuestion("photos of the building site", _S, "", "terse"),
    LabelledQuestion("Could you show me the pictures of the roof damage?", _S, "", "polite"),
    LabelledQuestion("find screenshots with the error", _S, "", "terse"),
    # comparison
    LabelledQuestion("Compare the 2023 and 2024 leases", _C, "", "terse"),
    LabelledQuestion("offer A vs offer B", _C, "", "terse"),
    LabelledQuestion("What is the difference between the gold and the silver plan?", _C, "", "terse"),
    LabelledQuestion("Would you mind comparing the two suppliers' delivery times?", _C, "", "polite"),
    LabelledQuestion("whats different between old contract and new contract", _C, "", "clumsy"),
    LabelledQuestion("How do the two policies differ on remote work?", _C, "", "terse"),
    LabelledQuestion("which one is cheaper the blue pump or the red pump", _C, "", "clumsy"),
    LabelledQuestion("put the two quotes side by side please", _C, "", "polite"),
    # summary
    LabelledQuestion("summarise the annual report", _Z, "", "terse"),
    LabelledQuestion("Could you please give me a short summary of the minutes?", _Z, "", "polite"),
    LabelledQuestion("tldr of the merger doc", _Z, "", "clumsy"),
    LabelledQuestion("key points of the lease", _Z, "", "terse"),
    LabelledQuestion("can u sum up what this study found", _Z, "", "clumsy"),
    LabelledQuestion("I need a quick overview of the onboarding guide.", _Z, "", "polite"),
    LabelledQuestion("main takeaways from the interview notes", _Z, "", "terse"),
    LabelledQuestion("brief me on the Norvik dispute", _Z, "", "terse"),
    # analysis
    LabelledQuestion("Analyse the complaints of the last two years", _A, "", "terse"),
    LabelledQuestion("trends in energy costs", _A, "", "terse"),
    LabelledQuestion("Could you please evaluate the risks in our supplier contracts?", _A, "", "polite"),
    LabelledQuestion("What patterns across the incident reports stand out?", _A, "", "terse"),
    LabelledQuestion("strengths and weaknesses of the proposal", _A, "", "terse"),
    LabelledQuestion("root cause of the delays", _A, "", "terse"),
    LabelledQuestion("do me an analysis of the sick days pls", _A, "", "clumsy"),
    # the world
    LabelledQuestion("What is the capital of France?", _G, "", "terse"),
    LabelledQuestion("capital of peru", _G, "", "terse"),
    LabelledQuestion("Who invented the telephone?", _G, "", "terse"),
    LabelledQuestion("tell me a joke", _G, "", "terse"),
    LabelledQuestion("Could you please write a poem about autumn?", _G, "", "polite"),
    LabelledQuestion("12 * 7", _G, "", "terse"),
    LabelledQuestion("how do i boil an egg", _G, "", "clumsy"),
    LabelledQuestion("whats the weather today", _G, "", "clumsy"),
    LabelledQuestion("Would you translate good morning into Spanish?", _G, "", "polite"),
    LabelledQuestion("How far is the moon?", _G, "", "terse"),
    # the program and the library
    LabelledQuestion("what can you do", _M, "", "terse"),
    LabelledQuestion("How many PDFs are indexed?", _M, "", "terse"),
    LabelledQuestion("Could you tell me how many documents are in the library, please?", _M, "", "polite"),
    LabelledQuestion("list my documents", _M, "", "terse"),
    LabelledQuestion("what files u have", _M, "", "clumsy"),
    LabelledQuestion("which folders are indexed", _M, "", "terse"),
    LabelledQuestion("help", _M, "", "terse"),
    LabelledQuestion("hello", _M, "", "terse"),
    LabelledQuestion("who are you?", _M, "", "terse"),
    LabelledQuestion("how many spreadsheets do i have", _M, "", "clumsy"),
    LabelledQuestion("What documents do you have about the lease?", _S, "", "terse"),
    # nothing to search for
    LabelledQuestion("it?", _N, "", "terse"),
    LabelledQuestion("what about that", _N, "", "clumsy"),
    LabelledQuestion("???", _N, "", "terse"),
    LabelledQuestion("and this one?", _N, "", "clumsy"),
    LabelledQuestion("Could you please tell me more about it?", _N, "", "polite"),
    LabelledQuestion("why", _N, "", "terse"),
)

HELD_OUT: tuple[LabelledQuestion, ...] = (
    LabelledQuestion("parking rules visitors", _S, "semantic", "terse"),
    LabelledQuestion("May tenants sublet the flat?", _S, "semantic", "terse"),
    LabelledQuestion("hi there, could you check who approved invoice 4471?", _S, "", "polite"),
    LabelledQuestion("thing about the alarm code for the warehouse where is it", _S, "", "clumsy"),
    LabelledQuestion("I was wondering whether the gym membership can be cancelled early.", _S, "", "polite"),
    LabelledQuestion("doctor's letter blood pressure", _S, "", "terse"),
    LabelledQuestion("how long does the paint need to dry acc to the datasheet", _S, "semantic", "clumsy"),
    LabelledQuestion("Which of the machines failed its safety check?", _S, "semantic", "terse"),
    LabelledQuestion("Who is the contact person at the tax office?", _S, "semantic", "terse"),
    LabelledQuestion("what does GDPR mean for our newsletter", _S, "semantic", "clumsy"),
    LabelledQuestion("How many employees work in the Lyon office?", _S, "semantic", "terse"),
    LabelledQuestion("my tax statement net amount", _S, "", "terse"),
    LabelledQuestion("what is the meaning of clause 12", _S, "semantic", "terse"),
    LabelledQuestion("Please quote exactly what the bylaws say on quorum.", _S, "precise", "polite"),
    LabelledQuestion('"best before"', _S, "precise", "terse"),
    LabelledQuestion("open the document called site plan B", _S, "precise", "terse"),
    LabelledQuestion("recent complaints", _S, "temporal", "terse"),
    LabelledQuestion("whats currently the rate for mileage", _S, "temporal", "clumsy"),
    LabelledQuestion("Could you tell me which offers arrived yesterday?", _S, "temporal", "polite"),
    LabelledQuestion("reports similar to this incident", _S, "exploratory", "terse"),
    LabelledQuestion("everything about the Oslo move", _S, "exploratory", "terse"),
    LabelledQuestion("pictures from the summer party", _S, "", "terse"),
    LabelledQuestion("dig out the photos of the flooded basement pls", _S, "", "clumsy"),
    LabelledQuestion("A or B: which is better for a small team?", _C, "", "terse"),
    LabelledQuestion("Could you contrast the first draft with the final one?", _C, "", "polite"),
    LabelledQuestion("how r the two warranties different", _C, "", "clumsy"),
    LabelledQuestion("Norvik versus Halden delivery terms", _C, "", "terse"),
    LabelledQuestion("I'd appreciate a comparison of the three bids.", _C, "", "polite"),
    LabelledQuestion("gist of yesterday's meeting", _Z, "", "terse"),
    LabelledQuestion("Would you be so kind as to summarize chapter four?", _Z, "", "polite"),
    LabelledQuestion("just the short version of the audit", _Z, "", "clumsy"),
    LabelledQuestion("What are the most important points in the strategy paper?", _Z, "", "terse"),
    LabelledQuestion("whats this 80 page thing about in a nutshell", _Z, "", "clumsy"),
    LabelledQuestion("assess the financial health of the supplier", _A, "", "terse"),
    LabelledQuestion("What can we learn from the failed projects?", _A, "", "terse"),
    LabelledQuestion("could u look for trends in the ticket numbers", _A, "", "clumsy"),
    LabelledQuestion("I would like you to analyze our spending by category.", _A, "", "polite"),
    LabelledQuestion("Who painted the Mona Lisa?", _G, "", "terse"),
    LabelledQuestion("Please tell me a short story about a dragon.", _G, "", "polite"),
    LabelledQuestion("what time is it in tokyo", _G, "", "clumsy"),
    LabelledQuestion("tallest mountain on earth", _G, "", "terse"),
    LabelledQuestion("How do I bake sourdough bread?", _G, "", "terse"),
    LabelledQuestion("explain black holes like i'm five", _G, "", "clumsy"),
    LabelledQuestion("How many emails have you read?", _M, "", "terse"),
    LabelledQuestion("Could you let me know what is in my library?", _M, "", "polite"),
    LabelledQuestion("wat can u do 4 me", _M, "", "clumsy"),
    LabelledQuestion("Which file types can you read?", _M, "", "terse"),
    LabelledQuestion("show me all documents", _M, "", "terse"),
    LabelledQuestion("tell me about these", _N, "", "clumsy"),
    LabelledQuestion("Can you find it for me, please?", _N, "", "polite"),
    LabelledQuestion("when?", _N, "", "terse"),
)
