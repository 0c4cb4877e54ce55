#!/usr/bin/env bash
# Runs the benchmarks in a release build. With --smoke: small sizes in a debug build, to see that they
# still work; the numbers mean nothing then.
set -euo pipefail
cd "$(dirname "$0")/.."

options=(--no-progress)
if [ "${1:-}" = --smoke ]; then
  # It is there already where the tests were built.
  options+=(--benchmark-build-configuration debug)
  export HEAVYWEIGHT_BENCHMARK_EVENTS=500,1000
  export HEAVYWEIGHT_BENCHMARK_BOOKS=300
  shift
fi
mkdir -p .build
swift package benchmark run "${options[@]}" "$@" 2>&1 | tee .build/benchmark.log
# The tool's own exit status doesn't tell when a benchmark threw an error, or none was run.
if grep -q '^Benchmark .* failed with' .build/benchmark.log; then
  echo "a benchmark failed" >&2
  exit 1
fi
grep -q 'Samples' .build/benchmark.log || { echo "no benchmark was run" >&2; exit 3; }
