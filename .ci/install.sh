#!/usr/bin/env bash
# Puts a built tool, and what it needs, where it works from any folder.
#
#   .ci/install.sh BUILD PREFIX
#
# BUILD is SwiftPM's folder with the products, as `swift build --show-bin-path` prints it. Afterwards PREFIX has
#
#   bin/heavyweight                     a link into lib/heavyweight
#   lib/heavyweight/heavyweight         the tool
#   lib/heavyweight/Modules/            the engine's modules, against which policies are compiled
#   lib/heavyweight/*.so                Swift's runtime, for machines without Swift
#   share/…                             completions for bash, zsh and fish; man pages
#   share/doc/heavyweight/              the documentation, the schemas and the licence
#   share/heavyweight/schemas/          the JSON schemas that `heavyweight schema` prints
#
# All links are relative: PREFIX may be moved as a whole. What was installed before is replaced.
set -euo pipefail
package=$(cd "$(dirname "$0")/.." && pwd)
build=${1:?BUILD is missing} prefix=${2:?PREFIX is missing}
tool=$build/heavyweight
[ -x "$tool" ] || { echo "there is no built tool in $build" >&2; exit 2; }
mkdir -p "$prefix"
prefix=$(cd "$prefix" && pwd)

# Everything is put together beside its place, and gets its name at the end.
new=$prefix/lib/.heavyweight.$$
trap 'rm -rf "$new"' EXIT
mkdir -p "$new/Modules" "$prefix/bin"
cp "$tool" "$new/heavyweight"
strip --strip-debug "$new/heavyweight" 2>/dev/null || true
for module in ObjectModel Predicates Persistence Migration CoreDataNames \
  ArchivedValues OSNames CombineNames UIKitNames AppKitNames; do
  cp "$build/Modules/$module.swiftmodule" "$new/Modules/"
done
# Swift's own libraries: found by their folder, whatever else the system has.
ldd "$tool" | awk '/\/swift\/linux\// { print $3 }' | while read -r library; do
  cp -L "$library" "$new/"
done
rm -rf "$prefix/lib/heavyweight"
mv "$new" "$prefix/lib/heavyweight"
ln -sfn ../lib/heavyweight/heavyweight "$prefix/bin/heavyweight"

complete() {
  mkdir -p "$(dirname "$prefix/share/$2")"
  "$prefix/bin/heavyweight" --generate-completion-script "$1" >"$prefix/share/$2"
}
complete bash bash-completion/completions/heavyweight
complete zsh zsh/site-functions/_heavyweight
complete fish fish/vendor_completions.d/heavyweight.fish

"$package/.ci/manual.sh" "$prefix/bin/heavyweight" "$prefix/share/man/man1"

# The pages keep their places to each other, so that their links work.
doc=$prefix/share/doc/heavyweight
rm -rf "$doc"
mkdir -p "$doc/Scenarios"
cp "$package"/{README.md,CHANGELOG.md,LICENSE} "$doc/"
cp -R "$package/docs" "$doc/docs"
# It builds from the sources.
rm "$doc/docs/in-container"
cp "$package"/Scenarios/{README.md,scenario.schema.json} "$doc/Scenarios/"
mkdir -p "$prefix/share/heavyweight/schemas"
"$prefix/bin/heavyweight" schema | while read -r name _; do
  "$prefix/bin/heavyweight" schema "$name" >"$prefix/share/heavyweight/schemas/$name.schema.json"
done
