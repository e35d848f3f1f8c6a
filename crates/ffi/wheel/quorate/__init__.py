"""Threshold signatures: FROST, threshold ECDSA, and threshold ML-DSA.

`Runner` runs any protocol with others, on rows in a database (`quorate.sqlite`). `Session` is one run without it.
"""

from importlib.metadata import version as _version

from ._quorate import *  # noqa: F403

__version__ = _version("quorate")
