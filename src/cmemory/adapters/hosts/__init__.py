"""Ready-made adapters for hosts.

Memory must never break a chat, so only here may an error of this library be swallowed, and it is traced.
"""
