#!/usr/bin/env bash
# Runs the benchmarks in a release build. With --smoke: small sizes, to see that they still work;
# the numbers mean nothing then.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "${1:-}" = --smoke ]; then
  export HEAVYWEIGHT_BENCHMARK_EVENTS=500,1000
  shift
fi
exec swift package benchmark run --no-progress "$@"
