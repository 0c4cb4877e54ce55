#!/usr/bin/env bash
# What many scenarios take, and checking many versions: CPU seconds of all processes, and those on the clock.
#
#   ./Benchmarks/many.sh [TOOL]      the release build of this package unless another tool is named
#   HEAVYWEIGHT_BENCHMARK_MODEL=App.xcdatamodeld ./Benchmarks/many.sh     `check` of that model, too
set -euo pipefail
cd "$(dirname "$0")/.."
tool=${1:-}
if [ -z "$tool" ]; then
  swift build -c release --product heavyweight -debug-info-format none
  tool=$(swift build -c release --show-bin-path)/heavyweight
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Writes the n-th of a set of small scenarios: two versions, two rows, four expectations.
scenario() { # FOLDER N CHAIN
  cat > "$1/Small$2.scenario.yaml" <<YAML
scenario: Small, the $2th
models:
  v1:
    Song: { title: string, number: int32 = 0, album: Album? <-> songs }
    Album: { name: string, songs: "[Song] <-> album" }
  v2:
    Song: { title: string, number: int32 = 0, rating: int16 = 3, album: Album? <-> songs }
    Album: { name: string, songs: "[Song] <-> album" }
$4
seed:
  Album: [{ id: best, name: Best of $2 }]
  Song: [{ id: waltz, title: Waltz, number: $2, album: best }, { title: Tango }]
chain:
$3
expect:
- count: { Song: 2, Album: 1 }
- object: Song waltz
  has: { title: Waltz, rating: 3, album.name: Best of $2 }
- unique: Song.title
- inverse: Song.album
YAML
}

measure() { # WHAT COMMAND…
  local what=$1 status=0
  shift
  TIMEFORMAT="%U %S %R"
  { time "$@" > "$folder/output" 2> "$folder/errors" || status=$?; } 2> "$folder/time"
  read -r user system clock < "$folder/time"
  awk -v what="$what" -v u="$user" -v s="$system" -v c="$clock" -v status="$status" \
    'BEGIN { printf "%-52s %6.2f CPU s %6.2f s (status %d)\n", what, u + s, c, status }'
  if [ "$status" -gt 1 ]; then cat "$folder/errors" >&2; fi
}

mkdir "$folder/small" "$folder/policy"
for number in $(seq 1000); do
  scenario "$folder/small" "$number" "- v1 -> v2" ""
done
cat > "$folder/policy/SongPolicy.swift" <<'SWIFT'
import CoreData

final class SongPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource song: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: song, in: mapping, manager: manager)
    let new = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [song])
    new.first?.setValue(3, forKey: "rating")
  }
}
SWIFT
for number in $(seq 100); do
  scenario "$folder/policy" "$number" \
    "- v1 -> v2:
    SongToSong: { source: Song, destination: Song, policy: Small.SongPolicy }
    AlbumToAlbum: { source: Album, destination: Album }" \
    "policies: { module: Small, sources: SongPolicy.swift }"
done
printf '%s\n' "$("$tool" --version | head -1), $(nproc) cores"
measure "1,000 small scenarios, both backends, cold" \
  "$tool" run --cache "$folder/cache" "$folder/small"
measure "the same again" "$tool" run --cache "$folder/cache" "$folder/small"
measure "100 scenarios with one policy file, cold" \
  "$tool" run --cache "$folder/cold" "$folder/policy"
measure "the same again" "$tool" run --cache "$folder/cold" "$folder/policy"
if [ -n "${HEAVYWEIGHT_BENCHMARK_MODEL:-}" ]; then
  measure "check $(basename "$HEAVYWEIGHT_BENCHMARK_MODEL")" "$tool" check "$HEAVYWEIGHT_BENCHMARK_MODEL"
fi
