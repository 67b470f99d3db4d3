import ctypes
from ctypes import util


def libc():
    return ctypes.CDLL(None)  # hit: native


def found():
    return util.find_library("c")  # hit: native
