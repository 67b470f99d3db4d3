import socket
import urllib.parse
import urllib.request

import requests


def page(url):
    with urllib.request.urlopen(url) as response:  # hit: network
        return response.read()


def status(url):
    return requests.get(url, timeout=5).status_code  # hit: network


def host_of(url):
    return urllib.parse.urlsplit(url).hostname  # none


def address(name):
    return socket.getaddrinfo(name, 443)  # hit: network


def is_timeout(error):
    return isinstance(error, socket.timeout)  # none
