import http.client as hc
from http import HTTPStatus

import httpx


class Client:
    def __init__(self, transport=None):
        self.transport = transport or httpx.Client()  # hit: network

    def get(self, url):
        return self.transport.get(url)  # none

    def low(self, host):
        return hc.HTTPSConnection(host)  # hit: network

    def ok(self, status):
        return status == HTTPStatus.OK  # none

    def known(self, error):
        return isinstance(error, hc.HTTPException)  # none
