#!/usr/bin/env bash
# Makes of a release build what a release holds.
#
#   .ci/release.sh BUILD FOLDER [--unpacked]
#
# BUILD is SwiftPM's folder with the products. Afterwards FOLDER has
#
#   heavyweight-VERSION-linux-ARCHITECTURE/           what the archive holds: see .ci/install.sh, and besides
#     lib/heavyweight/*.so                            all libraries but the C library's
#     share/doc/heavyweight/sbom.cdx.json             what it is made of
#     share/doc/heavyweight/REQUIREMENTS              what it needs, found out here
#     SHA256SUMS                                      of every file
#   heavyweight-VERSION-linux-ARCHITECTURE.tar.gz     the archive, the same bytes from the same build;
#                                                     left out by --unpacked
#   heavyweight-VERSION-linux-ARCHITECTURE.tar.gz.sha256
#
# Needs patchelf, by which the libraries find each other wherever the folder is.
set -euo pipefail
build=${1:?BUILD is missing} out=${2:?FOLDER is missing}
package=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$out"
out=$(cd "$out" && pwd)
[ -x "$build/heavyweight" ] || { echo "there is no built tool in $build" >&2; exit 2; }
command -v patchelf >/dev/null || { echo "patchelf is missing: apt-get install patchelf" >&2; exit 2; }

# What the tool says of itself is the only place with the version.
version=$("$build/heavyweight" --version | cut -d' ' -f2)
swift=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p')
name=heavyweight-$version-linux-$(uname -m)
root=$out/$name
rm -rf "$root"
"$package/.ci/install.sh" "$build" "$root"
lib=$root/lib/heavyweight
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What every glibc system has in the version that fits its kernel, and no archive may bring.
is_of_the_c_library() {
  case "$1" in
    libc.so.* | libm.so.* | libdl.so.* | libpthread.so.* | librt.so.* | libresolv.so.* | ld-linux*) return 0 ;;
    *) return 1 ;;
  esac
}

# The system's package that a file is of, and its version, where the system can say it.
package_of() {
  local owner
  owner=$(dpkg-query --search "*/$(basename "$(readlink -f "$1")")" 2>/dev/null | head -1 | cut -d: -f1) || true
  [ -z "$owner" ] || printf '%s\t%s' "$owner" "$(dpkg-query --show --showformat '${Version}\n' "$owner" | head -1)"
}

: >"$work/owners"
while read -r library path; do
  is_of_the_c_library "$library" && continue
  if [ ! -e "$lib/$library" ]; then
    cp -L "$path" "$lib/$library"
    printf '%s\t%s\n' "$library" "$(package_of "$path")" >>"$work/owners"
  fi
done < <(ldd "$build/heavyweight" | awk '/=> \// { print $1, $3 }')

# Libraries find each other beside themselves, whoever asks for them.
for file in "$lib"/*.so*; do
  strip --strip-unneeded "$file" 2>/dev/null || true
  patchelf --set-rpath "\$ORIGIN" "$file"
done
patchelf --set-rpath "\$ORIGIN" "$lib/heavyweight"

cd "$lib"
for file in *.so*; do
  owner=$(awk -F'\t' -v file="$file" '$1 == file { print $2 "\t" $3 }' "$work/owners")
  printf '%s\t%s\t%s\n' "$file" "$(sha256sum "$file" | cut -d' ' -f1)" "${owner:-$'\t'}"
done >"$work/libraries"
doc=$root/share/doc/heavyweight
swiftc -o "$work/sbom" "$package/.ci/sbom.swift"
# A test of this package makes a release while SwiftPM waits for the test.
swift package --ignore-lock --package-path "$package" show-dependencies --format json >"$work/graph.json"
"$work/sbom" "$version" "$swift" "$work/graph.json" "$package/Package.resolved" "$work/libraries" \
  >"$doc/sbom.cdx.json"

glibc=$(objdump -T "$lib/heavyweight" "$lib"/*.so* | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -1 | cut -d_ -f2)
# The median of nine starts, in milliseconds.
start=$(for _ in 1 2 3 4 5 6 7 8 9; do
  before=$(date +%s%N)
  "$root/bin/heavyweight" --version >/dev/null
  echo $((($(date +%s%N) - before) / 1000000))
done | sort -n | sed -n 5p)
cat >"$doc/REQUIREMENTS" <<TEXT
heavyweight $version
Linux on $(uname -m), glibc $glibc or newer
for scenarios with policies: the compiler of Swift $swift, and what it needs to link: libc6-dev, libgcc and libstdc++
$(du -sm "$root" | cut -f1) MB on disk; 'heavyweight --version' took $start ms where this was made
TEXT

cd "$root"
find . -type f ! -name SHA256SUMS -printf '%P\0' | sort -z | xargs -0 sha256sum >"$work/sums"
mv "$work/sums" SHA256SUMS
[ "${3:-}" != --unpacked ] || exit 0
date=$(git -C "$package" log -1 --format=%cI 2>/dev/null || echo @0)
cd "$out"
tar --create --sort=name --owner=0 --group=0 --numeric-owner --mtime="$date" "$name" | gzip -9n >"$name.tar.gz"
sha256sum "$name.tar.gz" >"$name.tar.gz.sha256"
echo "$out/$name.tar.gz"
