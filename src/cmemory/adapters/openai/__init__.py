"""A language model behind an OpenAI-compatible server; needs the extra ``openai``, loaded on first use."""

from cmemory.adapters.openai.client import OpenAIModel, openai_model_from_environment

__all__ = ["OpenAIModel", "openai_model_from_environment"]
