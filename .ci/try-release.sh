#!/usr/bin/env bash
# Tries a release where nothing of this package is, nor anything that it was built with.
#
#   .ci/try-release.sh FOLDER [--without-compiler]
#
# FOLDER is what an archive holds, unpacked. It is tried
#
#   1. in a root that has the C library and nothing else, not even a shell: scenarios without policies pass, and
#      those with policies say that the compiler is missing;
#   2. in a fresh Debian, behind the steps of the Dockerfile's stage `slim`;
#   3. in a fresh Debian with Swift's compiler, behind those of `policies`: scenarios with policies pass.
#
# Each as a plain user. The last two roots are made by debootstrap, and left out by --without-compiler. All are gone
# afterwards. Needs root.
set -euo pipefail
release=$(cd "${1:?FOLDER is missing}" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
scenarios=$(cd "$here/../Scenarios" && pwd)
[ "$(id -u)" = 0 ] || { echo "only root can change root" >&2; exit 2; }

# Mounts are this process's own, and end with it.
if [ "${HEAVYWEIGHT_OWN_MOUNTS:-}" != 1 ]; then
  HEAVYWEIGHT_OWN_MOUNTS=1 exec unshare --mount --propagation private bash "$0" "$@"
fi
root=$(mktemp -d)
trap 'umount -R "$root" 2>/dev/null || true; rm -rf --one-file-system "$root"' EXIT
# A file system of its own: nothing of it is left, whatever happens.
mount -t tmpfs tmpfs "$root"

# The release, and scenarios as a user has them, in a root.
furnish() {
  mkdir -p "$1/opt/heavyweight" "$1/work/Policies" "$1/proc" "$1/tmp" "$1/dev"
  chmod 1777 "$1/tmp" "$1/work"
  cp -a "$release/." "$1/opt/heavyweight/"
  cp "$scenarios/Lightweight/AddAttributes.scenario.yaml" "$1/work/"
  cp "$scenarios/Tags/Short.scenario.yaml" "$1/work/"
  cp "$scenarios/Tags/Policies/TagsMigrationPolicy.swift" "$1/work/Policies/"
  mount -t proc proc "$1/proc"
  mount --bind /dev "$1/dev"
}

# Runs the tool in a root, and holds its status and output against what is expected.
expect() {
  local status=$1 text=$2 where=$3 found=0 output
  shift 3
  output=$(env -i PATH="${TRIED_PATH:-/nowhere}" HOME=/work "$(command -v chroot)" --userspec=1000:1000 "$where" \
    /opt/heavyweight/bin/heavyweight "$@" 2>&1) || found=$?
  if [ "$found" != "$status" ] || [[ $output != *"$text"* ]]; then
    printf '%s\n' "$output" "heavyweight $* ended with $found, expected $status and '$text'" >&2
    exit 1
  fi
  printf 'heavyweight %s: %s, as expected\n' "$*" "$found"
}

echo "In a root with the C library alone:"
bare=$root/bare
mkdir -p "$bare"
ldd "$release/lib/heavyweight/heavyweight" | awk '/lib(c|m|dl|pthread|rt|resolv)\.so|ld-linux/ {
  print ($2 == "=>") ? $3 : $1 }' | while read -r library; do
  mkdir -p "$bare$(dirname "$library")"
  cp -L "$library" "$bare$library"
done
furnish "$bare"
expect 0 "heavyweight " "$bare" --version
expect 0 "1 scenario, 2 runs: 2 passed" "$bare" run /work/AddAttributes.scenario.yaml
expect 2 "the Swift compiler" "$bare" run /work/Short.scenario.yaml
expect 0 "every promise was kept" "$bare" crash /work/AddAttributes.scenario.yaml --at every 20 --faults kill
expect 0 "required-without-default" "$bare" explain required-without-default
[ "${2:-}" = --without-compiler ] && exit

command -v debootstrap >/dev/null || { echo "debootstrap is missing: apt-get install debootstrap" >&2; exit 2; }
mkdir -p "$root/packages"
debian() {
  debootstrap --variant=minbase --cache-dir="$root/packages" ${2:+--include="$2"} bookworm "$1" \
    >"$root/debootstrap.log" 2>&1 || { tail -5 "$root/debootstrap.log" >&2; exit 1; }
  furnish "$1"
}

# The steps of a stage of the Dockerfile, where that stage's base and the release are.
play_stage() {
  "$here/dockerfile-steps.sh" "$1" | env -i PATH="/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/swift/usr/bin" \
    "$(command -v chroot)" "$2" /bin/sh >"$root/stage.log" 2>&1 || { cat "$root/stage.log" >&2; exit 1; }
  printf 'the steps of stage %s of the Dockerfile: 0, as expected\n' "$1"
}

echo "In a fresh Debian:"
debian "$root/slim"
play_stage slim "$root/slim"
TRIED_PATH=/usr/bin:/bin expect 0 "1 scenario, 2 runs: 2 passed" "$root/slim" run /work/AddAttributes.scenario.yaml

echo "In a fresh Debian with Swift's compiler:"
# What swift.org asks for on Debian, as far as policies need it.
debian "$root/policies" \
  binutils,libsqlite3-0,libc6-dev,libgcc-12-dev,libstdc++-12-dev,libxml2,libncurses6,libedit2
toolchain=$(dirname "$(dirname "$(readlink -f "$(command -v swiftc)")")")
mkdir -p "$root/policies/opt/swift/usr"
mount --bind -o ro "$toolchain" "$root/policies/opt/swift/usr"
play_stage policies "$root/policies"
TRIED_PATH=/opt/swift/usr/bin:/usr/bin:/bin expect 0 "2 scenarios, 4 runs: 4 passed" "$root/policies" run /work
