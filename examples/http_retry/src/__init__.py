"""A client for a feed service: asks again when it is told to wait, over a transport and a clock from outside."""
