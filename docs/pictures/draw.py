#!/usr/bin/env python3
"""Draws a terminal session as an animated SVG: frames as JSON on stdin, the picture on stdout.

A frame is {"seconds": time on screen, "screen": lines with escape sequences for colors}. A command that a frame adds is typed first.
Every line is drawn once, with the time at which it is visible. Without animation, the picture shows the last frame.

`TULK_BLESS=1 cargo test --test cli screens::picture` records the session and draws docs/pictures/session.svg.
"""

import json
import re
import sys
from xml.sax.saxutils import escape

COLUMNS, CHARACTER, LINE, TOP, LEFT = 84, 8.4, 19, 58, 20
PIECES, PIECE, PAUSE = 5, 0.08, 0.3  # a command is typed in pieces, each of which takes this many seconds
COLORS = {31: "#ff7b72", 32: "#7ee787", 33: "#f2cc60", 34: "#79c0ff", 35: "#d2a8ff", 36: "#76e3ea"}


def typed(frames):
    """Returns the frames as (seconds, lines), with the commands typed that a frame adds."""
    before = []
    for frame in frames:
        lines = frame["screen"].split("\n")
        for row, line in enumerate(lines):
            if line.startswith("$ ") and line not in before[row : row + 1]:
                shown = lines[:row]
                yield from ((PIECE, [*shown, line[: max(2, len(line) * piece // PIECES)]]) for piece in range(PIECES))
                yield PAUSE, [*shown, line]
        yield frame["seconds"], lines
        before = lines


def runs(line):
    """Splits a line into runs of one style: (column, text, class names). Each part of a bar is a run."""
    column, style, found = 0, {}, []
    for part in re.split(r"(\x1b\[[0-9;]*m)", line):
        if part.startswith("\x1b"):
            for code in map(int, (part[2:-1] or "0").split(";")):
                if code in (0, 39):
                    style.pop("color", None)
                if code in (0, 22):
                    style.pop("weight", None)
                if code in (1, 2):
                    style["weight"] = "b" if code == 1 else "d"
                if code % 60 in COLORS:
                    style["color"] = f"c{code % 60}"
        elif part:
            for text in re.findall("█+|░+|[⠀-⣿]|[^█░⠀-⣿]+", part):
                if text.strip():
                    found.append((column, text, " ".join(sorted(style.values()))))
                column += len(text)
    return found


def drawn(row, line):
    """Returns a line as SVG. Each run has its place and width, so that any font of a terminal fits."""
    texts, bars, y = [], [], TOP + row * LINE
    for column, content, style in runs(line):
        column += len(content) - len(content.lstrip())
        content = content.strip()
        x, width = LEFT + column * CHARACTER, len(content) * CHARACTER
        if content[0] in "█░":
            style += " e" if content[0] == "░" else ""
            bars.append(f'<rect x="{x:.1f}" y="{y - 13}" width="{width:.1f}" height="15" class="{style.strip() or "n"}"/>')
        else:
            style = f' class="{style}"' if style else ""
            texts.append(f'<tspan x="{x:.1f}" textLength="{width:.1f}"{style}>{escape(content)}</tspan>')
    return f'<text y="{y}">{"".join(texts)}</text>{"".join(bars)}'


def draw(frames):
    frames = list(typed(frames))
    total = sum(seconds for seconds, _ in frames)
    visible, now = {}, 0.0  # (row, line): the times from and to which it is visible
    for seconds, lines in frames:
        for row, line in enumerate(lines):
            if line.strip():
                spans = visible.setdefault((row, line), [])
                if spans and spans[-1][1] == now:
                    spans[-1][1] = now + seconds
                else:
                    spans.append([now, now + seconds])
        now += seconds
    rules, groups = {}, {}
    for (row, line), spans in sorted(visible.items(), key=lambda item: (item[1][0][0], item[0][0])):
        steps = []
        for start, end in spans:
            steps += [f"{100 * start / total:.2f}%{{opacity:1}}"]
            steps += [f"{100 * end / total:.2f}%{{opacity:0}}"] if end < total else []
        if spans[0][0] > 0:
            steps.insert(0, "0%{opacity:0}")
        key = "".join(steps)
        name = rules.setdefault(key, f"f{len(rules)}")
        groups.setdefault((name, spans[-1][1] == total), []).append(drawn(row, line))
    rows = max(len(lines) for _, lines in frames)
    width, height = 2 * LEFT + COLUMNS * CHARACTER, TOP + rows * LINE
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}" height="{height}">')
    print("<title>A session of tulk in a terminal</title>")
    print("<style>")
    print("text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#d6dde6;white-space:pre}")
    print(".b{font-weight:700}.d{fill:#8b98a8}.n{fill:#d6dde6}.e{fill:#333c48}")
    print("".join(f".c{code}{{fill:{color}}}" for code, color in COLORS.items()))
    print(f"@media (prefers-reduced-motion:no-preference){{g{{animation:{total:.1f}s step-end infinite}}")
    for steps, name in rules.items():
        print(f".{name}{{animation-name:{name}}}@keyframes {name}{{{steps}}}")
    print("}</style>")
    print('<rect width="100%" height="100%" rx="9" fill="#151a21"/>')
    for x, color in ((22, "#ff5f57"), (42, "#febc2e"), (62, "#28c840")):
        print(f'<circle cx="{x}" cy="21" r="6" fill="{color}"/>')
    for (name, last), lines in groups.items():
        hidden = "" if last else ' opacity="0"'
        print(f'<g class="{name}"{hidden}>' + "\n".join(lines) + "</g>")
    print("</svg>")


draw(json.load(sys.stdin))
