#!/usr/bin/env bash
# Everything this project checks, in the order in which it fails soonest.
#
#   ./ci.sh             all of it: what CI runs
#   ./ci.sh sample      install what is missing, build the tool alone, run some scenarios on both backends
#   ./ci.sh scenarios   install what is missing, build, run every scenario on both backends
#   ./ci.sh lint | build | test | crash | bench
#   ./ci.sh test unit   the tests that need nothing but their process: no tool, no compiler, no corpus, and no
#                       random cases by the hundred; less than a minute on two cores
#   ./ci.sh sanitize    the engine's tests under the thread sanitizer, the scenarios under the address
#                       sanitizer; two builds of their own, so not part of `all`
#   ./ci.sh soak MINUTES   random migrations one after the other in one process, 10,000 at least: memory stays flat
#   ./ci.sh fuzz MINUTES   so many minutes of wrong and malicious input for each thing that is read; not
#                       part of `all`, whose tests play what was found before
#   ./ci.sh export      make in .build/exported a Swift package of the scenarios as tests, for a Mac to judge them
#   ./ci.sh docs        the documentation as a site that can be searched, in .build/site; a link that leads nowhere fails
#   ./ci.sh install PREFIX   build for release and install into PREFIX, such as /usr/local
#   ./ci.sh release     build for release, and make in .build/release-archive what a release holds; try it in roots
#                       without this package, one of them a fresh Debian
#
# Works on a bare Debian or Ubuntu with Swift 6.3 or newer. Stops at the first failure.
set -euo pipefail
cd "$(dirname "$0")"

step() { printf '\n\033[1m==> %s\033[0m\n' "$*"; }
[ -t 1 ] && [ -z "${NO_COLOR:-}" ] || step() { printf '\n==> %s\n' "$*"; }

# Runs apt-get as root, whoever we are.
as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

