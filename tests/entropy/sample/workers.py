import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor


def squares(values):
    with ThreadPoolExecutor() as pool:  # hit: process
        return list(pool.map(lambda value: value * value, values))


def background(action):
    threading.Thread(target=action).start()  # hit: process


def guarded():
    return threading.Lock()  # none


def version():
    return subprocess.check_output(["git", "--version"])  # hit: process
