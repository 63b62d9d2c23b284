"""Measures how tools translate the message catalogue of a program. Each function measures one row and returns the cell of a tool."""

import json
import os
import re
import subprocess
import sys

import tools as found
from sandbox import KEY
from terminal import Place, all_arguments, connected, wait_until

TULK_TOML = """[sync]
source_lang = "en"
target_langs = {languages}

[[sync.files]]
source = "locales/en.json"
target = "locales/{{lang}}.json"
dialect = "i18next"
"""


class Catalog:
    """A tool for catalogues: the files that it needs besides locales/en.json, and the command that translates."""

    prepare = None

    def __init__(self, name, program, version, command, size, **more):
        self.name, self.program, self.version, self.size = name, program, version, size
        self.command = command  # a function from languages to a shell command
        self.files = more.get("files", lambda languages: {})
        self.check = more.get("check")
        self.formats = more["formats"]
        self.door = None

    def environment(self, url, home):
        """Returns environment variables. Tools with a fixed address reach the sandbox through `Door`, and trust its certificate."""
        self.door.target = url
        return {
            "PATH": os.path.dirname(self.program) + ":" + os.environ["PATH"],
            "HOME": home, "LC_ALL": "C.UTF-8", "KEY": KEY, "TULK_SERVER": url, "TULK_API_KEY": KEY, "DEEPL_API_KEY": KEY,
            "NODE_EXTRA_CA_CERTS": self.door.certificate, "REQUESTS_CA_BUNDLE": self.door.certificate,
        }


def tools(tulk, folder):
    """Returns tulk and the tools that translate catalogues."""
    deepl_i18n = f"{folder}/deepl-i18n/bin/deepl-i18n"
    autotranslate = f"{folder}/json-autotranslate/node_modules/.bin/json-autotranslate"
    i18n_auto = f"{folder}/i18n-auto-translation/node_modules/.bin/i18n-auto-translation"
    catalogs = [
        Catalog(
            "tulk sync", tulk, found.output(tulk, "--version").split()[1], lambda languages: "tulk sync",
            f"1 file, {found.megabytes([tulk])}", check="tulk sync --check", formats="14",
            files=lambda languages: {"tulk.toml": TULK_TOML.format(languages=json.dumps(languages))},
        ),
        Catalog(
            "json-autotranslate", autotranslate, version_of(f"{folder}/json-autotranslate", "json-autotranslate"),
            # `-c` sets the key, the formality and the number of texts in a request; the service accepts 50.
            lambda languages: "json-autotranslate -i locales --directory-structure ngx-translate -t key-based -m i18next"
            " -s deepl -c $KEY,,50",
            found.node_size(f"{folder}/json-autotranslate"), formats="JSON",
            files=lambda languages: {f"locales/{language}.json": "{}" for language in languages},
        ),
        Catalog(
            "deepl-i18n", deepl_i18n, found.output(deepl_i18n, "--version").split()[-1],
            lambda languages: "deepl-i18n translate app", found.python_size(f"{folder}/deepl-i18n"),
            check="deepl-i18n check app", formats="8",
            files=lambda languages: {"config.json": json.dumps({
                "source_lang": "EN", "output_languages": [language.upper() for language in languages],
                "placeholder_pattern": "{{\\s*\\w+\\s*}}",
                "targets": {"app": {"input_path": "./locales/en.json", "output_dir": "./locales"}},
            })},
        ),
        Catalog(
            "i18n-auto-translation", i18n_auto, version_of(f"{folder}/i18n-auto-translation", "i18n-auto-translation"),
            lambda languages: " && ".join(
                f"i18n-auto-translation -a deepl-pro -k $KEY -p locales/en.json -f en -t {language} -s 4" for language in languages
            ),
            found.node_size(f"{folder}/i18n-auto-translation"), formats="JSON",
        ),
    ]
    missing = [tool.name for tool in catalogs if not os.path.exists(tool.program)]
    if missing:
        sys.exit(f"not installed: {', '.join(missing)}\n" + "\n".join(found.steps(folder)))
    return catalogs


def version_of(folder, package):
    """Returns the version of an installed npm package, or an empty string."""
    path = f"{folder}/node_modules/{package}/package.json"
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8") as file:
        return json.load(file)["version"]


