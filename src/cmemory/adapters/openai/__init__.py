"""Models behind an OpenAI-compatible server; needs the extra ``openai``, loaded on first use."""

from cmemory.adapters.openai.client import OpenAIModel, openai_model_from_environment
from cmemory.adapters.openai.embedder import OpenAIEmbedder, openai_embedder_from_environment

__all__ = [
    "OpenAIEmbedder",
    "OpenAIModel",
    "openai_embedder_from_environment",
    "openai_model_from_environment",
]
