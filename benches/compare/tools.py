"""The compared tools: their paths, their versions, and the commands that their documentation recommends."""

import glob
import os
import re
import subprocess
import sys

from sandbox import KEY

DEEPL, DPTRAN = "deepl==1.32.0", "dptran@2.4.0"
DEEPL_I18N, JSON_AUTOTRANSLATE, I18N_AUTO = "deepl-i18n==1.0.0", "json-autotranslate@1.16.2", "i18n-auto-translation@2.2.3"

# The service accepts 50 lines per request. Tools without a mode for lines run under GNU parallel, in order and with eight jobs, because
# tulk has eight requests in flight. curl reads the header from a file, which keeps the key out of the process list.
PARALLEL = "parallel --will-cite -k -j 8"
CURL = (
    "curl -sS --fail --retry 5 -H @auth.txt -H 'Content-Type: application/json' --data-binary @- $URL/v2/translate"
)
CURL_LINES = (
    "jq -Rnc '[inputs] | _nwise(50) | {text: ., target_lang: \"DE\"}'"
    f" | {PARALLEL} --pipe -N 1 \"{CURL}\" | jq -r '.translations[].text'"
)
CURL_WHOLE = f"jq -Rsc '{{text: [.], target_lang: \"DE\"}}' | {CURL} | jq -j '.translations[].text'"


def steps(folder):
    """Returns the commands that install the other tools into a directory. The script itself installs nothing."""
    return [
        f"python3 -m venv {folder}/deepl && {folder}/deepl/bin/pip install {DEEPL}",
        f"cargo install --locked --root {folder}/dptran {DPTRAN}",
        f"python3 -m venv {folder}/deepl-i18n && {folder}/deepl-i18n/bin/pip install {DEEPL_I18N} {DEEPL}",
        f"npm install --prefix {folder}/json-autotranslate {JSON_AUTOTRANSLATE}",
        f"npm install --prefix {folder}/i18n-auto-translation {I18N_AUTO}",
        "apt-get install curl jq parallel time openssl util-linux iproute2   # or what your system has for it",
    ]


class Tool:
    """A tool for texts: shell commands that read stdin and write stdout. `None` means that the tool lacks the feature."""

    def __init__(self, name, program, version, whole, lines, **more):
        self.name, self.program, self.version, self.whole, self.lines = name, program, version, whole, lines
        self.cached = more.get("cached")  # like `lines`, with one request at a time, and with the cache
        self.resumed = more.get("resumed")  # from in.txt to out.txt; resumes if it is run again
        self.document = more.get("document")  # translates letter.txt into the directory `out`; tulk resumes if it is run again
        self.script = more.get("script")  # like `lines`, with a script that uses the tool's library
        self.prepare = more.get("prepare")  # writes settings; runs once per home directory
        self.size = more["size"]

    def environment(self, url, home):
        """Returns the environment of this tool, with its own directory first in PATH."""
        return {
            "PATH": os.path.dirname(self.program) + ":" + os.environ["PATH"],
            "HOME": home, "URL": url, "LC_ALL": "C.UTF-8", "PYTHONPATH": "",
            "TULK_SERVER": url, "TULK_API_KEY": KEY,
            "DEEPL_SERVER_URL": url, "DEEPL_AUTH_KEY": KEY,
            "DPTRAN_DEEPL_API_KEY": KEY,
        }


def output(*command):
    """Returns what a program prints."""
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def python_size(folder):
    """Counts the packages and file sizes of a virtual environment, without pip and its companions."""
    site = glob.glob(os.path.join(folder, "lib/python3*/site-packages"))[0]
    own = ("pip", "setuptools", "pkg_resources", "_distutils_hack", "distutils-precedence")
    packages = [p for p in glob.glob(site + "/*.dist-info") if not os.path.basename(p).startswith(("pip-", "setuptools-"))]
    roots = [path for path in glob.glob(site + "/*") if not os.path.basename(path).startswith(own)]
    return f"{len(packages)} packages, {megabytes(roots)}, and Python"


def node_size(folder):
    """Counts the packages and file sizes below node_modules."""
    packages = glob.glob(folder + "/node_modules/*/package.json") + glob.glob(folder + "/node_modules/@*/*/package.json")
    return f"{len(packages)} packages, {megabytes([folder])}, and Node.js"


def megabytes(roots):
    """Returns the total size of files and directories."""
    size = 0
    for root in roots:
        for path, folders, files in os.walk(root):
            folders[:] = [name for name in folders if name != "__pycache__"]
            size += sum(os.lstat(os.path.join(path, name)).st_size for name in files)
        size += os.path.getsize(root) if os.path.isfile(root) else 0
    return f"{size / 1e6:.1f} MB"


def text_tools(tulk, folder):
    """Returns tulk and the tools that translate texts."""
    deepl, dptran = f"{folder}/deepl/bin/deepl", f"{folder}/dptran/bin/dptran"
    endpoints = "; ".join(
        f"dptran api --endpoint-of-{name} $URL/v2/{path}"
        for name, path in (("translation", "translate"), ("langs", "languages"), ("usage", "usage"))
    )
    found = [
        Tool(
            "tulk", tulk, output(tulk, "--version").split()[1],
            "tulk translate --to de", "tulk translate --to de --lines",
            cached="tulk translate --to de --lines --cache --concurrency 1",
            resumed="tulk translate --to de --lines -i in.txt -o out.txt --resume",
            document="tulk doc translate letter.txt --to de -o out/letter.txt",
            size=f"1 file, {megabytes([tulk])}",
        ),
        Tool(
            "deepl (Python)", deepl, output(deepl, "--version").split()[1].lstrip("v"),
            "deepl text --to DE -", f"{PARALLEL} -n 50 -q deepl text --to DE --",
            document="deepl document --to DE letter.txt out",
            script=f"{folder}/deepl/bin/python {os.path.dirname(os.path.abspath(__file__))}/lines.py",
            size=python_size(f"{folder}/deepl"),
        ),
        Tool(
            "dptran", dptran, output(dptran, "--version").split()[1],
            "dptran -t DE", f"{PARALLEL} --pipe -N 50 dptran --no-cache -t DE",
            cached="parallel --will-cite -k -j 1 --pipe -N 50 dptran -t DE",
            prepare=endpoints, size=f"1 file, {megabytes([dptran])}",
        ),
        Tool(
            "curl and jq", "/usr/bin/curl", output("curl", "--version").split()[1] + ", " + output("jq", "--version")[3:],
            CURL_WHOLE, CURL_LINES, size="usually there; GNU parallel is not",
        ),
    ]
    missing = [tool.name for tool in found if not os.path.exists(tool.program)]
    if missing:
        sys.exit(f"not installed: {', '.join(missing)}\n" + "\n".join(steps(folder)))
    return found


def programs(folder):
    """Returns the versions of the programs that run the tools."""
    python = output(f"{folder}/deepl/bin/python", "--version").split()[1]
    parallel = re.search(r"\d{8}", output("parallel", "--version")).group()
    return f"Python {python}, Node.js {output('node', '--version').lstrip('v')}, GNU parallel {parallel}"
