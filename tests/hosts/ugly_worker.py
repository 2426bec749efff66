"""A worker that misbehaves as it is told: ``ugly_worker.py COUNTER PLAY... --database PATH``.

Each start takes the next of the plays; after the last one it behaves, and so it does in the play ``nice``.
The number of starts so far stands in the file COUNTER, one byte for each.
"""

import json
import os
import sys
import time
from collections.abc import Callable

MEBIBYTE = 1 << 20


def say(text: str) -> None:
    """Write one line."""
    data = memoryview(text.encode() + b"\n")
    while data:
        data = data[os.write(1, data) :]


def reply(request: dict, **changes: object) -> None:
    """Answer a request with its own operation and parameters, and the number of this process."""
    result = {"pid": os.getpid(), "op": request["op"], "params": request["params"]}
    envelope = {"version": 1, "id": request["id"], "ok": True, "result": result, **changes}
    say(json.dumps({key: value for key, value in envelope.items() if value is not None}))


def nice(request: dict) -> None:
    """Behave. A request may ask for a little patience, or for an error."""
    params = request["params"]
    time.sleep(params.get("sleep", 0))
    reply(request, **params.get("envelope", {}))


def silent(request: dict) -> None:
    """Take the request and never answer."""
    time.sleep(60)


def garbage(request: dict) -> None:
    """Write something that is no JSON."""
    say("Traceback (most recent call last):")
    time.sleep(60)


def nan(request: dict) -> None:
    """Write what Python would take for JSON."""
    say('{"version": 1, "id": "1", "ok": true, "result": {"score": NaN}}')
    time.sleep(60)


def no_text(request: dict) -> None:
    """Write bytes that are no text."""
    os.write(1, b'{"version": 1, "id": "\xff"}\n')
    time.sleep(60)


def wrong_version(request: dict) -> None:
    """Speak another version."""
    reply(request, version=2)
    time.sleep(60)


def no_id(request: dict) -> None:
    """Answer nobody."""
    reply(request, id=None)
    time.sleep(60)


def no_verdict(request: dict) -> None:
    """Leave out whether it went well."""
    reply(request, ok=None)
    time.sleep(60)


def no_object(request: dict) -> None:
    """Answer with a list."""
    say("[1]")
    time.sleep(60)


def stranger_first(request: dict) -> None:
    """Answer somebody else first, then an unreadable line's nameless owner, then properly."""
    reply(request, id="somebody-else")
    reply(request, id="")
    nice(request)


def exit_in_answer(request: dict) -> None:
    """End in the middle of an answer."""
    os.write(1, b'{"version": 1, "id": "')
    os._exit(7)


def exit_at_request(request: dict) -> None:
    """End instead of answering."""
    os._exit(7)


def exit_after_answer(request: dict) -> None:
    """Answer once, then end."""
    reply(request)
    os._exit(0)


def huge(request: dict) -> None:
    """Answer with eight megabytes."""
    reply(request, result={"text": "好" * (8 * MEBIBYTE // 3)})


def endless(request: dict) -> None:
    """Answer with a line that does not end."""
    while True:
        os.write(1, b"x" * MEBIBYTE)


def chatty(request: dict) -> None:
    """Flood standard error before answering."""
    for _ in range(64):
        os.write(2, b"a private word, again and again\n" * 2_048)
    os.write(2, b"the last words\n")
    nice(request)


def close_output(request: dict) -> None:
    """Close standard output and live on."""
    os.close(1)
    time.sleep(60)


def exit_at_start() -> None:
    """End before reading anything."""
    os._exit(3)


def refuse_to_start() -> None:
    """End as a worker does whose database will not open."""
    os.write(2, b"cmemory worker: open: damaged\n")
    os._exit(2)


def close_input() -> None:
    """Close standard input and live on."""
    os.close(0)
    say('{"version": 1, "id": "hello", "ok": true, "result": {}}')
    time.sleep(60)


def close_errors() -> None:
    """Close standard error and behave."""
    os.close(2)
    serve(nice)


def deaf() -> None:
    """Read nothing, for ever."""
    time.sleep(60)


def stubborn() -> None:
    """Behave, but do not end with the input, nor when asked to."""
    import signal

    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    serve(nice)
    time.sleep(60)


PLAYS: dict[str, Callable[[dict], None]] = {
    play.__name__: play
    for play in (
        nice,
        silent,
        garbage,
        nan,
        no_text,
        wrong_version,
        no_id,
        no_verdict,
        no_object,
        stranger_first,
        exit_in_answer,
        exit_at_request,
        exit_after_answer,
        huge,
        endless,
        chatty,
        close_output,
    )
}
STARTS: dict[str, Callable[[], None]] = {
    start.__name__: start
    for start in (exit_at_start, refuse_to_start, close_errors, close_input, deaf, stubborn)
}


def serve(play: Callable[[dict], None]) -> None:
    """Play for every line but a client's introduction."""
    for line in sys.stdin.buffer:
        request = json.loads(line)
        if request["op"] == "capabilities":
            reply(request)
        else:
            play(request)


def main() -> None:
    """Take the next play."""
    counter, *plays = sys.argv[1:-2]
    with open(counter, "ab") as starts:
        starts.write(b".")
        number = starts.tell()
    name = plays[number - 1] if number <= len(plays) else "nice"
    if name in STARTS:
        STARTS[name]()
    else:
        serve(PLAYS[name])


if __name__ == "__main__":
    main()
