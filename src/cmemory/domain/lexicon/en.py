"""English words that carry no topic of their own."""

from __future__ import annotations

#: Words that stand in almost any sentence, question words and contractions among them (apostrophes removed).
STOP_WORDS = frozenset(
    # articles, pronouns, pointers
    "a an the i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers "
    "herself it its itself they them their theirs themselves this that these those here there one ones some any each every all "
    "both few many much more most other another such none nothing something anything everything someone anyone everyone "
    # being, having, doing, being able
    "be am is are was were been being have has had having do does did doing done can could may might must shall should will would "
    "im ive id ill youre youve youd youll hes shes its were weve wed theyre theyve theyd isnt arent wasnt werent havent hasnt hadnt "
    "dont doesnt didnt cant couldnt wont wouldnt shouldnt lets thats theres whats gonna wanna gotta "
    # linking
    "and or but nor so yet if then than because while although though unless until as of at by for with without about against "
    "between into through during before after above below to from up down in out on off over under again further once per via "
    # asking
    "what which who whom whose when where why how whether "
    # degree and manner
    "not no yes ok okay very too just only also even still already really quite rather pretty almost always never often sometimes "
    "ever maybe perhaps actually well please thanks thank sorry "
    # time in general
    "now today tomorrow yesterday tonight soon later recently lately "
    # verbs that carry no topic
    "get gets got getting go goes going went gone come comes came make makes made take takes took give gives gave let say says said "
    "tell tells told talk talks talking think thinks thought know knows knew want wants wanted need needs needed like likes liked "
    "feel feels felt look looks looking see sees saw seen try tries tried use uses used mean means keep keeps kept seem seems "
    # things in general
    "thing things stuff way ways lot lots bit kind sort time times day days week weeks month months year years user people person "
    "good great nice bad new old big little hey hello hi hmm haha oh wow yeah".split()
)
