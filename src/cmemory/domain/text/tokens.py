"""Pieces of a text that can be compared: topics for the mention gate, terms for the index, bags for the window."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from operator import add

from cmemory.domain.lexicon.en import STOP_WORDS
from cmemory.domain.lexicon.en_forms import IRREGULAR
from cmemory.domain.lexicon.zh import FUNCTION_CHARACTERS, GENERIC_PAIRS
from cmemory.domain.pattern import lazy_pattern
from cmemory.domain.text.normal import compact

#: Shortest Latin word that can be a topic; shorter ones are too often parts of something else.
MIN_WORD_CHARS = 3

_SPACE = lazy_pattern(r"\s+")
_CJK_RUN = lazy_pattern(r"[\u3400-\u9fff\uf900-\ufaff]+")
# Latin with its accents, Greek, Cyrillic and digits; apostrophes may stand inside a word.
_WORD = lazy_pattern(r"[0-9a-z\u00df-\u00f6\u00f8-\u024f\u0370-\u03ff\u0400-\u04ff]+(?:['’][a-z]+)*")
_APOSTROPHE = lazy_pattern(r"['’]")
_POSSESSIVE = lazy_pattern(r"['’]s$")
_NOTHING: frozenset[str] = frozenset()
_ALPHANUMERIC_RUN = lazy_pattern(r"[0-9a-z]+|[^\x00-\x7f]+")


def is_cjk(ch: str) -> bool:
    """Tell whether a character is a Chinese one (no kana, no hangul, no full-width punctuation)."""
    return "\u3400" <= ch <= "\u9fff" or "\uf900" <= ch <= "\ufaff"


def count_cjk(text: str) -> int:
    """Return how many Chinese characters a text has."""
    return sum(map(len, _CJK_RUN.findall(text)))


def cjk_characters(text: str) -> frozenset[str]:
    """Return the Chinese characters of a text that are not mere grammar."""
    return frozenset(ch for run in _CJK_RUN.findall(text) for ch in run if ch not in FUNCTION_CHARACTERS)


def topic_pairs(text: str) -> frozenset[str]:
    """Return the adjacent character pairs that can name a topic.

    White space is removed first; punctuation and Latin break a pair; pairs of two function characters and generic
    pairs are dropped.

    >>> sorted(topic_pairs("今天还是在等签证"))
    ['在等', '等签', '签证']
    """
    if text.isascii():
        return _NOTHING
    runs = _CJK_RUN.findall(_SPACE.sub("", text))
    pairs = (pair for run in runs for pair in map(add, run, run[1:]))
    return frozenset(pair for pair in pairs if pair not in GENERIC_PAIRS and not _only_grammar(pair))


def holds_pair(text: str, pairs: Iterable[str]) -> bool:
    """Tell whether any of these topic pairs is one of a text, without cutting the text into its own.

    >>> holds_pair("还在等 签证", {"等签"}), holds_pair("等，签证", {"等签"})
    (True, False)
    """
    squeezed = _SPACE.sub("", text)
    return any(pair in squeezed for pair in pairs)


def _only_grammar(pair: str) -> bool:
    return pair[0] in FUNCTION_CHARACTERS and pair[1] in FUNCTION_CHARACTERS


def topic_words(text: str) -> frozenset[str]:
    """Return the stems of the Latin words that can name a topic: three letters or more, no stop words, no bare numbers.

    >>> sorted(topic_words("I'm still waiting on the cello audition"))
    ['audit', 'cello', 'wait']
    """
    return frozenset(stem(word) for word in words(text) if len(word) >= MIN_WORD_CHARS and not word.isdigit())


def words(text: str) -> list[str]:
    """Return the Latin words of a text in order, lower-cased, without stop words, apostrophes removed."""
    found = _WORD.findall(text.lower())
    if _APOSTROPHE.search(text):
        found = [_APOSTROPHE.sub("", _POSSESSIVE.sub("", word)) for word in found]
    return [word for word in found if word not in STOP_WORDS]


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Return the English stem of a lower-case word; words of other languages pass through nearly unchanged."""
    # Every ending is one of letters, and each number would be a word that was not met before.
    if word.isdigit():
        return word
    # Loading the package loads its thirty languages, so it waits until a Latin word turns up. A stemmer keeps the word
    # it works on in itself, so each call has its own: threads would mix theirs up.
    import snowballstemmer

    stemmed: str = snowballstemmer.stemmer("english").stemWord(word)
    return stemmed


def index_terms(text: str) -> list[str]:
    """Return the terms a text is found by, in order, repeats kept: Latin stems, and Chinese characters and pairs.

    Nothing is filtered by grammar here: which terms matter is the query's affair.
    """
    lowered = text.lower()
    latin = [stem(_APOSTROPHE.sub("", word)) for word in _WORD.findall(lowered)]
    runs = _CJK_RUN.findall(lowered)
    chinese = [run[at : at + size] for run in runs for size in (1, 2) for at in range(len(run) - size + 1)]
    return latin + chinese


