"""The machine's clock, time zones and randomness."""

from __future__ import annotations

import os
from datetime import datetime, timezone, tzinfo

from cmemory.domain.errors import UsageError
from cmemory.domain.model.instant import Instant

#: Bytes of a store's secret; twice the strength that HMAC-SHA256 can use is 64, half of that is ample.
_SECRET_BYTES = 32


def system_clock() -> Instant:
    """Return the present moment."""
    return Instant.of(datetime.now(timezone.utc))


def local_zone() -> tzinfo:
    """Return the machine's own time zone."""
    return datetime.now(timezone.utc).astimezone().tzinfo or timezone.utc


def new_secret() -> bytes:
    """Return a fresh key for the forgetting hashes."""
    # What `secrets` gives comes from here too; it would load all of `random` with it.
    return os.urandom(_SECRET_BYTES)


def zone_of(zone: str | tzinfo) -> tzinfo:
    """Return a time zone by its IANA name, or the given one.

    Raises:
        UsageError: no zone of that name is known on this machine.
    """
    if isinstance(zone, tzinfo):
        return zone
    # Most hosts name no zone, and those that do read the zone's own file here anyway.
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        return ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise UsageError(
            field="zone", problem="must be a tzinfo or an IANA name such as Asia/Shanghai"
        ) from None