def source(count=1_000):
    """Returns a catalogue with nested keys, an indentation of four spaces, and letters written as escapes."""
    groups = {}
    for n in range(count):
        group = groups.setdefault(f"page{n // 50}", {})
        group[f"text{n}"] = f"Caf\u00e9 {n}: open the lid of kettle {n}." if n % 10 else f"Hello {{{{userName}}}}, this is text {n}."
    return json.dumps(groups, indent=4) + "\n"


class Project(Place):
    """A place with a catalogue in locales/en.json and the settings of a tool."""

    def __init__(self, bench, tool, *flags, languages=("de", "fr"), text=None):
        super().__init__(bench, tool, "--engine", "upper", *flags)
        self.languages, self.text = list(languages), text or source()
        tool.door = bench.door

    def __enter__(self):
        super().__enter__()
        self.write("locales/en.json", self.text.encode())
        for name, text in self.tool.files(self.languages).items():
            self.write(name, text.encode())
        return self

    def translate(self):
        return self.run(self.tool.command(self.languages))

    def read(self, language):
        with open(os.path.join(self.home, f"locales/{language}.json"), encoding="utf-8", newline="") as file:
            return file.read()


def texts(value):
    """Returns the strings of a catalogue, in order."""
    if isinstance(value, dict):
        return [text for part in value.values() for text in texts(part)]
    return [value]


def size(_, tool):
    """Installed size: the sum of the file sizes."""
    return tool.size


def formats(_, tool):
    """Number of catalogue formats that the help lists."""
    return tool.formats


def first_run(bench, tool):
    """Translates 1,000 texts into two languages at a latency of 50 ms. The best of `--rounds` runs counts."""
    best = None
    characters = 2 * sum(map(len, texts(json.loads(source()))))
    for _ in range(bench.rounds):
        with Project(bench, tool, "--latency", "50ms") as project:
            run = project.translate()
            done = [len(texts(json.loads(project.read(language)))) for language in project.languages]
            cell = f"{run.seconds:.1f} s, {run.processor:.2f} s of processor, {project.sandbox.sent()} requests, billed {project.sandbox.billed():,} of {characters:,}"
            if run.code or done != [1_000, 1_000]:
                return f"failed ({run.code}, {done}): {cell} {run.err[-200:]}"
            best = min(best or (run.seconds, cell), (run.seconds, cell))
    return best[1]


def changed_text(bench, tool):
    """Changes a source text after the first run. Shows what the second run bills, and whether it translates the text again."""
    with Project(bench, tool, languages=["de"]) as project:
        project.translate()
        before = project.sandbox.billed()
        project.write("locales/en.json", project.text.replace("of kettle 77.", "of kettle number 77.").encode())
        project.translate()
        new = "KETTLE NUMBER 77." in project.read("de")
        return f"{'translated again' if new else 'not noticed'}, billed {project.sandbox.billed() - before}"


def edited_text(bench, tool):
    """Edits a translation by hand after the first run. Does the second run keep the edit?"""
    with Project(bench, tool, languages=["de"]) as project:
        project.translate()
        project.write("locales/de.json", project.read("de").replace("OF KETTLE 77.", "by hand").encode())
        project.translate()
        return "yes" if "by hand" in project.read("de") else "no"


def placeholder(bench, tool):
    """Shows a text with `{{userName}}` as the service receives it, and how many of these placeholders are kept."""
    with Project(bench, tool, languages=["de"]) as project:
        project.translate()
        bodies = [request["body"] for request in project.sandbox.requests() if request["path"] == "/v2/translate"]
        sent = [text for body in bodies for text in (body["text"] if isinstance(body["text"], list) else [body["text"]])]
        sample = re.search(r"Hello .*?, this is text 0\.", "\n".join(sent), re.S)
        handling = {body.get("tag_handling") for body in bodies}
        got = texts(json.loads(project.read("de")))
        kept = sum("{{userName}}" in text for text in got)
        return f"`{sample.group() if sample else sent[:1]}` ({', '.join(map(str, handling))}), {kept} of 100 kept"


