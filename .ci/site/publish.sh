#!/usr/bin/env bash
# Adds the site to the branch gh-pages, beside those of other versions: `main`, or a release's tag, which becomes
# `latest`. Whoever asks for no version gets the latest release, and before there is one, main.
#
#   .ci/site/publish.sh main|v0.4.0 [--push]
set -euo pipefail
cd "$(dirname "$0")/../.."
name=${1:?main or a tag is missing} && shift
export PATH="$PWD/.build/site-tools/bin:$PATH" NO_MKDOCS_2_WARNING=1
aliases=() first=main
[ "$name" = main ] || { aliases=(latest) first=latest; }
mike deploy --config-file .ci/site/mkdocs.yml "$@" --update-aliases "${name#v}" "${aliases[@]}"
if [ $first = latest ] || ! git cat-file -e gh-pages:index.html 2>/dev/null; then
  mike set-default --config-file .ci/site/mkdocs.yml "$@" $first
fi