def content_terms(text: str) -> list[str]:
    """Return the terms by which what was said is found, in order, repeats kept.

    Latin words as stems, irregular forms under their word, without stop words; Chinese characters and pairs that are
    not mere grammar.

    >>> content_terms("I went and bought a cello"), content_terms("她在养猫")
    (['buy', 'cello'], ['养', '猫', '在养', '养猫'])
    """
    latin = [stem(IRREGULAR.get(word, word)) for word in words(text)]
    runs = _CJK_RUN.findall(text)
    single = [ch for run in runs for ch in run if ch not in FUNCTION_CHARACTERS]
    pairs = (run[at : at + 2] for run in runs for at in range(len(run) - 1))
    return latin + single + [pair for pair in pairs if pair not in GENERIC_PAIRS and not _only_grammar(pair)]


def residue_tokens(text: str) -> frozenset[str]:
    """Return what the leftover scan compares: Latin runs, and overlapping pairs of everything that is not ASCII.

    Full-width punctuation takes part, since the scan looks for repeated wording, not for topics.
    """
    tokens: set[str] = set()
    for run in _ALPHANUMERIC_RUN.findall(text):
        if run[0] < "\x80" or len(run) == 1:
            tokens.add(run)
        else:
            tokens.update(run[at : at + 2] for at in range(len(run) - 1))
    return frozenset(tokens)


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """Return shared over all, 0 to 1; 0 when both are empty."""
    union = len(one | other)
    return len(one & other) / union if union else 0.0


def contains_word(haystack: str, needle: str) -> bool:
    """Tell whether the needle stands in the haystack, Latin edges only at word boundaries. Both lower-cased.

    >>> contains_word("the category", "cat"), contains_word("my cat sleeps", "cat"), contains_word("养了猫咪", "猫咪")
    (False, True, True)
    """
    at = haystack.find(needle)
    while at >= 0:
        if not (_joined(haystack, at) or _joined(haystack, at + len(needle))):
            return True
        at = haystack.find(needle, at + 1)
    return False


def _joined(text: str, at: int) -> bool:
    """Tell whether the place between two characters lies inside a Latin word."""
    if not 0 < at < len(text):
        return False
    return all(ch.isalnum() and not is_cjk(ch) for ch in (text[at - 1], text[at]))


#: Letters, numbers, and the ASCII characters that hold a token together beside them: ``v1.5``, ``a@b.c``, ``/usr/lib``.
TOKEN_RUN = lazy_pattern(r"[\w./:@\\-]+")
#: Joiners that a sentence may put behind its last word. Left on, "port" and "port." were two words.
_STOPS = ".:-"


def bag_tokens(text: str, *, final_stops: bool = False) -> list[str]:
    """Return the tokens of a text in order, repeats kept.

    A run of letters, numbers and joiners is one token; where it holds any Chinese, Japanese or Korean character, each of
    its characters is one, and each pair of neighbours.

    Args:
        text: any text.
        final_stops: whether a stop, colon or hyphen behind a word belongs to it, as the original protocol has it.

    >>> bag_tokens("Rex住在3楼。 Yes."), bag_tokens("Yes.", final_stops=True)
    (['r', 're', 'e', 'ex', 'x', 'x住', '住', '住在', '在', '在3', '3', '3楼', '楼', 'yes'], ['yes.'])
    """
    tokens: list[str] = []
    for run in TOKEN_RUN.findall(compact(text).lower()):
        word = run if final_stops else run.rstrip(_STOPS)
        if _IDEOGRAPH.search(word):
            for at in range(len(word) - 1):
                tokens += (word[at], word[at : at + 2])
            tokens.append(word[-1])
        elif word:
            tokens.append(word)
    return tokens


#: Han, Hiragana, Katakana and Hangul by their scripts, as ranges of code points.
_RANGES = (
    "1100-11ff 2e80-2e99 2e9b-2ef3 2f00-2fd5 3005-3005 3007-3007 3021-302f 3031-3035 3038-303b 3041-3096 309d-309f "
    "30a1-30fa 30fd-30ff 3131-318e 31f0-31ff 3200-321e 3260-327e 32d0-32fe 3300-3357 3400-4dbf 4e00-9fff a960-a97c "
    "ac00-d7a3 d7b0-d7c6 d7cb-d7fb f900-fa6d fa70-fad9 ff66-ff6f ff71-ff9d ffa0-ffbe ffc2-ffc7 ffca-ffcf ffd2-ffd7 "
    "ffda-ffdc 16fe2-16fe3 16ff0-16ff6 1aff0-1b167 1f200-1f200 20000-2a6df 2a700-2b81d 2b820-2cead 2ceb0-2ebe0 "
    "2ebf0-2ee5d 2f800-2fa1d 30000-3134a 31350-33479"
)
_IDEOGRAPH = lazy_pattern(
    "[" + "".join("-".join(chr(int(end, 16)) for end in pair.split("-")) for pair in _RANGES.split()) + "]"
)
