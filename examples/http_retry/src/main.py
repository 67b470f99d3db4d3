"""The command: the one place where the machine's clock and the network come in."""

import time
import urllib.error
import urllib.request

from oracle_seams import live_seams

from .client import Client


def fetch(url: str, body: bytes) -> tuple[int, bytes]:
    """A real request. No property can come here: inside the wall there is no network."""
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data=body or None), timeout=30) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def main(url: str) -> None:
    """Prints the titles of a feed."""
    for entry in Client(fetch, now=live_seams().now, sleep=time.sleep).pages(url):
        print(entry["title"])
