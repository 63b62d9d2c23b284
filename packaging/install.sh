#!/bin/sh
# Installs tulk from this directory, or removes it: ./install.sh [--prefix DIR] [--uninstall] [--force]
#
# The default prefix is /usr/local for root and ~/.local for other users. For packagers, DESTDIR is prepended to every path.
# PREFIX/share/tulk/installed-files lists the installed files. --uninstall removes these and nothing else.
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

prefix='' is_given='' uninstall='' force=''
while [ $# -gt 0 ]; do
  case $1 in
    --prefix)
      [ $# -ge 2 ] || { printf 'error: --prefix needs a directory\n' >&2; exit 2; }
      prefix=$2 is_given=1
      shift
      ;;
    --prefix=*) prefix=${1#--prefix=} is_given=1 ;;
    --uninstall) uninstall=1 ;;
    --force) force=1 ;;
    -h | --help) usage; exit 0 ;;
    *) printf 'error: unknown argument: %s\n' "$1" >&2; usage >&2; exit 2 ;;
  esac
  shift
done

if [ -z "$is_given" ]; then
  if [ "$(id -u)" -eq 0 ]; then
    prefix=/usr/local
  else
    prefix=${HOME:?HOME is not set; use --prefix}/.local
  fi
fi
case $prefix in
  /*) ;;
  '') fail '--prefix: the directory is empty' 'did you use a variable that is not set?' ;;
  *) fail "--prefix: $prefix is not an absolute path" ;;
esac
while [ "$prefix" != "${prefix%/}" ]; do prefix=${prefix%/}; done
root=${DESTDIR-}
case $root in
  '' | /*) ;;
  *) root=$PWD/$root ;;
esac
target=$root$prefix
list=share/tulk/installed-files

# Prints the lines of the list $1 that are paths below the prefix.
paths_of() {
  while IFS= read -r path; do
    case $path in
      '' | /* | ../* | */../* | */..) ;;
      *) printf '%s\n' "$path" ;;
    esac
  done < "$1"
}

# Removes the files that are in the list $1 but not in the list $2.
remove_files() {
  paths_of "$1" | while IFS= read -r file; do
    case $file in
      */) continue ;;
    esac
    if ! grep -qxF -- "$file" "$2"; then rm -f -- "$target/$file"; fi
  done
}

# Removes the directories in the list $1 if they are empty. They were created for tulk.
remove_directories() {
  paths_of "$1" | grep '/$' | LC_ALL=C sort -r | while IFS= read -r directory; do
    rmdir -- "$target/$directory" 2>/dev/null || :
  done
}

temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
trap 'exit 1' HUP INT TERM

if [ -n "$uninstall" ]; then
  [ -f "$target/$list" ] || fail "tulk was not installed in ${target:-/} by this script" "there is no $target/$list"
  [ -w "$target/bin" ] || fail "cannot write to $target/bin" 'run this script as the user who installed tulk'
  cp "$target/$list" "$temporary/old"
  : > "$temporary/new"
  remove_files "$temporary/old" "$temporary/new"
  rm -f -- "$target/$list"
  remove_directories "$temporary/old"
  printf 'removed tulk from %s\n' "${target:-/}"
  exit 0
fi

here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
cd "$here"
for file in tulk man/tulk.1 completions/tulk.bash LICENSE THIRD-PARTY-LICENSES; do
  [ -f "$file" ] || fail "$here/$file is missing" 'run install.sh in the unpacked directory of a release'
done
# Detect a program for another machine before replacing anything. A packager may package for another machine.
if [ -z "${DESTDIR-}" ] && ! ./tulk --version > "$temporary/version" 2>&1; then
  fail "the program does not run on this machine ($(uname -s) $(uname -m))" "this directory is ${here##*/}"
fi
if [ -e "$target/bin/tulk" ] && [ ! -f "$target/$list" ] && [ -z "$force" ]; then
  fail "$target/bin/tulk already exists and was not installed by this script" 'remove it, or replace it with --force'
fi

: > "$temporary/new"
if [ -f "$target/$list" ]; then
  cp "$target/$list" "$temporary/old"
  paths_of "$temporary/old" | grep '/$' > "$temporary/new" || :
fi

# Adds a path to the new list and, once its directory exists, to the installed list, so that --uninstall can clean up after an
# interrupted installation.
record() {
  printf '%s\n' "$1" >> "$temporary/new"
  if [ -d "$target/${list%/*}" ]; then printf '%s\n' "$1" >> "$target/$list"; fi
}

# Creates a directory below the prefix with its parents, and records those that did not exist.
create_directory() {
  if [ -d "$target/$1" ]; then return; fi
  case $1 in
    */*) create_directory "${1%/*}" ;;
  esac
  mkdir -- "$target/$1" 2>/dev/null || fail "cannot create $target/$1" 'choose another directory with --prefix'
  record "$1/"
}
mkdir -p -- "$target/" 2>/dev/null || fail "cannot create ${target:-/}" 'choose another directory with --prefix'
create_directory bin
create_directory share/tulk
for directory in bin share/tulk; do
  [ -w "$target/$directory" ] || fail "cannot write to $target/$directory" 'choose another directory with --prefix'
done
cat -- "$temporary/new" >> "$target/$list"

# Installs a file: mode, source path, path below the prefix. Replaces an existing file atomically, even a running program.
add() {
  create_directory "${3%/*}"
  record "$3"
  cp -- "$2" "$target/$3.new"
  chmod "$1" "$target/$3.new"
  mv -f -- "$target/$3.new" "$target/$3"
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

# Remove files that only the older version had.
if [ -f "$temporary/old" ]; then
  remove_files "$temporary/old" "$temporary/new"
  remove_directories "$temporary/old"
fi
cp -- "$temporary/new" "$target/$list.new"
mv -f -- "$target/$list.new" "$target/$list"

printf 'installed tulk in %s\n' "${target:-/}"
case :${PATH-}: in
  *":$prefix/bin:"*) ;;
  *) printf '  hint: %s/bin is not in PATH\n' "$prefix" ;;
esac
