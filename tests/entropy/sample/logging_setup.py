import logging
import sys

log = logging.getLogger(__name__)


def warn(text):
    log.warning("%s", text)  # none


def arguments():
    return sys.argv[1:]  # hit: environment


def version():
    return sys.version_info >= (3, 11)  # none


def encoding():
    return sys.getfilesystemencoding()  # hit: environment
