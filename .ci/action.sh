#!/usr/bin/env bash
# The steps of action.yml. What they are given comes in the environment, so that no input becomes shell.
#
#   .ci/action.sh install    HEAVYWEIGHT_VERSION of HEAVYWEIGHT_REPOSITORY into HEAVYWEIGHT_PREFIX: the release's
#                            archive, or with `source` a build of this folder
#   .ci/action.sh key        what the tool of HEAVYWEIGHT_VERSION is kept by: the release, or with `source` the commit of
#                            this folder, or the content of its sources where it is no repository
#   .ci/action.sh judge      HEAVYWEIGHT_MODELS: `lock --check` where there is a manifest, and `check --strict`
#   .ci/action.sh run        HEAVYWEIGHT_PATHS, HEAVYWEIGHT_SHARD, HEAVYWEIGHT_ARGUMENTS, HEAVYWEIGHT_CACHE; reports in
#                            HEAVYWEIGHT_REPORT
#   .ci/action.sh join       the reports of shards in the folders HEAVYWEIGHT_JOIN into one, in HEAVYWEIGHT_REPORT
#
# Paths are one a line, or several on a line separated by blanks, those with blanks in quotes. A line that is a path
# itself is one, whatever it has in it.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
prefix=${HEAVYWEIGHT_PREFIX:?}
mkdir -p "$prefix"
prefix=$(cd "$prefix" && pwd)
tool=$prefix/bin/heavyweight

install_tool() {
  local version=${HEAVYWEIGHT_VERSION:?} name work
  if [ "$version" = source ]; then
    "$here/../ci.sh" install "$prefix"
    return
  fi
  version=${version#v}
  name=heavyweight-$version-linux-$(uname -m)
  work=$(mktemp -d)
  for file in "$name.tar.gz" "$name.tar.gz.sha256"; do
    curl --fail --location --silent --show-error --output "$work/$file" \
      "${HEAVYWEIGHT_REPOSITORY:?}/releases/download/v$version/$file" || {
      echo "::error::there is no release $version for $(uname -m): 'version: source' builds the tool instead" >&2
      exit 2
    }
  done
  (cd "$work" && sha256sum --check --quiet "$name.tar.gz.sha256") || {
    echo "::error::the archive of release $version isn't what its checksum says" >&2
    exit 2
  }
  tar --extract --file "$work/$name.tar.gz" --directory "$prefix" --strip-components 1
  rm -rf "$work"
  "$tool" --version
}

key() {
  local version=${HEAVYWEIGHT_VERSION:?}
  if [ "$version" = source ]; then
    version=$(git -C "$here/.." rev-parse --verify --quiet HEAD 2>/dev/null) ||
      version=$(cd "$here/.." && find Package.* Sources ci.sh .ci -type f -print0 | LC_ALL=C sort -z |
        xargs -0 sha256sum | sha256sum | cut -c 1-40)
  fi
  # Where this folder is, seen from inside of the job's container.
  printf '%s\n' "key=$version" "action=$here" | tee -a "${GITHUB_OUTPUT:-/dev/null}"
}

# Reads the words of an input into the array `words`; quotes and backslashes hold a word together, and nothing is run.
words() {
  local line
  words=()
  while IFS= read -r line; do
    if [ -e "$line" ]; then words+=("$line"); continue; fi
    # Without any word xargs would print an empty one.
    [ -n "${line//[[:space:]]/}" ] || continue
    xargs printf '%s' <<<"$line" >/dev/null 2>&1 || {
      echo "::error::a quote in this line isn't closed: $line" >&2
      exit 2
    }
    while IFS= read -r -d '' word; do words+=("$word"); done < <(xargs printf '%s\0' <<<"$line")
  done <<<"$1"
}

# Every model is judged, also when one before it failed.
judge() {
  local words status=0
  words "${HEAVYWEIGHT_MODELS:?}"
  for model in "${words[@]}"; do
    if [ -e "${model%/}.lock.json" ]; then "$tool" lock "$model" --check --github || status=1; fi
    "$tool" check "$model" --strict --github || status=1
  done
  return $status
}

# The summary of the job's page is kept beside the reports, too: what the comment says.
report() {
  local status=0 summary=${GITHUB_STEP_SUMMARY:-}
  mkdir -p "${HEAVYWEIGHT_REPORT:?}"
  rm -f "$HEAVYWEIGHT_REPORT/summary.md"
  GITHUB_STEP_SUMMARY=$HEAVYWEIGHT_REPORT/summary.md "$tool" "$@" --github --junit "$HEAVYWEIGHT_REPORT/junit.xml" \
    --json "$HEAVYWEIGHT_REPORT/report.json" --html "$HEAVYWEIGHT_REPORT" || status=$?
  if [ -n "$summary" ] && [ -e "$HEAVYWEIGHT_REPORT/summary.md" ]; then
    cat "$HEAVYWEIGHT_REPORT/summary.md" >>"$summary"
  fi
  return $status
}

run() {
  local words paths arguments=()
  words "${HEAVYWEIGHT_PATHS:?}"
  paths=("${words[@]}")
  words "${HEAVYWEIGHT_ARGUMENTS:-}"
  [ -z "${HEAVYWEIGHT_SHARD:-}" ] || arguments=(--shard "$HEAVYWEIGHT_SHARD")
  [ -z "${HEAVYWEIGHT_CACHE:-}" ] || arguments+=(--cache "$HEAVYWEIGHT_CACHE")
  report run "${paths[@]}" "${arguments[@]}" "${words[@]}"
}

join() {
  local words
  words "${HEAVYWEIGHT_JOIN:?}"
  report report "${words[@]}"
}

case "${1:-}" in
  install) install_tool ;;
  key) key ;;
  judge) judge ;;
  run) run ;;
  join) join ;;
  *) sed -n '4,15s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