def layout(bench, tool):
    """Compares the result with the source, apart from the texts: keys, order, indentation and last newline."""
    with Project(bench, tool, languages=["de"]) as project:
        project.translate()
        got, expected = project.read("de"), project.text
        changes = []
        if json.loads(got).keys() != json.loads(expected).keys() or list(json.loads(got)) != list(json.loads(expected)):
            changes.append("other keys or another order")
        indent = re.search(r"\n( *)\"", got)
        if not indent or len(indent.group(1)) != 4:
            changes.append(f"{len(indent.group(1)) if indent else 'no'} spaces instead of 4")
        if not got.endswith("\n"):
            changes.append("the last newline is lost")
        return ", ".join(changes) or "yes"


def values(bench, tool):
    """Translates a number, a list, markup and an HTML entity, each between two texts of its own catalogue. Are they kept?"""
    found_values = []
    for name, value, expected in (
        ("number", "1.10", "1.10"),
        ("list", '["Open", "Shut"]', r'\[\s*"OPEN",\s*"SHUT"\s*\]'),
        ("markup", '"Open <b>the lid</b>"', '"OPEN <b>THE LID</b>"'),
        ("entity", '"Tom &amp; Ann"', '"TOM &amp; ANN"'),
    ):
        text = f'{{\n    "a": "One",\n    "b": {value},\n    "c": "Two"\n}}\n'
        with Project(bench, tool, languages=["de"], text=text) as project:
            run = project.translate()
            try:
                got = project.read("de")
            except OSError:
                got = ""
            kept = re.search(f'"b": {expected}', got) and '"ONE"' in got and '"TWO"' in got
            found_values.append(f"{name}: " + ("yes" if kept else f"`{' '.join(got.split())}`, code {run.code}"))
    return "; ".join(found_values)


def plurals(bench, tool):
    """Translates an English text with `_one` and `_other` into Polish, which has four forms. Shows the keys of the result."""
    text = '{\n    "lid_one": "{{count}} lid",\n    "lid_other": "{{count}} lids"\n}\n'
    with Project(bench, tool, languages=["pl"], text=text) as project:
        project.translate()
        return ", ".join(key.removeprefix("lid") for key in json.loads(project.read("pl")))


def missing_text(bench, tool):
    """Adds a text that has no translation yet. Shows the exit code of the check for CI."""
    if not tool.check:
        return "no check"
    with Project(bench, tool, languages=["de"]) as project:
        project.translate()
        complete = project.run(tool.check)
        project.write("locales/en.json", project.text.replace('"text0"', '"new": "A new text.", "text0"').encode())
        return f"code {project.run(tool.check).code}; without one {complete.code}"


def busy(bench, tool):
    """Answers each request twice with 429 and `Retry-After: 1`. How does the run end?"""
    with Project(bench, tool, "--fault", "429;times=2;retry-after=1;path=/v2/translate", languages=["de"], text=source(40)) as project:
        run = project.translate()
        try:
            done = len(texts(json.loads(project.read("de"))))
        except (OSError, ValueError):
            done = 0
        return f"{done} of 40 translated, code {run.code}, {run.seconds:.1f} s"


def key_in_arguments(bench, tool):
    """Reads the arguments of all processes while a request waits. Is the key among them?"""
    with Project(bench, tool, "--latency", "2s", languages=["de"]) as project:
        process = project.start(tool.command(project.languages))
        wait_until(lambda: connected(project.sandbox.url))
        seen = any(KEY in arguments for arguments in all_arguments(project.sandbox.process.pid))
        subprocess.run(["kill", "-9", "--", f"-{process.pid}"], check=False)
        process.wait()
        return "yes" if seen else "no"


ROWS = [
    ("installed", size),
    ("formats", formats),
    ("1,000 texts, 2 languages, 50 ms", first_run),
    ("a text of the source changes", changed_text),
    ("a person's change of a translation is kept", edited_text),
    ("placeholders, as they are sent", placeholder),
    ("order, four spaces, last newline kept", layout),
    ("values beside texts", values),
    ("plural forms for Polish", plurals),
    ("a missing translation in CI", missing_text),
    ("429 twice", busy),
    ("key visible in `ps`", key_in_arguments),
]
