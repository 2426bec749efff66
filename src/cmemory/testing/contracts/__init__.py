"""Suites that every implementation of a port has to pass."""

from cmemory.testing.contracts.inbox import InboxContract
from cmemory.testing.contracts.store import StoreContract

__all__ = ["InboxContract", "StoreContract"]
