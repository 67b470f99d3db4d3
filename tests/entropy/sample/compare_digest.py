import hmac
import secrets


def same(a, b):
    return secrets.compare_digest(a, b)  # none


def signed(key, text):
    return hmac.new(key, text, "sha256").hexdigest()  # none
