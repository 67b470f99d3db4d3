import tempfile
import webbrowser
from http.cookiejar import CookieJar
from urllib.request import build_opener


def opener(jar: CookieJar):
    return build_opener()  # hit: network


def show(url):
    webbrowser.open(url)  # hit: process


def spool():
    return tempfile.NamedTemporaryFile()  # hit: host
