import glob
import os


def names(folder):
    return os.listdir(folder)  # hit: folder-order


def names_sorted(folder):
    return sorted(os.listdir(folder))  # none


def sources(folder):
    found = []
    for root, dirs, files in os.walk(folder):  # hit: folder-order
        for name in files:
            found.append(os.path.join(root, name))
    return found


def sources_sorted(folder):
    found = []
    for root, dirs, files in os.walk(folder):  # none
        dirs.sort()
        for name in sorted(files):
            found.append(os.path.join(root, name))
    return found


def logs():
    return [open(path).read() for path in glob.glob("*.log")]  # hit: folder-order


def log_count():
    return len(glob.glob("*.log"))  # none
