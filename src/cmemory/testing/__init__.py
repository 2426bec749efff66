"""For tests of this library and of adapters written elsewhere: builders, strategies, contract suites.

Nothing here is imported by ``import cmemory``. `strategies` needs hypothesis, `contracts` needs pytest.
"""
