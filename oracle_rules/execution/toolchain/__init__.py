"""The toolchain: what runs inside the sandbox, described as a document and laid down as an image.

`describe` turns an interpreter into `toolchain.json`; `image` turns that into folders which hold the interpreter, its
standard library and every shared object that they load, and nothing of the host besides. Knows nothing of Actions.
"""

from __future__ import annotations

from .describe import Toolchain, default_interpreter, describe
from .image import INTERPRETER, Image, image, prepared

__all__ = ["INTERPRETER", "Image", "Toolchain", "default_interpreter", "describe", "image", "prepared"]
