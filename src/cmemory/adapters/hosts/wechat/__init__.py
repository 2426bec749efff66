"""The plug-in for WeChatAgent-style hosts, after a contract of ours that no real host has confirmed."""
