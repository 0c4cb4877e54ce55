#!/usr/bin/env bash
# Makes the site of the documentation in .build/site. Warnings fail: a page in no section, a link that leads nowhere.
set -euo pipefail
cd "$(dirname "$0")/../.."
tools=.build/site-tools
[ -x "$tools/bin/mkdocs" ] || { python3 -m venv "$tools"; "$tools/bin/pip" install --quiet 'mkdocs-material==9.*' 'mike==2.*'; }
pages=.build/site-pages
rm -rf "$pages"
mkdir -p "$pages"
git ls-files -z --cached --others --exclude-standard '*.md' ':!README.md' ':!docs/README.md' | xargs -0 cp --parents -t "$pages"
cp README.md "$pages/index.md"
NO_MKDOCS_2_WARNING=1 "$tools/bin/mkdocs" build --strict --config-file .ci/site/mkdocs.yml
echo "made .build/site/index.html"
