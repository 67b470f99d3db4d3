import re


def run(text):
    exec(text)  # hit: evasion


def value(text):
    return eval(text)  # hit: evasion


def pattern(text):
    return re.compile(text)  # none


def code(text):
    return compile(text, "<x>", "exec")  # hit: evasion


def lookup(name):
    return globals()[name]  # hit: evasion
