#!/bin/sh
# The steps of action.yml: action.sh install, action.sh run. All inputs come from the environment.
set -eu
umask 022

# Prints an error annotation and exits. The text is escaped, so it cannot contain another workflow command.
fail() {
  printf '::error title=tulk::%s\n' "$(escaped "$1")"
  exit 1
}

# Escapes a text for a workflow command, on one line.
escaped() {
  printf '%s' "$1" | awk '{ gsub(/%/, "%25"); gsub(/\r/, "%0D"); if (NR > 1) printf "%%0A"; printf "%s", $0 }'
}

# Prints the target of this runner. The Linux programs are static, so they also run in containers such as Alpine.
target() {
  case ${RUNNER_OS:-}-${RUNNER_ARCH:-} in
    Linux-X64) echo x86_64-unknown-linux-musl ;;
    Linux-ARM64) echo aarch64-unknown-linux-musl ;;
    macOS-X64) echo x86_64-apple-darwin ;;
    macOS-ARM64) echo aarch64-apple-darwin ;;
    *) fail "this action does not support this runner (${RUNNER_OS:-unknown system}, ${RUNNER_ARCH:-unknown processor})" ;;
  esac
}

# Downloads over HTTPS only, except from this machine.
fetch() {
  case $1 in
    http://127.0.0.1[:/]* | http://localhost[:/]*) protocols='=http' ;;
    *) protocols='=https' ;;
  esac
  curl --fail --silent --show-error --location --proto "$protocols" --retry 3 --max-time 300 "$@"
}

releases() {
  if [ -n "${INPUT_RELEASES:-}" ]; then
    printf '%s\n' "${INPUT_RELEASES%/}"
    return
  fi
  repository=${ACTION_REPOSITORY:-}
  if [ -z "$repository" ]; then
    # Some runners leave the variable empty. The path of an action ends in OWNER/NAME/REF.
    repository=$(printf '%s\n' "${GITHUB_ACTION_PATH:-}" | sed -n 's|.*/_actions/\([^/]*/[^/]*\)/.*|\1|p')
  fi
  [ -n "$repository" ] || fail 'cannot determine the repository of this action; set the input `releases`'
  printf '%s/%s/releases\n' "${GITHUB_SERVER_URL:-https://github.com}" "$repository"
}

# Prints the version to install: the input, else the tag of the action, else the newest release.
version() {
  wanted=${INPUT_VERSION:-}
  wanted=${wanted#v}
  if [ -z "$wanted" ]; then
    case ${ACTION_REF:-} in
      v[0-9]*.[0-9]*.[0-9]*) wanted=${ACTION_REF#v} ;;
      *)
        page=$(fetch "$1/latest" --head --output /dev/null --write-out '%{url_effective}') \
          || fail "cannot find the newest release at $1/latest; set the input \`version\`"
        case $page in
          */v[0-9]*) wanted=${page##*/v} ;;
          *) fail "cannot determine the newest release from $page; set the input \`version\`" ;;
        esac
        ;;
    esac
  fi
  # The version becomes part of a URL and of paths.
  case $wanted in
    *[!0-9A-Za-z.+-]* | *..* | [!0-9]* | '') fail "invalid version: $wanted" ;;
  esac
  printf '%s\n' "$wanted"
}

digest() {
  if command -v sha256sum > /dev/null 2>&1; then
    sha256sum < "$1"
  else
    shasum -a 256 < "$1"
  fi | cut -d ' ' -f 1
}

install() {
  target=$(target) || { printf '%s\n' "$target"; exit 1; }
  releases=$(releases) || { printf '%s\n' "$releases"; exit 1; }
  version=$(version "$releases") || { printf '%s\n' "$version"; exit 1; }
  name=tulk-$version-$target
  from=$releases/download/v$version
  folder=${RUNNER_TEMP:?}/tulk-$version
  rm -rf "$folder"
  mkdir -p "$folder"
  fetch "$from/SHA256SUMS" --output "$folder/SHA256SUMS" || fail "cannot download $from/SHA256SUMS: is there a release $version?"
  expected=$(awk -v name="$name.tar.gz" '$2 == name || $2 == "*" name { print $1; exit }' "$folder/SHA256SUMS")
  [ -n "$expected" ] || fail "release $version has no $name.tar.gz"
  fetch "$from/$name.tar.gz" --output "$folder/$name.tar.gz" || fail "cannot download $from/$name.tar.gz"
  actual=$(digest "$folder/$name.tar.gz")
  [ "$actual" = "$expected" ] || fail "$name.tar.gz has the checksum $actual, but SHA256SUMS has $expected; nothing was installed"
  mkdir "$folder/bin"
  tar -xzf "$folder/$name.tar.gz" -C "$folder"
  mv "$folder/$name/tulk" "$folder/bin/tulk"
  rm -rf "$folder/$name.tar.gz" "${folder:?}/$name"
  "$folder/bin/tulk" --version || fail 'the program of this release does not run on this runner'
  printf '%s\n' "$folder/bin" >> "${GITHUB_PATH:?}"
  printf 'version=%s\n' "$version" >> "${GITHUB_OUTPUT:?}"
}

run() {
  key=${INPUT_API_KEY:-}
  if [ -n "$key" ]; then
    printf '::add-mask::%s\n' "$(escaped "$key")"
    # Logs are masked line by line, so each line of a key is registered too.
    printf '%s\n' "$key" | while IFS= read -r line; do
      line=$(printf '%s' "$line" | tr -d '\r')
      [ -z "$line" ] || printf '::add-mask::%s\n' "$(escaped "$line")"
    done
    TULK_API_KEY=$key
    export TULK_API_KEY
  fi
  [ -n "${INPUT_RUN:-}" ] || fail 'the input `api-key` is for `run` alone: set `run`, or TULK_API_KEY in `env` of your own steps'
  if [ -n "${INPUT_SERVER:-}" ]; then
    TULK_SERVER=$INPUT_SERVER
    export TULK_SERVER
  fi
  script=${RUNNER_TEMP:?}/tulk-run.sh
  printf '%s\n' "$INPUT_RUN" > "$script"
  unset INPUT_API_KEY INPUT_RUN INPUT_SERVER
  # Same command as for a step with `shell: bash`. Its exit code becomes that of the step.
  exec bash --noprofile --norc -e -o pipefail "$script"
}

case ${1-} in
  install | run) "$1" ;;
  *) printf 'usage: action.sh install|run\n' >&2; exit 2 ;;
esac
