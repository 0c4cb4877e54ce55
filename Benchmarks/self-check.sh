#!/usr/bin/env bash
# Compares a build with itself, again and again, and fails if any comparison raises an alarm:
#
#   Benchmarks/self-check.sh [COUNT [HEAVYWEIGHT]]     50 times, with .build/release/heavyweight
#
# Each comparison has fifteen samples of 1,000 objects on either side, by turns.
set -euo pipefail
cd "$(dirname "$0")/.."
count=${1:-50}
tool=${2:-.build/release/heavyweight}
[ -x "$tool" ] || { echo "$tool isn't there; swift build -c release" >&2; exit 2; }

alarms=0
for ((number = 1; number <= count; number++)); do
  status=0
  output=$("$tool" bench Benchmarks/Peers/W1.scenario.yaml --objects 1000 --samples 15 \
    --baseline-tool "$tool" 2>&1) || status=$?
  case $status in
    0) ;;
    1)
      alarms=$((alarms + 1))
      printf 'comparison %d:\n%s\n' "$number" "$output"
      ;;
    *)
      echo "$output" >&2
      exit 2
      ;;
  esac
done
echo "$count comparisons of a build with itself, $alarms alarms"
[ "$alarms" = 0 ]
