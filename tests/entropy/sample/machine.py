import getpass
import os
import platform
import socket
import tempfile


def worker_name():
    return f"{socket.gethostname()}-{os.getpid()}"  # hit: host, host


def build_info():
    return {"machine": platform.machine(), "cpus": os.cpu_count()}  # hit: host, host


def scratch():
    return tempfile.mkdtemp()  # hit: host


def who():
    return getpass.getuser()  # hit: host
