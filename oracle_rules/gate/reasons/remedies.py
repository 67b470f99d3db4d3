"""Remedies that more than one lane gives."""

from __future__ import annotations

REVERT = "Leave the file as it is in base; a person changes it in a commit of its own."
