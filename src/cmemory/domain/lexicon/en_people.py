"""English words for the people in somebody's life."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType


def _by_word(groups: Mapping[str, str]) -> Mapping[str, str]:
    words = {word.strip(): token for token, listed in groups.items() for word in listed.split(",")}
    return MappingProxyType(words)


#: Relation word to the token of ``person.relation_label``. Words that name many people at once are left out.
RELATIONS: Mapping[str, str] = _by_word(
    {
        ("partner"): (
            "partner, boyfriend, girlfriend, bf, gf, fiancé, fiancée, fiance, fiancee, significant other"
        ),
        "spouse": "husband, wife, spouse, hubby",
        ("parent"): (
            "mother, mom, mum, mommy, mummy, mama, father, dad, daddy, papa, stepmother, stepmom, "
            "stepmum, stepfather, stepdad"
        ),
        ("child"): (
            "son, daughter, kid, child, stepson, stepdaughter, little boy, little girl, baby boy, baby girl"
        ),
        ("sibling"): (
            "sister, brother, little sister, little brother, big sister, big brother, younger sister, "
            "younger brother, "
            "older sister, older brother, elder sister, elder brother, baby sister, baby brother, twin "
            "sister, twin brother, "
            "half sister, half brother, half-sister, half-brother, stepsister, stepbrother, twin, "
            "sibling, sis, bro"
        ),
        "friend": "friend, buddy, pal, close friend, old friend, good friend, childhood friend, pen pal",
        "best_friend": "best friend, bestie, best mate, bff",
        "colleague": "colleague, coworker, co-worker, workmate, teammate",
        "manager": "boss, manager, supervisor, line manager, team lead",
        ("ex_partner"): (
            "ex, ex-boyfriend, ex-girlfriend, ex boyfriend, ex girlfriend, ex-husband, ex-wife, ex "
            "husband, ex wife, ex-partner"
        ),
        "therapist": "therapist, counselor, counsellor, psychologist, psychiatrist, shrink",
        ("pet"): (
            "dog, cat, puppy, kitten, kitty, pup, rabbit, bunny, hamster, parrot, horse, pony, tortoise, "
            "turtle, "
            "guinea pig, goldfish, ferret, pet, pet dog, pet cat, parakeet, budgie, gecko, snake, "
            "bearded dragon"
        ),
        ("other"): (
            "roommate, flatmate, housemate, neighbor, neighbour, landlord, landlady, grandmother, "
            "grandma, granny, nana, "
            "grandfather, grandpa, granddad, grandad, aunt, auntie, uncle, cousin, niece, nephew, "
            "grandson, granddaughter, "
            "mother-in-law, father-in-law, sister-in-law, brother-in-law, mentor, teacher, tutor, coach, "
            "doctor, godmother, "
            "godfather, goddaughter, godson"
        ),
    }
)

#: Names that pets, not people, answer to are still names; these capitalised words never are.
NOT_NAMES = frozenset(
    # days, months, feasts
    "monday tuesday wednesday thursday friday saturday sunday january february march april june july "
    "august september "
    "october november december christmas easter halloween thanksgiving "
    "chinese english french german spanish italian portuguese japanese korean russian american "
    "british irish scottish welsh "
    "dutch belgian swiss austrian polish czech slovak hungarian romanian bulgarian greek turkish "
    "arab arabic israeli iranian "
    "indian pakistani bangladeshi thai vietnamese filipino filipina malaysian indonesian australian "
    "canadian mexican brazilian "
    "argentinian argentine chilean colombian peruvian cuban african nigerian kenyan ghanaian "
    "egyptian ethiopian moroccan swedish "
    "norwegian danish finnish icelandic estonian latvian lithuanian ukrainian european asian latino "
    "latina hispanic black white "
    "jewish muslim christian catholic buddhist hindu protestant sikh atheist mormon "
    "i im ive me you he she it we they this that these those there here my your his her its our "
    "their who what when where why how "
    "which yes no ok okay sure sorry thanks thank please well so and but or not also just very "
    "really too a an the in on at of to for "
    "from with by as if then than still always never now today tomorrow yesterday hello hi hey bye "
    "god jesus lol omg haha oh ah ugh wow hm hmm um yeah yep nope anyway btw actually "
    "is was are were be been has have had does did do will would can could should may might must "
    "later anytime maybe crazy stupid old-fashioned lazy whatever anything names out soon babe baby "
    "honey sweetie darling dear sir tonight weird cynical paranoid biased boring collect asap "
    "sometime whenever immediately directly silly dumb nuts mad insane "
    "back done ready fine good great okay happy sad tired bored hungry late early home here there "
    "busy free sick ill well better "
    "new old single married divorced engaged pregnant gay straight lesbian bi bisexual trans "
    "nonbinary queer vegan vegetarian "
    "glad excited nervous afraid scared stuck lost confused curious serious kidding joking going "
    "trying looking working learning "
    "feeling thinking having getting being doing making sitting lying living studying writing "
    "reading waiting talking "
    "dr mr mrs ms prof mom mum dad sis bro dude man guys everyone ai bot chatbot siri alexa chatgpt "
    "gpt doctor teacher student nurse engineer "
    "adhd ocd ptsd autistic infp infj intj intp enfp enfj entj entp istj isfj istp isfp estj esfj "
    "estp esfp".split()
)

#: Roles that are said with "I'm a …" and are no work.
ROLES = frozenset(
    "mother mom mum father dad parent stepmother stepmom stepfather stepdad grandmother grandma "
    "grandfather grandpa "
    "caregiver carer volunteer godmother godfather twin widow widower newlywed homeowner "
    "captain treasurer chairwoman chairman chairperson".split()
)

#: Relations worth keeping without a name.
LASTING_RELATIONS = frozenset({"partner", "spouse", "parent", "child", "sibling", "best_friend", "pet"})

#: Plural to the relation word, for lists of names.
PLURALS: Mapping[str, str] = MappingProxyType(
    {
        **{
            (f"{word}s"): word
            for word in (
                "cat",
                "dog",
                "son",
                "daughter",
                "brother",
                "sister",
                "kid",
                "rabbit",
                "friend",
                "cousin",
            )
        },
        "children": "child",
        "best friends": "best friend",
        "puppies": "puppy",
        "kittens": "kitten",
    }
)

#: What two people say they are: the kind of bond, and the relation it makes.
BONDS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "dating": ("romantic", "partner"),
        "seeing": ("romantic", "partner"),
        "a couple": ("romantic", "partner"),
        "together": ("romantic", "partner"),
        "engaged": ("romantic", "partner"),
        "engaged to": ("romantic", "partner"),
        "married": ("romantic", "spouse"),
        "married to": ("romantic", "spouse"),
        "best friends": ("friend", "best_friend"),
        "good friends": ("friend", "friend"),
        "close friends": ("friend", "friend"),
        "friends": ("friend", "friend"),
        "colleagues": ("professional", "colleague"),
        "coworkers": ("professional", "colleague"),
        "siblings": ("family", "sibling"),
        "roommates": ("acquaintance", "other"),
    }
)
