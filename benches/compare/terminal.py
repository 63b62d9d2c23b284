"""Measures how tools translate texts in a terminal and in scripts. Each function measures one row and returns the cell of a tool."""

import os
import select
import shutil
import signal
import subprocess
import tempfile
import time

from sandbox import KEY, Sandbox, wait_until

LATENCY = ("--latency", "50ms")


class Run:
    """A finished shell command: its exit code, output, time and CPU time."""

    def __init__(self, tool, command, url, home, stdin=b""):
        with open(os.path.join(home, "auth.txt"), "w", encoding="ascii") as file:
            file.write(f"Authorization: DeepL-Auth-Key {KEY}\n")
        with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            source.write(stdin)
            source.seek(0)
            start = time.monotonic()
            process = subprocess.Popen(
                ["bash", "-o", "pipefail", "-c", command], stdin=source, stdout=out, stderr=err,
                env=tool.environment(url, home), cwd=home,
            )
            _, status, usage = os.wait4(process.pid, 0)
            self.seconds = time.monotonic() - start
            process.returncode = self.code = os.waitstatus_to_exitcode(status)
            self.processor = usage.ru_utime + usage.ru_stime
            out.seek(0)
            err.seek(0)
            self.out, self.err = out.read(), err.read()


class Place:
    """An empty home directory with the settings of a tool, and a new sandbox."""

    def __init__(self, bench, tool, *flags):
        self.bench, self.tool, self.flags = bench, tool, flags

    def __enter__(self):
        self.home = tempfile.mkdtemp(dir=self.bench.directory)
        self.sandbox = Sandbox(self.bench.tulk, self.home, *self.flags).__enter__()
        if self.tool.prepare:
            self.run(self.tool.prepare)
        return self

    def __exit__(self, *_):
        self.sandbox.__exit__()
        shutil.rmtree(self.home, ignore_errors=True)

    def run(self, command, stdin=b""):
        return Run(self.tool, command, self.sandbox.url, self.home, stdin)

    def start(self, command):
        """Starts a command in a new process group, with pipes."""
        with open(os.path.join(self.home, "auth.txt"), "w", encoding="ascii") as file:
            file.write(f"Authorization: DeepL-Auth-Key {KEY}\n")
        return subprocess.Popen(
            ["bash", "-o", "pipefail", "-c", command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, env=self.tool.environment(self.sandbox.url, self.home), cwd=self.home,
            start_new_session=True,
        )

    def write(self, name, data):
        path = os.path.join(self.home, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data)


def numbered(count):
    """Returns distinct lines of 42 characters."""
    return "".join(f"Line {n:6} of a text about a blue kettle.\n" for n in range(count)).encode()


def size(_, tool):
    """Installed size: the sum of the file sizes. Also names the programs that the packages need."""
    return tool.size


def start_up(bench, tool):
    """Runs `--version` 20 times. Shows the lowest CPU time, and the peak memory that /usr/bin/time reports."""
    best = None
    for _ in range(20):
        with open(os.devnull, "wb") as null:
            process = subprocess.Popen([tool.program, "--version"], stdout=null, env=tool.environment("", bench.directory))
        _, _, usage = os.wait4(process.pid, 0)
        process.returncode = 0
        spent = usage.ru_utime + usage.ru_stime
        best = spent if best is None else min(best, spent)
    timed = subprocess.run(
        ["/usr/bin/time", "-f", "%M", tool.program, "--version"], capture_output=True, text=True, check=True,
        env=tool.environment("", bench.directory),
    )
    return f"{best * 1000:.1f} ms, {int(timed.stderr.splitlines()[-1]) / 1024:.0f} MiB"


def ten_thousand_lines(bench, tool, command=None):
    """Sends 10,000 lines through a pipe at a latency of 50 ms. The best of `--rounds` runs counts; all must return the lines in order."""
    seconds, processor, requests = [], [], set()
    for _ in range(bench.rounds):
        with Place(bench, tool, "--engine", "upper", *LATENCY) as place:
            run = place.run(command or tool.lines, numbered(10_000))
            right = run.code == 0 and run.out == numbered(10_000).upper()
            if not right:
                return f"failed ({run.code}) after {run.seconds:.1f} s"
            seconds.append(run.seconds)
            processor.append(run.processor)
            requests.add(len(place.sandbox.requests()))
    requests = " or ".join(f"{count:,}" for count in sorted(requests))
    return f"{min(seconds):.1f} s, {min(processor):.2f} s of processor, {requests} requests"


def script_for_lines(bench, tool):
    """The same with lines.py, a script of 11 lines that uses the tool's library."""
    return ten_thousand_lines(bench, tool, tool.script) if tool.script else "no library"


def changed_line(bench, tool):
    """Translates 1,000 lines, with the cache if the tool has one, and again after changing one line. Shows the characters billed again."""
    with Place(bench, tool, "--engine", "upper") as place:
        command = tool.cached or tool.lines
        first = place.run(command, numbered(1_000))
        before = place.sandbox.billed()
        changed = numbered(1_000).replace(b"Line    500", b"Line x  500")
        second = place.run(command, changed)
        right = (first.out, second.out) == (numbered(1_000).upper(), changed.upper())
        return f"{place.sandbox.billed() - before:,} of {len(changed) - 1_000:,}" + ("" if right else ", wrong output")


def first_line(bench, tool):
    """Writes a line into a pipe that stays open for three seconds. Is it translated in that time?"""
    with Place(bench, tool, "--engine", "upper") as place:
        process = place.start(tool.lines)
        process.stdin.write(b"one\n")
        process.stdin.flush()
        ready, _, _ = select.select([process.stdout], [], [], 3)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return "yes" if ready else "at the end"


def head(bench, tool):
    """Pipes 10,000 lines at a latency of 50 ms into `head -n 1`. Shows the exit code, the lines on stderr, and the requests sent."""
    with Place(bench, tool, "--engine", "upper", *LATENCY) as place:
        place.write("in.txt", numbered(10_000))
        run = place.run(f"set +o pipefail; ({tool.lines}; echo code $? > code.txt) < in.txt | head -n 1")
        with open(os.path.join(place.home, "code.txt"), encoding="ascii") as file:
            code = file.read().split()[1]
        return f"code {code}, {len(run.err.splitlines())} lines, {place.sandbox.sent()} requests"


def bytes_kept(bench, tool):
    """The sandbox returns texts unchanged. Does the tool change CRLF, blank lines, spaces or a missing last newline?"""
    text = b"one\r\n\n  two  \n\tthree \"four\" \\n"
    changes = []
    for mode, command in (("text", tool.whole), ("lines", tool.lines)):
        with Place(bench, tool, "--engine", "echo") as place:
            got = place.run(command, text).out
        if got == text:
            continue
        found = []
        if got == text + b"\n" or got.endswith(b"\n"):
            found.append("a newline is added")
            got = got.removesuffix(b"\n")
        if b"\r" not in got:
            found.append("CRLF is lost")
        if got.replace(b"\r", b"") != text.replace(b"\r", b""):
            found.append(f"other bytes change: {got!r}")
        changes.append(f"{mode}: " + ", ".join(found))
    return "; ".join(changes) or "yes"


def busy(bench, tool):
    """Answers a text twice with 429 and `Retry-After: 3`. How long does the command wait, and how does it end?"""
    with Place(bench, tool, "--engine", "upper", "--fault", "429;times=2;retry-after=3;path=/v2/translate") as place:
        run = place.run(tool.whole, b"one\n")
        result = "translated" if run.out.strip() == b"ONE" else "no result"
        return f"{result} after {run.seconds:.1f} s and {place.sandbox.sent()} requests, code {run.code}"


def long_text(bench, tool):
    """Translates a text of almost 200,000 bytes. The service accepts 131,072 bytes per request."""
    text = b"The kettle is blue and the lid is open. " * 99 + b"\n\n"
    text *= 50
    with Place(bench, tool, "--engine", "echo") as place:
        run = place.run(tool.whole, text)
        if run.out in (text, text + b"\n"):
            return f"translated in {place.sandbox.sent()} requests"
        reason = (run.err or run.out).decode(errors="replace").strip().splitlines()[-1:]
        return f"code {run.code}, {len(run.out) if run.code == 0 else 'no'} result: {' '.join(reason)[:110]}"


def refused(bench, tool):
    """Refuses the tenth of 20 requests with 400. Shows the exit code, and which of 1,000 lines are printed."""
    with Place(bench, tool, "--engine", "upper", "--fault", "400;after=9;total=1;path=/v2/translate") as place:
        run = place.run(tool.lines, numbered(1_000))
        lines = run.out.splitlines(keepends=True)
        gap = "no gap" if lines == numbered(1_000).upper().splitlines(keepends=True)[: len(lines)] else "with a gap"
        return f"code {run.code}, {len(lines)} lines, {gap}"


def killed_lines(bench, tool):
    """Kills the command after 100 of 200 requests at a latency of 50 ms and runs it again. Shows the characters billed twice."""
    command = tool.resumed or f"({tool.lines}) < in.txt > out.txt"
    with Place(bench, tool, "--engine", "upper", *LATENCY) as place:
        place.write("in.txt", numbered(10_000))
        process = place.start(command)
        wait_until(lambda: place.sandbox.sent() >= 100)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        time.sleep(0.3)
        place.run(command)
        with open(os.path.join(place.home, "out.txt"), "rb") as file:
            right = file.read() == numbered(10_000).upper()
        twice = place.sandbox.billed() - (len(numbered(10_000)) - 10_000)
        return f"{twice:,} of {len(numbered(10_000)) - 10_000:,}" + ("" if right else ", wrong output")


def killed_document(bench, tool):
    """Kills the command while the service translates an uploaded document, and runs it again. Shows the number of uploads."""
    if not tool.document:
        return "no documents"
    with Place(bench, tool, "--engine", "upper", "--document-translate", "3s") as place:
        place.write("letter.txt", numbered(100))
        os.makedirs(os.path.join(place.home, "out"))
        process = place.start(tool.document)
        wait_until(lambda: any(r["path"].startswith("/v2/document/") for r in place.sandbox.requests()))
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        place.run(tool.document)
        with open(os.path.join(place.home, "out/letter.txt"), "rb") as file:
            right = file.read() == numbered(100).upper()
        return f"{place.sandbox.sent('/v2/document')} uploads" + ("" if right else ", wrong output")


def key_in_arguments(bench, tool):
    """Reads the arguments of all processes while a request waits. Is the key among them?"""
    with Place(bench, tool, "--latency", "2s") as place:
        process = place.start(tool.whole)
        process.stdin.write(b"one\n")
        process.stdin.close()
        wait_until(lambda: connected(place.sandbox.url))
        found = any(KEY in arguments for arguments in all_arguments(place.sandbox.process.pid))
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return "yes" if found else "no"


def connected(url):
    """Returns whether a client is connected to an address."""
    port = f":{int(url.rsplit(':', 1)[1]):04X}"
    with open("/proc/net/tcp", encoding="ascii") as table:
        return any(row.split()[2].endswith(port) and row.split()[3] == "01" for row in list(table)[1:])


def all_arguments(but):
    """Yields the arguments of every process but one."""
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/cmdline", encoding="utf-8", errors="replace") as file:
                if int(entry) != but:
                    yield file.read()
        except OSError:
            continue


ROWS = [
    ("installed", size),
    ("`--version`: processor time, peak memory", start_up),
    ("10,000 lines in a pipe, 50 ms per request", ten_thousand_lines),
    ("the same with a script for its library", script_for_lines),
    ("one of 1,000 lines has changed: billed again", changed_line),
    ("first line of a pipe that stays open", first_line),
    ("10,000 lines into `head -n 1`", head),
    ("bytes around the texts kept", bytes_kept),
    ("429 twice, `Retry-After: 3`", busy),
    ("a text of 200,000 bytes", long_text),
    ("the tenth of 20 requests is refused", refused),
    ("killed at the 100th of 200 requests, run again: billed twice", killed_lines),
    ("killed while a document is translated, run again", killed_document),
    ("key visible in `ps`", key_in_arguments),
]
