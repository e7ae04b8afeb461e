"""The clock of the Python peers, as measure.hpp has it."""

import json
import time


def measure(operation):
    """Seconds of one call: the median and the fastest of at least seven runs and two seconds' worth."""
    operation()
    times = []
    while len(times) < 7 or (sum(times) < 2 and len(times) < 1000):
        start = time.perf_counter()
        result = operation()
        times.append(time.perf_counter() - start)
        del result
    times.sort()
    return {"median": times[len(times) // 2], "fastest": times[0], "runs": len(times)}


def print_decoding(decode, titles):
    """Measures `decode`, and says with `titles` of its result what was read."""
    texts = titles(decode())
    figures = measure(decode)
    figures["items"] = len(texts)
    figures["title_bytes"] = sum(len(text.encode()) for text in texts)
    print(json.dumps(figures))
