# Sourced by the scripts in this directory.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export CARGO_TERM_COLOR=never RUST_BACKTRACE=0
# Incremental compilation makes a build from nothing slower.
export CARGO_INCREMENTAL=0

step() { printf '\n== %s (after %d s)\n' "$*" "$SECONDS"; }

# 1: a missing program is an error. 0: what needs the program is skipped. The default is 1 where apt-get can install programs.
can_install=0 as_root=''
if [ "$(id -u)" -ne 0 ] && [ -n "${CI:-}" ]; then as_root='sudo -n'; fi
if command -v apt-get >/dev/null 2>&1 && [ "$($as_root id -u 2>/dev/null)" = 0 ]; then can_install=1; fi
export TULK_REQUIRE_TOOLS="${TULK_REQUIRE_TOOLS:-$can_install}"

# skip_without REASON: reports that a program is missing.
skip_without() {
  [ "$TULK_REQUIRE_TOOLS" != 1 ] || { echo "error: $*; to skip what needs it, set TULK_REQUIRE_TOOLS=0"; exit 1; }
  echo "skipped: $*"
}

# has PACKAGE: whether this machine has the programs of a Debian package, from wherever they come.
has() {
  case $1 in
    bash-completion) [ -e /usr/share/bash-completion/bash_completion ] ;;
    chromium) command -v chromium || command -v chromium-browser || command -v google-chrome ;;
    default-jre-headless) java -version 2>&1 | grep -E 'version "(1[7-9]|[2-9][0-9])' ;;
    man-db) command -v man ;;
    nix-bin) command -v nix-instantiate ;;
    nodejs) command -v node ;;
    parallel) parallel --version 2>/dev/null | grep '^GNU parallel' ;;
    python3-venv) python3 -c 'import ensurepip' 2>/dev/null ;;
    *) command -v "$1" ;;
  esac >/dev/null
}

# lacking PACKAGE...: prints the packages whose programs are missing.
lacking() {
  local package
  for package in "$@"; do has "$package" || echo "$package"; done
}

# debian_packages PACKAGE...: installs those packages whose programs are missing.
debian_packages() {
  local missing
  missing=$(lacking "$@" | xargs)
  if [ -n "$missing" ] && [ "$can_install" = 1 ] && $as_root apt-get update -qq \
    && $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $missing >/dev/null; then
    echo "installed $missing"
    missing=$(lacking "$@" | xargs)
  fi
  [ -z "$missing" ] || skip_without "not installed: $missing"
}
