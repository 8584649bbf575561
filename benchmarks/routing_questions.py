"""Labelled questions for routing: (question, intent, strategy, style). Styles: terse, polite, clumsy. Written by hand; no rule knows them.

A strategy of "" is not judged (routes that search nothing, or where two are as good). `HELD_OUT` was written after Athena's rules
were last changed.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from core.search import Intent, StrategyName


class Labelled(NamedTuple):
    question: str
    intent: Intent
    strategy: StrategyName | Literal[""]
    style: Literal["terse", "polite", "clumsy"]


_S, _C, _Z, _A = Intent.DOCUMENT_SEARCH, Intent.COMPARISON, Intent.SUMMARIZATION, Intent.ANALYSIS
_G, _M, _N = Intent.GENERAL_KNOWLEDGE, Intent.SYSTEM_META, Intent.CLARIFICATION_NEEDED

QUESTIONS: tuple[Labelled, ...] = (
    # a fact from the documents
    Labelled("notice period lease", _S, "semantic", "terse"),
    Labelled("How much notice must we give?", _S, "semantic", "terse"),
    Labelled("Could you please tell me who signed the supplier agreement with Norvik?", _S, "", "polite"),
    Labelled("whats the deadline for handing in the expense thing", _S, "semantic", "clumsy"),
    Labelled("deductible on our home insurance policy", _S, "", "terse"),
    Labelled("I would like to know what my employment contract says about overtime, please.", _S, "", "polite"),
    Labelled("where does it say in my lease who pays for the boiler", _S, "semantic", "clumsy"),
    Labelled("warranty dishwasher", _S, "semantic", "terse"),
    Labelled("Which supplier delivers the filters for line 3?", _S, "semantic", "terse"),
    Labelled("Would you kindly find out when the fire inspection has to be repeated?", _S, "", "polite"),
    Labelled("um so do we need to like keep the receipts or what", _S, "", "clumsy"),
    Labelled("How many days of leave does an apprentice get?", _S, "semantic", "terse"),
    Labelled("How many documents must the applicant submit?", _S, "semantic", "terse"),
    Labelled("What is the capital requirement for subsidiaries?", _S, "semantic", "terse"),
    Labelled("Who wrote the safety report?", _S, "semantic", "terse"),
    Labelled("what did the auditors say about inventory", _S, "semantic", "clumsy"),
    Labelled("please what is the password policy saying about length", _S, "", "polite"),
    Labelled("Is smoking allowed on the balcony?", _S, "semantic", "terse"),
    Labelled("why was the bridge closed", _S, "semantic", "terse"),
    Labelled("What does the executive summary say about margins?", _S, "semantic", "terse"),
    # exact
    Labelled('"force majeure"', _S, "precise", "terse"),
    Labelled("exact wording clause 8.2", _S, "precise", "terse"),
    Labelled("Please give me the exact wording of the indemnity clause.", _S, "precise", "polite"),
    Labelled("find the file named budget_v3.xlsx", _S, "precise", "terse"),
    Labelled('verbatim text of the "right of first refusal"', _S, "precise", "terse"),
    Labelled("gimme literally the sentence about penalties", _S, "precise", "clumsy"),
    # time
    Labelled("latest price list", _S, "temporal", "terse"),
    Labelled("What is the latest version of the travel rules?", _S, "temporal", "terse"),
    Labelled("Could you show me what changed in the handbook last week?", _S, "temporal", "polite"),
    Labelled("revenue 2023", _S, "temporal", "terse"),
    Labelled("emails from last month about the crane", _S, "temporal", "terse"),
    Labelled("whats the newest thing we got from the landlord", _S, "temporal", "clumsy"),
    Labelled("most recent board decisions", _S, "temporal", "terse"),
    # exploring
    Labelled("anything about heat pumps", _S, "exploratory", "terse"),
    Labelled("documents related to the Halden project", _S, "exploratory", "terse"),
    Labelled("Could you please look for everything connected to the Miller case?", _S, "exploratory", "polite"),
    Labelled("stuff similar to the 2019 water damage", _S, "exploratory", "clumsy"),
    # images
    Labelled("photos of the building site", _S, "", "terse"),
    Labelled("Could you show me the pictures of the roof damage?", _S, "", "polite"),
    Labelled("find screenshots with the error", _S, "", "terse"),
    # comparison
    Labelled("Compare the 2023 and 2024 leases", _C, "", "terse"),
    Labelled("offer A vs offer B", _C, "", "terse"),
    Labelled("What is the difference between the gold and the silver plan?", _C, "", "terse"),
    Labelled("Would you mind comparing the two suppliers' delivery times?", _C, "", "polite"),
    Labelled("whats different between old contract and new contract", _C, "", "clumsy"),
    Labelled("How do the two policies differ on remote work?", _C, "", "terse"),
    Labelled("which one is cheaper the blue pump or the red pump", _C, "", "clumsy"),
    Labelled("put the two quotes side by side please", _C, "", "polite"),
    # summary
    Labelled("summarise the annual report", _Z, "", "terse"),
    Labelled("Could you please give me a short summary of the minutes?", _Z, "", "polite"),
    Labelled("tldr of the merger doc", _Z, "", "clumsy"),
    Labelled("key points of the lease", _Z, "", "terse"),
    Labelled("can u sum up what this study found", _Z, "", "clumsy"),
    Labelled("I need a quick overview of the onboarding guide.", _Z, "", "polite"),
    Labelled("main takeaways from the interview notes", _Z, "", "terse"),
    Labelled("brief me on the Norvik dispute", _Z, "", "terse"),
    # analysis
    Labelled("Analyse the complaints of the last two years", _A, "", "terse"),
    Labelled("trends in energy costs", _A, "", "terse"),
    Labelled("Could you please evaluate the risks in our supplier contracts?", _A, "", "polite"),
    Labelled("What patterns across the incident reports stand out?", _A, "", "terse"),
    Labelled("strengths and weaknesses of the proposal", _A, "", "terse"),
    Labelled("root cause of the delays", _A, "", "terse"),
    Labelled("do me an analysis of the sick days pls", _A, "", "clumsy"),
    # the world
    Labelled("What is the capital of France?", _G, "", "terse"),
    Labelled("capital of peru", _G, "", "terse"),
    Labelled("Who invented the telephone?", _G, "", "terse"),
    Labelled("tell me a joke", _G, "", "terse"),
    Labelled("Could you please write a poem about autumn?", _G, "", "polite"),
    Labelled("12 * 7", _G, "", "terse"),
    Labelled("how do i boil an egg", _G, "", "clumsy"),
    Labelled("whats the weather today", _G, "", "clumsy"),
    Labelled("Would you translate good morning into Spanish?", _G, "", "polite"),
    Labelled("How far is the moon?", _G, "", "terse"),
    # the program and the library
    Labelled("what can you do", _M, "", "terse"),
    Labelled("How many PDFs are indexed?", _M, "", "terse"),
    Labelled("Could you tell me how many documents are in the library, please?", _M, "", "polite"),
    Labelled("list my documents", _M, "", "terse"),
    Labelled("what files u have", _M, "", "clumsy"),
    Labelled("which folders are indexed", _M, "", "terse"),
    Labelled("help", _M, "", "terse"),
    Labelled("hello", _M, "", "terse"),
    Labelled("who are you?", _M, "", "terse"),
    Labelled("how many spreadsheets do i have", _M, "", "clumsy"),
    Labelled("What documents do you have about the lease?", _S, "", "terse"),
    # nothing to search for
    Labelled("it?", _N, "", "terse"),
    Labelled("what about that", _N, "", "clumsy"),
    Labelled("???", _N, "", "terse"),
    Labelled("and this one?", _N, "", "clumsy"),
    Labelled("Could you please tell me more about it?", _N, "", "polite"),
    Labelled("why", _N, "", "terse"),
)

HELD_OUT: tuple[Labelled, ...] = (
    Labelled("parking rules visitors", _S, "semantic", "terse"),
    Labelled("May tenants sublet the flat?", _S, "semantic", "terse"),
    Labelled("hi there, could you check who approved invoice 4471?", _S, "", "polite"),
    Labelled("thing about the alarm code for the warehouse where is it", _S, "", "clumsy"),
    Labelled("I was wondering whether the gym membership can be cancelled early.", _S, "", "polite"),
    Labelled("doctor's letter blood pressure", _S, "", "terse"),
    Labelled("how long does the paint need to dry acc to the datasheet", _S, "semantic", "clumsy"),
    Labelled("Which of the machines failed its safety check?", _S, "semantic", "terse"),
    Labelled("Who is the contact person at the tax office?", _S, "semantic", "terse"),
    Labelled("what does GDPR mean for our newsletter", _S, "semantic", "clumsy"),
    Labelled("How many employees work in the Lyon office?", _S, "semantic", "terse"),
    Labelled("my tax statement net amount", _S, "", "terse"),
    Labelled("what is the meaning of clause 12", _S, "semantic", "terse"),
    Labelled("Please quote exactly what the bylaws say on quorum.", _S, "precise", "polite"),
    Labelled('"best before"', _S, "precise", "terse"),
    Labelled("open the document called site plan B", _S, "precise", "terse"),
    Labelled("recent complaints", _S, "temporal", "terse"),
    Labelled("whats currently the rate for mileage", _S, "temporal", "clumsy"),
    Labelled("Could you tell me which offers arrived yesterday?", _S, "temporal", "polite"),
    Labelled("reports similar to this incident", _S, "exploratory", "terse"),
    Labelled("everything about the Oslo move", _S, "exploratory", "terse"),
    Labelled("pictures from the summer party", _S, "", "terse"),
    Labelled("dig out the photos of the flooded basement pls", _S, "", "clumsy"),
    Labelled("A or B: which is better for a small team?", _C, "", "terse"),
    Labelled("Could you contrast the first draft with the final one?", _C, "", "polite"),
    Labelled("how r the two warranties different", _C, "", "clumsy"),
    Labelled("Norvik versus Halden delivery terms", _C, "", "terse"),
    Labelled("I'd appreciate a comparison of the three bids.", _C, "", "polite"),
    Labelled("gist of yesterday's meeting", _Z, "", "terse"),
    Labelled("Would you be so kind as to summarize chapter four?", _Z, "", "polite"),
    Labelled("just the short version of the audit", _Z, "", "clumsy"),
    Labelled("What are the most important points in the strategy paper?", _Z, "", "terse"),
    Labelled("whats this 80 page thing about in a nutshell", _Z, "", "clumsy"),
    Labelled("assess the financial health of the supplier", _A, "", "terse"),
    Labelled("What can we learn from the failed projects?", _A, "", "terse"),
    Labelled("could u look for trends in the ticket numbers", _A, "", "clumsy"),
    Labelled("I would like you to analyze our spending by category.", _A, "", "polite"),
    Labelled("Who painted the Mona Lisa?", _G, "", "terse"),
    Labelled("Please tell me a short story about a dragon.", _G, "", "polite"),
    Labelled("what time is it in tokyo", _G, "", "clumsy"),
    Labelled("tallest mountain on earth", _G, "", "terse"),
    Labelled("How do I bake sourdough bread?", _G, "", "terse"),
    Labelled("explain black holes like i'm five", _G, "", "clumsy"),
    Labelled("How many emails have you read?", _M, "", "terse"),
    Labelled("Could you let me know what is in my library?", _M, "", "polite"),
    Labelled("wat can u do 4 me", _M, "", "clumsy"),
    Labelled("Which file types can you read?", _M, "", "terse"),
    Labelled("show me all documents", _M, "", "terse"),
    Labelled("tell me about these", _N, "", "clumsy"),
    Labelled("Can you find it for me, please?", _N, "", "polite"),
    Labelled("when?", _N, "", "terse"),
)
