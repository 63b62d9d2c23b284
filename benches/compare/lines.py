"""Translates lines with the Python library of the public service: 50 texts per request, eight requests in flight.

Anyone with Python and the package `deepl` might write this script. run.py measures it beside the library's own command."""

import os
import sys
from concurrent.futures import ThreadPoolExecutor

import deepl

client = deepl.DeepLClient(os.environ["DEEPL_AUTH_KEY"], server_url=os.environ.get("DEEPL_SERVER_URL"))
lines = sys.stdin.read().splitlines()
parts = [lines[start : start + 50] for start in range(0, len(lines), 50)]
with ThreadPoolExecutor(8) as pool:
    for results in pool.map(lambda part: client.translate_text(part, target_lang="DE"), parts):
        for result in results:
            print(result.text)
