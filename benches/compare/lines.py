"""Translates lines with the library of the public service's Python client: 50 texts in a request, eight requests at once.

It is what somebody would write who has Python and the package `deepl`; run.py measures it beside the client's own command."""

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
