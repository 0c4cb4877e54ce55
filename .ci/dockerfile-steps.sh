#!/usr/bin/env bash
# Prints the RUN instructions of a stage of the Dockerfile as shell, one after the other.
#
#   .ci/dockerfile-steps.sh STAGE
set -euo pipefail
stage=${1:?STAGE is missing}
steps=$(awk -v stage="$stage" '
  /^FROM / { inside = ($NF == stage); next }
  inside && /^RUN / { sub(/^RUN /, ""); running = 1 }
  running { print; if (!/\\$/) running = 0 }' "$(dirname "$0")/../Dockerfile")
[ -n "$steps" ] || { echo "the Dockerfile has no stage '$stage' with steps" >&2; exit 2; }
printf 'set -e\n%s\n' "$steps"
