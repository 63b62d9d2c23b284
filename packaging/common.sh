# Sourced by the scripts in this directory. Defines paths, version and source time, and functions for tools and checksums.
set -euo pipefail
umask 022
export LC_ALL=C TZ=UTC CARGO_TERM_COLOR=never

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# Directory of finished packages. Intermediate files are in target/packages.
out=${TULK_PACKAGES:-$root/target/packages}
work=$root/target/packages/work
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' "$root/Cargo.toml" | head -n 1)

# Fixed versions, because another version may write different bytes.
cargo_deb=3.8.0
cargo_about=0.9.3
cargo_cyclonedx=0.5.9

fail() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# Time of every file in a package. Nothing in a package depends on the time of the build.
if [ -z "${SOURCE_DATE_EPOCH:-}" ]; then
  SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct 2>/dev/null) \
    || fail 'this directory is not a git repository: set SOURCE_DATE_EPOCH to the time of the source, in seconds'
fi
export SOURCE_DATE_EPOCH

# need NAME VERSION [OPTION...]: installs the cargo command NAME in target/ci-tools, unless this version is already installed.
need() {
  local name=$1 wanted=$2
  shift 2
  export PATH="$root/target/ci-tools/bin:$PATH"
  case $(cargo install --list --root "$root/target/ci-tools" 2>/dev/null) in
    *"$name v$wanted:"*) return ;;
  esac
  [ "$("$name" --version 2>/dev/null)" != "$name $wanted" ] || return 0
  # Built without optimization, since the tools run for only a few seconds. The shared target directory reuses common dependencies.
  CARGO_TARGET_DIR=$root/target/ci-tools/build CARGO_PROFILE_DEV_DEBUG=0 \
    cargo install --locked --quiet --debug --root "$root/target/ci-tools" "$@" "$name@$wanted" && command -v "$name" > /dev/null \
    || fail "cannot install $name $wanted"
}

need_deb() { need cargo-deb "$cargo_deb"; }
# Optimizes the comparison of licence texts, which would take minutes otherwise.
need_about() {
  need cargo-about "$cargo_about" --features cli --config 'profile.dev.package.spdx.opt-level=3' \
    --config 'profile.dev.package.regex-automata.opt-level=3'
}
need_cyclonedx() { need cargo-cyclonedx "$cargo_cyclonedx"; }

host() { rustc -vV | sed -n 's/^host: //p'; }

# Parses the common options of the package scripts into `target`, `binary` and `fast`. All are optional.
arguments() {
  target='' binary='' fast=''
  while [ $# -gt 0 ]; do
    case $1 in
      --target | --binary)
        [ $# -ge 2 ] || fail "$1 needs a value"
        printf -v "${1#--}" %s "$2"
        shift 2
        ;;
      --fast)
        fast=1
        shift
        ;;
      *) fail "unknown argument: $1 (known: --target TRIPLE, --binary FILE, --fast)" ;;
    esac
  done
  [ -z "$binary" ] || [ -f "$binary" ] || fail "no such file: $binary"
  [ -n "$target" ] || target=$(host)
}

# Copies the program to a file and strips its symbols. A release has none, but another build may. Programs for macOS and Windows are not
# changed: `strip` of Linux would invalidate the signature of the former.
copy_program() {
  install -m 755 "$1" "$2"
  case $target in *-linux-*) strip --strip-all "$2" 2> /dev/null || : ;; esac
}

# Writes SHA256SUMS for all packages of this version in $out, and the SBOM of a release.
checksums() {
  (
    cd "$out"
    find . -maxdepth 1 -type f \( -name "tulk-$version-*.tar.gz" -o -name "tulk-$version-*.zip" -o -name tulk.cdx.json \
      -o -name "tulk_${version/-/.}-*.deb" \) -printf '%f\n' | sort | xargs sha256sum > SHA256SUMS.new
    mv SHA256SUMS.new SHA256SUMS
  )
}
