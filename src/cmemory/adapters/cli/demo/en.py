"""Nora and Luna: five weeks in Leeds. Written by us; nobody in it exists."""

from __future__ import annotations

from cmemory.adapters.cli.demo.script import Ask, Forget, Mute, Say, Scene, Script, Verify, Words

_ACTS = (
    Scene(
        "Week 1 · Getting to know each other",
        "What she states lastingly is kept, her words as proof. Small talk is not.",
    ),
    Say(
        "2026-03-02T18:40",
        "Hi! I'm Nora. I just moved to Leeds and the flat is all boxes.",
        "Hello Nora, welcome to Leeds. Is the kettle unpacked at least?",
    ),
    Say("2026-03-02T18:42", "Kettle, yes. Spoons, no.", "Then we stir with a pen tonight."),
    Say(
        "2026-03-02T18:45",
        "I'm a nurse on a children's ward, so my hours are all over the place.",
        "That sounds like a job that needs a big heart and good shoes.",
    ),
    Say("2026-03-02T18:47", "Please keep your answers short, I read them on the bus.", "Will do."),
    Say(
        "2026-03-04T21:10",
        "My cat is called Biscuit. He hates the new flat.",
        "Poor Biscuit. Give him a week.",
    ),
    Say("2026-03-04T21:12", "Haha, now he is hiding in the laundry basket.", "A fortress of socks."),
    Say("2026-03-07T17:30", "I'm learning the cello. At thirty-four!", "Good. What made you start?"),
    Say(
        "2026-03-07T17:33",
        "An old film, don't laugh. And my audition is on March 28.",
        "Not laughing. Three weeks, then.",
    ),
    Say("2026-03-08T09:15", "I need to water the plants before they die.", "Off you go."),
    Scene(
        "Week 2 · A greeting, a worry, a boundary",
        "A greeting may pick up one small errand. A fenced topic is withheld even while she touches it.",
    ),
    Say("2026-03-10T08:05", "Hi", "Morning, Nora. Did the plants make it?"),
    Say("2026-03-10T08:06", "They're alive. Barely!", "Barely counts."),
    Say("2026-03-10T20:30", "Two kids on the ward asked if my badge makes me a sheriff.", "Does it?"),
    Say(
        "2026-03-11T22:00",
        "I'm waiting for the biopsy results. I haven't told anyone.",
        "Thank you for telling me. I'm here.",
    ),
    Say("2026-03-12T07:40", "Please don't bring up the biopsy unless I do.", "I won't."),
    Say(
        "2026-03-13T19:20",
        "Couldn't sleep. The biopsy is stuck in my head.",
        "I'm here. We can talk about anything, or nothing.",
    ),
    Say(
        "2026-03-15T16:00",
        "An hour of cello today. I sound like a sad goose.",
        "Geese improve. Short bows help.",
    ),
    Scene(
        "Week 3 · Corrections, jokes, and things better not kept",
        "A new value replaces the old, which becomes history. Jokes, maybes, card numbers are not kept.",
    ),
    Say(
        "2026-03-17T21:05",
        "What if I just moved to Lisbon and opened a bakery?",
        "Would Biscuit get pastel de nata?",
    ),
    Say("2026-03-17T21:07", "My name is Batman, just kidding.", "Your secret is safe, Batman."),
    Say("2026-03-18T18:20", "Change of plan: my audition is on April 4.", "One more week to practise."),
    Ask("2026-03-18T18:21", "when is my audition?"),
    Say(
        "2026-03-19T12:10",
        "I have to pay the rent with card 4111 1111 1111 1111 by Friday.",
        "I'd rather not hold on to card numbers.",
    ),
    Say("2026-03-20T22:30", "My ex is called Callum, in case he comes up.", "Noted."),
    Say("2026-03-21T19:00", "I've always wanted to see the northern lights.", "That's a lovely one."),
    Scene(
        "Week 4 · Good news, and silence on request",
        "What she takes back stops counting. What she mutes stays, but is never mentioned.",
    ),
    Say("2026-03-24T10:15", "The biopsy results came back. All clear!", "Oh Nora. I'm so glad."),
    Say("2026-03-24T10:17", "We can talk about the biopsy again.", "Whenever you like."),
    Mute("2026-03-25T20:00", "northern lights"),
    Say(
        "2026-03-25T21:30",
        "There was a film about the northern lights on, I switched it off.",
        "Something else tonight, then.",
    ),
    Say("2026-03-27T23:10", "Callum messaged me again.", "Do you want to answer him?"),
    Say("2026-03-27T23:12", "No. I want him gone from here too.", "Then we make it so."),
    Forget("2026-03-27T23:13", "Callum"),
    Say("2026-03-28T09:30", "My ex is called Callum.", "All right."),
    Verify("2026-03-28T09:32", "Callum"),
    Scene("Week 5 · The day itself"),
    Say("2026-04-03T21:40", "Audition tomorrow. My hands are shaking.", "Short bows. And breathe out first."),
    Say("2026-04-04T18:05", "I got in! Second desk, by the window.", "Second desk! Biscuit must be proud."),
    Say(
        "2026-04-05T10:00",
        "Biscuit slept in the cello case all morning.",
        "He has found his place in the orchestra.",
    ),
)

_WORDS = Words(
    legend={
        "recalled": "what this message gives leave to speak of; the model sees it word for word",
        "in mind": "how much else the model sees, by section of the prompt",
        "silent": "how much it does not see, by reason",
        "kept": "decided after the answer, as replaced, taken back and refused are; never from Luna's words",
    },
    outcomes={
        "accepted": "kept",
        "superseding": "replaced",
        "merged": "known",
        "retracted": "taken back",
        "rejected": "refused",
    },
    reasons={
        "mention_gate_denied": "uncued",
        "muted": "muted",
        "mention_gate": "muted",
        "boundary_policy": "fenced off",
        "prompt_budget": "no room",
        "below_recall_threshold": "too weak",
        "episode_at_rest": "no cue",
        "unopened": "nothing to do",
        "private": "private",
        "opinion": "an opinion",
        "closed_request": "not wanted",
        "other_person": "of others",
        "own_time": "own time",
        "background_at_rest": "background",
        "secret": "it holds a secret",
        "instruction": "it gives orders to a model",
        "resurrection": "it was forgotten and may not come back",
        "nothing_to_retract": "nothing to take back",
        "correction_not_found": "nothing to correct",
        "correction_ambiguous": "unclear what is corrected",
        "outdated": "something newer is known",
    },
    channels={
        "constraints": "limits",
        "identity": "who",
        "responseStyle": "style",
        "continuity": "may ask",
        "topicActivated": "recalled",
        "deepRecall": "background",
    },
    in_mind="in mind",
    silent="silent",
    instead_of="instead of",
    nothing="nothing",
    asked="search",
    muted="mute",
    preview="forget",
    listed="matches",
    erased="confirmed with token {token}…: {records} records erased, {messages} messages deleted or masked",
    clean="“{meaning}”: not one byte left in {files} database file(s), logs and deleted pages included",
    found="found",
    sum=(
        "{messages} messages in {days} days: {counts} · forgotten {erased}. "
        "{believed} facts are believed now, each with the words that prove it."
    ),
)

SCRIPT = Script(
    language="en",
    title="Nora and Luna: five weeks, no model, no network",
    person="Nora",
    companion="Luna",
    zone="Europe/London",
    acts=_ACTS,
    words=_WORDS,
)
