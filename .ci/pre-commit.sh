#!/usr/bin/env bash
# What the hooks of .pre-commit-hooks.yaml do.
#
#   .ci/pre-commit.sh lock FILE…     lock --check of each model that a FILE is of, or lies beside, and that has a manifest
#   .ci/pre-commit.sh check FILE…    check --strict of each
#   .ci/pre-commit.sh run PATH…      the scenarios in PATHs, each within a minute
set -euo pipefail
action=${1:-}
[ $# -gt 0 ] && shift
command -v heavyweight >/dev/null || {
  echo "heavyweight isn't on PATH: './ci.sh install PREFIX' or a release's archive puts it there" >&2
  exit 2
}

# The models that files are of; those beside a mapping model, a manifest or accepted findings, and those that a mapping
# model names, wherever they are.
models() {
  local file folder name
  for file in "$@"; do
    case "$file" in
      *.xcdatamodeld/*) printf '%s\n' "${file%%.xcdatamodeld/*}.xcdatamodeld" ;;
      *.xcdatamodeld.lock.json) printf '%s\n' "${file%.lock.json}" ;;
      *.xcmappingmodel/* | *.heavyweight-check.yaml)
        name=$(sed -n 's|.*"sourcemodelpath"[^>]*>\(.*/\)\{0,1\}\([^/<]*\.xcdatamodeld\)/.*|\2|p' "$file" 2>/dev/null || true)
        [ -z "$name" ] || find . -name "$name" -not -path '*/.*/*' -print | sed 's|^\./||'
        folder=$(dirname "${file%%.xcmappingmodel/*}")
        find "$folder" -maxdepth 1 -name '*.xcdatamodeld' -print 2>/dev/null | sed 's|^\./||' ;;
    esac
  done | sort -u | while read -r model; do [ ! -d "$model" ] || printf '%s\n' "$model"; done
}

each_model() {
  local status=0 model
  while read -r model; do
    if [ "$action" = lock ]; then
      [ ! -e "$model.lock.json" ] || heavyweight lock "$model" --check || status=1
    else
      heavyweight check "$model" --strict || status=1
    fi
  done < <(models "$@")
  return $status
}

case "$action" in
  lock | check) each_model "$@" ;;
  run) heavyweight run "$@" --timeout 1m --quiet ;;
  *) sed -n '4,6s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
