import os


def entries(folder):
    names = os.listdir(folder)  # none
    names.sort()
    return names


def unsorted_entries(folder):
    names = os.listdir(folder)  # hit: folder-order
    return names


def has_setup(folder):
    return "setup.py" in os.listdir(folder)  # none
