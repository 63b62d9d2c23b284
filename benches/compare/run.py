#!/usr/bin/env python3
"""Measures tulk and other command-line clients of the same service against the same sandbox, and prints the tables of
docs/comparison.md.

It installs nothing: `run.py --steps` prints the commands that install the other tools into a directory. It needs Linux: it runs itself
in new namespaces without a network, so that no request can reach the real service.
"""

import argparse
import os
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True  # this directory is under version control

import catalogs
import terminal
import tools
from sandbox import Door


class Bench:
    """Settings shared by all measurements."""

    def __init__(self, options, directory):
        self.tulk, self.tools, self.rounds, self.directory = options.tulk, options.tools, options.rounds, directory
        self.door = Door(directory, self.tools)


def table(bench, columns, rows, only):
    """Measures a table and prints it as Markdown, row by row."""
    print("| | " + " | ".join(f"{tool.name} {tool.version}" for tool in columns) + " |")
    print("|---" * (len(columns) + 1) + "|")
    for name, measure in rows:
        if only and only not in measure.__name__:
            continue
        cells = []
        for tool in columns:
            try:
                cells.append(measure(bench, tool))
            except Exception as error:  # one failing tool must not stop the others
                cells.append(f"not measured: {type(error).__name__}: {error}")
        print(f"| {name} | " + " | ".join(cells).replace("\n", " ") + " |", flush=True)
    print()


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tulk", default=os.path.join(here, "../../target/dist/tulk"), help="the program")
    parser.add_argument("--tools", default=os.path.join(here, "../../target/compare"), help="the directory of the other tools")
    parser.add_argument("--rounds", type=int, default=3, help="runs per measured time; the best counts")
    parser.add_argument("--only", help="measure only rows whose function name contains this")
    parser.add_argument("--table", choices=("texts", "catalogs", "both"), default="both")
    parser.add_argument("--steps", action="store_true", help="print how to install the other tools")
    options = parser.parse_args()
    options.tulk, options.tools = os.path.abspath(options.tulk), os.path.abspath(options.tools)
    if options.steps:
        print("\n".join(tools.steps(options.tools)))
        return
    if os.environ.get("TULK_COMPARE") != "inside":
        needed = ("curl", "jq", "parallel", "openssl", "unshare", "ip", "node", "/usr/bin/time")
        missing = [name for name in needed if not shutil.which(name)]
        if missing or not os.path.exists(options.tulk):
            sys.exit(f"needed: {' '.join(missing) or options.tulk}")
        os.environ["TULK_COMPARE"] = "inside"
        command = ["unshare", "--user", "--map-root-user", "--mount", "--net", "--pid", "--fork", "--mount-proc", sys.executable, *sys.argv]
        os.execvp(command[0], command)
    os.system("ip link set lo up")
    with tempfile.TemporaryDirectory(prefix="tulk-compare-") as directory:
        columns = {"texts": (tools.text_tools, terminal.ROWS), "catalogs": (catalogs.tools, catalogs.ROWS)}
        # Get the tools first: this measures their sizes, and Bench replaces a file in each Python tool.
        columns = {name: (of(options.tulk, options.tools), rows) for name, (of, rows) in columns.items()}
        bench = Bench(options, directory)
        print(tools.programs(options.tools), end="\n\n")
        for name, (compared, rows) in columns.items():
            if options.table in (name, "both"):
                table(bench, compared, rows, options.only)


main()
