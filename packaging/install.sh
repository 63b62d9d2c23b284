#!/bin/sh
# Installs tulk from this folder, or removes it: ./install.sh [--prefix DIR] [--uninstall] [--force]
#
# Without --prefix it goes to /usr/local for root, and to ~/.local for others. DESTDIR stands before every path, for those
# who make packages. What was installed is listed in PREFIX/share/tulk/installed-files, from which --uninstall takes it.
set -eu
umask 022

fail() {
  printf 'error: %s\n' "$1" >&2
  if [ -n "${2-}" ]; then printf '  hint: %s\n' "$2" >&2; fi
  exit 1
}

usage() {
  sed -n 's/^# \{0,1\}//; 2,5p' "$0"
}

prefix='' uninstall='' force=''
while [ $# -gt 0 ]; do
  case $1 in
    --prefix)
      [ $# -ge 2 ] || { printf 'error: --prefix needs a directory\n' >&2; exit 2; }
      prefix=$2
      shift
      ;;
    --prefix=*) prefix=${1#--prefix=} ;;
    --uninstall) uninstall=1 ;;
    --force) force=1 ;;
    -h | --help) usage; exit 0 ;;
    *) printf 'error: unknown argument: %s\n' "$1" >&2; usage >&2; exit 2 ;;
  esac
  shift
done

if [ -z "$prefix" ]; then
  if [ "$(id -u)" -eq 0 ]; then
    prefix=/usr/local
  else
    prefix=${HOME:?HOME is not set; use --prefix}/.local
  fi
fi
case $prefix in
  /*) ;;
  *) fail "--prefix: $prefix is not an absolute path" ;;
esac
while [ "$prefix" != "${prefix%/}" ]; do prefix=${prefix%/}; done
target=${DESTDIR-}$prefix
list=share/tulk/installed-files

# Removes what is in the list of an earlier installation and not in the file $1.
remove_listed() {
  while IFS= read -r file; do
    case $file in
      '' | /* | ../* | */../* | */..) continue ;;
    esac
    if grep -qxF -- "$file" "$1"; then continue; fi
    rm -f -- "$target/$file"
  done < "$target/$list"
}

# Removes directories of tulk alone, and those that nobody uses any more; never the prefix.
remove_empty() {
  while IFS= read -r file; do
    directory=${file%/*}
    while [ "$directory" != . ] && rmdir -- "$target/$directory" 2>/dev/null; do
      case $directory in
        */*) directory=${directory%/*} ;;
        *) directory=. ;;
      esac
    done
  done < "$1"
}

temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
trap 'exit 1' HUP INT TERM

if [ -n "$uninstall" ]; then
  [ -f "$target/$list" ] || fail "tulk was not installed in $target by this script" "there is no $target/$list"
  [ -w "$target/bin" ] || fail "cannot write to $target/bin" 'run it as the user who installed tulk'
  cp "$target/$list" "$temporary/old"
  : > "$temporary/new"
  remove_listed "$temporary/new"
  rm -f -- "$target/$list"
  printf '%s\n' "$list" >> "$temporary/old"
  remove_empty "$temporary/old"
  printf 'removed tulk from %s\n' "$target"
  exit 0
fi

here=$(cd "$(dirname "$0")" && pwd)
cd "$here"
for file in tulk man/tulk.1 completions/tulk.bash LICENSE THIRD-PARTY-LICENSES; do
  [ -f "$file" ] || fail "$here/$file is missing" 'run install.sh in the unpacked folder of a release'
done
# A program for another machine is found before anything is replaced. For a package, it need not run here.
if [ -z "${DESTDIR-}" ] && ! ./tulk --version > "$temporary/version" 2>&1; then
  fail "the program does not run on this machine ($(uname -s) $(uname -m))" "this folder is ${here##*/}"
fi
if [ -e "$target/bin/tulk" ] && [ ! -f "$target/$list" ] && [ -z "$force" ]; then
  fail "$target/bin/tulk is there already, and this script has not installed it" 'remove it, or replace it with --force'
fi
mkdir -p -- "$target/bin" "$target/share/tulk" 2>/dev/null || fail "cannot create $target/bin" 'choose another directory with --prefix'
[ -w "$target/bin" ] && [ -w "$target/share/tulk" ] || fail "cannot write to $target/bin" 'choose another directory with --prefix'

# Adds a file: mode, path here, path below the prefix. It replaces the old one at once, even while that runs. The list comes
# first, so that what an interrupted installation left can be removed.
: > "$temporary/new"
if [ -f "$target/$list" ]; then cp "$target/$list" "$temporary/old"; fi
add() {
  printf '%s\n' "$3" >> "$target/$list"
  mkdir -p -- "$target/${3%/*}"
  cp -- "$2" "$target/$3.new"
  chmod "$1" "$target/$3.new"
  mv -f -- "$target/$3.new" "$target/$3"
  printf '%s\n' "$3" >> "$temporary/new"
}

add 755 tulk bin/tulk
for page in man/*.1; do add 644 "$page" "share/man/man1/${page##*/}"; done
add 644 completions/tulk.bash share/bash-completion/completions/tulk
add 644 completions/_tulk share/zsh/site-functions/_tulk
add 644 completions/tulk.fish share/fish/vendor_completions.d/tulk.fish
for file in LICENSE THIRD-PARTY-LICENSES README.md CHANGELOG.md SECURITY.md tulk.cdx.json; do
  [ ! -f "$file" ] || add 644 "$file" "share/doc/tulk/$file"
done
for file in docs/*.md docs/schemas/*.json; do
  [ ! -f "$file" ] || add 644 "$file" "share/doc/tulk/$file"
done

# What an older version had and this one has not.
if [ -f "$temporary/old" ]; then
  remove_listed "$temporary/new"
  remove_empty "$temporary/old"
fi
cp -- "$temporary/new" "$target/$list.new"
mv -f -- "$target/$list.new" "$target/$list"

printf 'installed tulk in %s\n' "$target"
case :${PATH-}: in
  *":$prefix/bin:"*) ;;
  *) printf '  hint: %s/bin is not in PATH\n' "$prefix" ;;
esac
