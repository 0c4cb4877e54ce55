#!/usr/bin/env bash
# The steps of action.yml. What they are given comes in the environment, so that no input becomes shell.
#
#   .ci/action.sh install    HEAVYWEIGHT_VERSION of HEAVYWEIGHT_REPOSITORY into HEAVYWEIGHT_PREFIX: the release's
#                            archive, or with `source` a build of this folder
#   .ci/action.sh judge      HEAVYWEIGHT_MODELS: `lock --check` where there is a manifest, and `check --strict`
#   .ci/action.sh run        HEAVYWEIGHT_PATHS, HEAVYWEIGHT_SHARD, HEAVYWEIGHT_ARGUMENTS; reports in HEAVYWEIGHT_REPORT
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

# Every model is judged, also when one before it failed.
judge() {
  local models status=0
  read -ra models <<<"${HEAVYWEIGHT_MODELS:?}"
  for model in "${models[@]}"; do
    if [ -e "${model%/}.lock.json" ]; then "$tool" lock "$model" --check || status=1; fi
    "$tool" check "$model" --strict || status=1
  done
  return $status
}

run() {
  local paths arguments shard=()
  read -ra paths <<<"${HEAVYWEIGHT_PATHS:?}"
  read -ra arguments <<<"${HEAVYWEIGHT_ARGUMENTS:-}"
  [ -z "${HEAVYWEIGHT_SHARD:-}" ] || shard=(--shard "$HEAVYWEIGHT_SHARD")
  mkdir -p "${HEAVYWEIGHT_REPORT:?}"
  "$tool" run "${paths[@]}" "${shard[@]}" "${arguments[@]}" --github \
    --junit "$HEAVYWEIGHT_REPORT/junit.xml" --json "$HEAVYWEIGHT_REPORT/report.json" --html "$HEAVYWEIGHT_REPORT"
}

case "${1:-}" in
  install) install_tool ;;
  judge) judge ;;
  run) run ;;
  *) sed -n '4,7s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
