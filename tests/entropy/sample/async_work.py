import asyncio
import time


async def poll(check):
    while not check():
        await asyncio.sleep(1)  # hit: sleep


async def now():
    return asyncio.get_running_loop().time()  # hit: clock


async def loop_time(loop):
    return loop.time()  # hit: clock


def wait():
    time.sleep(0.1)  # hit: sleep