require() {
  step "Looking for what the build needs"
  if ! command -v swift >/dev/null; then
    echo "swift is not on PATH; install Swift 6.3 or newer from https://www.swift.org/install" >&2
    exit 2
  fi
  swift --version 2>/dev/null | head -1
  local missing=()
  [ -e /usr/include/sqlite3.h ] || missing+=(libsqlite3-dev)
  [ -e /usr/include/zlib.h ] || missing+=(zlib1g-dev)
  if [ ${#missing[@]} -gt 0 ]; then
    echo "installing ${missing[*]}"
    as_root apt-get update -qq
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "${missing[@]}"
  fi
}

# What tests use besides. Without Python they fail: it checks the layout of stores. A test that lacks another tool
# counts as skipped. Pages are tested in Chromium.
require_test_tools() {
  local missing=()
  [ -e /usr/bin/python3 ] || missing+=(python3)
  [ -e /usr/bin/xmllint ] || missing+=(libxml2-utils)
  [ -e /usr/bin/sqlite3 ] || missing+=(sqlite3)
  [ -e /usr/bin/patchelf ] || missing+=(patchelf)
  [ -e /usr/bin/chromium ] || missing+=(chromium)
  python3 -c 'import jsonschema' 2>/dev/null || missing+=(python3-jsonschema)
  python3 -m pip --version >/dev/null 2>&1 || missing+=(python3-pip)
  if [ ${#missing[@]} -gt 0 ]; then
    echo "installing ${missing[*]}"
    as_root apt-get update -qq
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "${missing[@]}"
  fi
  # axe; where there is no PyPI, pages are tested with the rules that stand in the tests alone.
  [ -e .build/axe ] || python3 -m pip install --quiet --no-deps --target .build/axe axe-playwright-python==0.1.8 \
    || echo "axe is missing: pages are tested without it"
}

lint() {
  step "Checking the layout of the code (swift format lint --strict)"
  swift format lint --strict --parallel --recursive Package.swift Sources Tests Benchmarks
}

# Warnings in this package's own code fail the build.
build() {
  step "Building (debug)"
  mkdir -p .build
  swift build --build-tests 2>&1 | tee .build/build.log
  if grep -E "^$PWD/(Sources|Tests|Benchmarks)/.*: warning:" .build/build.log; then
    echo "the code above has warnings" >&2
    exit 1
  fi
  # Tests have the tool trap by the hundred, and each time the runtime reads all its debug information.
  strip --strip-debug .build/debug/heavyweight || true
}

# Of the tiers that are named, as in `unit` or `unit,process`; of all without a name.
run_tests() {
  step "Running the tests${1:+ ($1)}"
  if [ -z "${1:-}" ]; then
    swift test --skip-build
  else
    HEAVYWEIGHT_TIER=$1 swift test --skip-build
  fi
}

scenarios() {
  step "Running every scenario on both backends"
  "$(swift build --show-bin-path)/heavyweight" run Scenarios Benchmarks/Peers
}

# The shortest way from a clone to a green: neither tests nor benchmarks are built for it.
sample() {
  export HEAVYWEIGHT_BENCHMARKS=no
  step "Building the tool (debug)"
  swift build --product heavyweight
  step "Running a sample of the scenarios on both backends"
  "$(swift build --show-bin-path)/heavyweight" run Scenarios/Tags Scenarios/Chain Scenarios/Lightweight
}

# Every operation on files of small migrations of each kind, with every fault.
crash() {
  step "Playing small migrations with a fault at each operation on files"
  local tool
  tool=$(swift build --show-bin-path)/heavyweight
  HEAVYWEIGHT_EARLY_ROWS=1,1 "$tool" crash \
    Scenarios/Lightweight/AddAttributes.scenario.yaml \
    Scenarios/Lightweight/TextToNumberMapped.scenario.yaml \
    Scenarios/Tags/Short.scenario.yaml \
    Scenarios/Chain/ChainIntoItsOwnStore.scenario.yaml \
    Scenarios/Attributes/LargeValues.scenario.yaml
}

# Does steps at the same time of which each keeps one processor busy; tells what each printed when it is done.
beside() {
  local name pids=() status=0
  for name in "$@"; do
    "$name" >".build/$name.log" 2>&1 &
    pids+=($!)
  done
  for name in "$@"; do
    wait "${pids[0]}" || status=$?
    pids=("${pids[@]:1}")
    cat ".build/$name.log"
    [ $status = 0 ] || { kill "${pids[@]}" 2>/dev/null || true; exit $status; }
  done
}

# What `swift test` runs there on a Mac, with Apple's Core Data: see docs/apple.md.
export_tests() {
  step "Building the tool (debug)"
  swift build --product heavyweight
  step "Exporting every scenario to .build/exported"
  rm -rf .build/exported
  "$(swift build --show-bin-path)/heavyweight" export Scenarios --package .build/exported
}

bench() {
  step "Benchmark smoke run (debug): small sizes, to see that they still work"
  ./Benchmarks/run.sh --smoke
}

# Release: more inputs, and the build that users have. Findings are kept in .build/fuzz.
fuzz() {
  step "Building the fuzzers (release)"
  swift build -c release --product fuzz
  step "Fuzzing for $1 minutes each"
  "$(swift build -c release --show-bin-path)/fuzz" run --minutes "$1" --seed "$(date +%s)000000"
}

# Both sanitizers in builds of their own, so that neither disturbs the usual one. What they find ends the
# process it is found in, and so the test or the run.
sanitize() {
  step "Building the tests for the thread sanitizer"
  swift build --build-tests --sanitize=thread --scratch-path .build/thread-sanitizer
  step "Running the engine's tests under the thread sanitizer"
  local tests
  tests=$(ls -d .build/thread-sanitizer/debug/*.xctest)
  # The default exit status of a race is 66, also where all tests pass.
  TSAN_OPTIONS="suppressions=$PWD/.ci/thread-sanitizer.txt second_deadlock_stack=1" "$tests" \
    --testing-library swift-testing --filter 'ObjectModelTests|PredicatesTests|PersistenceTests|MigrationTests'
  step "Building for the address sanitizer"
  swift build --product heavyweight --sanitize=address --scratch-path .build/address-sanitizer
  step "Running every scenario under the address sanitizer"
  # Types, models and compiled policies are kept to the end on purpose, and look like leaks.
  ASAN_OPTIONS="detect_leaks=0 abort_on_error=1" .build/address-sanitizer/debug/heavyweight run \
    --memory 8G --timeout 600 Scenarios Benchmarks/Peers
}

soak() {
  step "Playing random migrations in one process, at least 10,000 and $1 minutes"
  HEAVYWEIGHT_SOAK=$1 swift test --skip-build --filter SoakTests
}

docs() {
  step "Making the site of the documentation"
  if ! python3 -m venv --help >/dev/null 2>&1 || ! python3 -c 'import ensurepip' 2>/dev/null; then
    as_root apt-get update -qq
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq python3-venv
  fi
  .ci/site/build.sh
}

build_for_release() {
  step "Building (release)"
  # What `heavyweight --version` says: the commit, with a + where something isn't committed.
  HEAVYWEIGHT_COMMIT=$(git describe --always --abbrev=12 --exclude='*' --dirty=+ 2>/dev/null || true)
  export HEAVYWEIGHT_COMMIT HEAVYWEIGHT_BENCHMARKS=no
  # What is installed is stripped of it anyway, and a seventh of the time is spent on it.
  swift build -c release --product heavyweight -debug-info-format none
}

install_tool() {
  local prefix=$1
  build_for_release
  step "Installing into $prefix"
  .ci/install.sh "$(swift build -c release --show-bin-path)" "$prefix"
  echo "installed $prefix/bin/heavyweight"
  case ":$PATH:" in
    *":$prefix/bin:"*) ;;
    *) echo "put $prefix/bin on your PATH" ;;
  esac
}

release() {
  local missing=() tool
  for tool in patchelf debootstrap; do command -v "$tool" >/dev/null || missing+=("$tool"); done
  if [ ${#missing[@]} -gt 0 ]; then
    as_root apt-get update -qq
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "${missing[@]}"
  fi
  build_for_release
  step "Making the archive"
  local archive
  archive=$(.ci/release.sh "$(swift build -c release --show-bin-path)" .build/release-archive | tail -1)
  step "Trying it in a clean root"
  as_root .ci/try-release.sh "${archive%.tar.gz}"
  du -h "$archive"
}

case "${1:-all}" in
  all) require; require_test_tools; lint; build; run_tests; scenarios; beside crash bench ;;
  scenarios) require; step "Building (debug)"; swift build; scenarios ;;
  sample) require; sample ;;
  lint) lint ;;
  build) require; build ;;
  test) require; require_test_tools; build; run_tests "${2:-}" ;;
  crash) require; step "Building (debug)"; swift build --product heavyweight; crash ;;
  bench) require; bench ;;
  sanitize) require; sanitize ;;
  soak) [ $# = 2 ] || { echo "say how many minutes, as in ./ci.sh soak 10" >&2; exit 2; }; require; build; soak "$2" ;;
  fuzz) [ $# = 2 ] || { echo "say for how many minutes, as in ./ci.sh fuzz 5" >&2; exit 2; }; require; fuzz "$2" ;;
  export) require; export_tests ;;
  docs) docs ;;
  install) [ $# = 2 ] || { echo "say where to, as in ./ci.sh install /usr/local" >&2; exit 2; }; require; install_tool "$2" ;;
  release) require; release ;;
  *) sed -n '2,21s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac

step "All done"
