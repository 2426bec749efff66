"""English words by which the adaptive window reads what was said; `docs/explanation/adaptive-window.md` says for what.

All are matched as whole words in any case, and a word ends at anything but an ASCII letter, digit or underscore: a
Chinese character beside it is no part of it.
"""

from __future__ import annotations

#: Words that make a text weigh more.
SIGNALS = tuple("remember must requirement decision decided error fix path deadline constraint".split())

POSITIVE = tuple("thank thanks great good love happy success work works".split())
NEGATIVE = tuple("bad hate angry sad fail failed failure broken wrong frustrated frustrating".split())
URGENT = tuple("urgent asap immediately deadline must".split())

#: What orders an output, and how such an order goes on: "reply only", "return as".
ORDERS = tuple("reply respond output return".split())
MANNERS = tuple("only exactly with as in ack json".split())
#: What may follow "only" or "do not" where an order ends a text.
ONLY_ORDERS = tuple("output reply respond return".split())
DO_NOT = ("guess", "repeat", "summarise", "summarize", "use tools")

#: Words that say nothing of what a text is about.
FILLERS = tuple(
    "please recall remember retrieve earliest previous original agreement agreed output return json what which where "
    "when how the a an of for and or is was are were we our my to in".split()
)
#: Words that stand for one another.
SAME = {"storage": "store", "used": "use"}

#: Whole texts that only acknowledge.
RECEIVED = ("ack", "ok", "okay", "thanks", "thank you", "received", "acknowledged", "got it")

#: How a question or a request for something remembered begins.
ASKING = ("recall", "retrieve", "tell me", "what", "which", "where", "when", "how")
#: A beginning of these is an exclamation or a clause of time, not a question.
NOT_ASKING = ("what a", "what an", "when i was", "when we were")

#: Words of what is not settled. "may" counts only where it is no month.
UNSETTLED = (
    *"might perhaps possibly later consider considering".split(),
    *("plan to", "planning to", "intend to", "intending to"),
)

#: Words that name nothing in particular, though they may be capitalised; the second line are those that begin a question.
UNNAMED = frozenset(
    (
        "a an and are current database do for history how is json me memory now of only original please port previous "
        "project reply return service store tell the value was what when where which with "
        "who whom whose why can could does did will would should shall may might must has have had am were been "
        "its it's i i'm i'd i've i'll you your my our his her their this that these those there here if but not yes any "
        "let remind recall remember give find show know"
    ).split()
)
#: Those of the first line alone: what the original left out.
UNNAMED_ORIGINALLY = frozenset(
    "a an and are current database do for history how is json me memory now of only original please port previous "
    "project reply return service store tell the value was what when where which with".split()
)

#: Words that ask for what held earlier. The original also took any "before" for one.
FORMERLY = (
    *"history historical original originally previous previously".split(),
    "used to",
    "changed from",
    "old value",
)
FORMERLY_ORIGINALLY = (*FORMERLY, "before")
