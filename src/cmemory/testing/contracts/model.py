"""What every `Model` must do."""

# ruff: noqa: S101 - pytest asserts with assert, here as in the tests that inherit from this.

from __future__ import annotations

import abc

from cmemory.app.extract import ModelExtractor
from cmemory.domain.errors import ModelError
from cmemory.domain.model.ids import MessageId
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Message, Speaker
from cmemory.domain.prompts.prompt import Prompt
from cmemory.ports.model import Model

#: Words that must not turn up in any error.
_PRIVATE = "我的体检报告在抽屉里"

_PROMPT = Prompt(system="Answer in one line.", user=_PRIVATE, max_tokens=50)


class ModelContract(abc.ABC):
    """Inherit it in a test module and say how to get a model; pytest collects the tests.

    A class that inherits must have a name beginning with ``Test``.
    """

    @abc.abstractmethod
    def answering(self, text: str) -> Model:
        """Return a model whose next answer is the text."""

    @abc.abstractmethod
    def failing(self, *, retryable: bool) -> Model:
        """Return a model whose next call fails, in a way that may pass or never will."""

    def test_it_has_a_name(self) -> None:
        """Records can say which model proposed them."""
        assert self.answering("").name.strip()

    def test_an_answer_arrives_unchanged(self) -> None:
        """White space, line breaks, quotation marks and both scripts survive."""
        text = ' [{"value": "周眠\\n"}]\n```\n🌙 '
        assert text == self.answering(text).complete(_PROMPT)

    def test_an_empty_answer_is_an_empty_text(self) -> None:
        """Saying nothing is an answer."""
        assert self.answering("").complete(_PROMPT) == ""

    def test_a_failure_tells_whether_trying_again_makes_sense(self) -> None:
        """Failures come as `ModelError` and carry the difference."""
        assert [_failure(self.failing(retryable=kind)).retryable for kind in (True, False)] == [True, False]

    def test_a_failure_repeats_nothing_that_was_said(self) -> None:
        """What the person said does not reach a log through an error."""
        error: BaseException | None = _failure(self.failing(retryable=False))
        while error is not None:
            assert _PRIVATE not in f"{error!s} {error!r}"
            error = error.__cause__ or error.__context__

    def test_what_it_proposes_can_be_read(self) -> None:
        """A proper answer becomes a candidate under the model's name."""
        message = Message(
            id=MessageId("m-1"),
            session="s1",
            speaker=Speaker.USER,
            text="我叫周眠。",
            at=Instant.parse("2026-03-01T09:00:00Z"),
        )
        answer = '[{"kind": "claim", "predicate": "identity.name", "value": "周眠", "quote": "我叫周眠"}]'
        model = self.answering(answer)
        extraction = ModelExtractor(model)(message)
        assert [one.quote.text for one in extraction.candidates] == ["我叫周眠"]
        assert extraction.provenance.model == model.name


def _failure(model: Model) -> ModelError:
    try:
        model.complete(_PROMPT)
    except ModelError as error:
        return error
    raise AssertionError("the model answered")
