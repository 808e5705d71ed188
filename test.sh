#!/usr/bin/env bash
# Installs what is missing, checks the layout of the sources (.ci/style), builds the release preset
# and runs every test not labelled "long" or "published".
#   --all         the long ones as well, those of published networks where MARQUETRY_MODELS names their
#                 folder, clang-tidy, which takes minutes, and all of this and ./run.sh on a machine with
#                 nothing installed (.ci/fresh_root, where root runs it and can make one; it says where not)
#   --sanitizers  builds asan and tsan and runs the engine, session and widget tests under them
set -euo pipefail
cd "$(dirname "$0")"
. .ci/setup.sh
install_packages
export QT_QPA_PLATFORM=${QT_QPA_PLATFORM:-offscreen} QT_LOGGING_RULES=${QT_LOGGING_RULES:-}
# Many tests simulate the same few designs: Verilator's makefiles compile what it wrote with this.
export OBJCACHE=ccache CCACHE_DIR=${CCACHE_DIR:-${HOME:-/tmp}/.cache/ccache}

run_tests() { # PRESET [ctest options…]
    local preset=$1
    shift
    ctest --test-dir "build/$preset" --output-on-failure --parallel "$(nproc)" --no-tests=error "$@"
}

run_fresh_root() {
    local status=0
    .ci/fresh_root || status=$?
    [ "$status" -ne 77 ] || { echo "left out: .ci/fresh_root, see above" >&2; return 0; }
    return "$status"
}

case "${1:-}" in
    --sanitizers)
        build asan
        ASAN_OPTIONS=detect_leaks=1 LSAN_OPTIONS=suppressions=$PWD/tests/lsan.supp \
            run_tests asan --label-exclude 'long|published'
        build tsan session_test
        TSAN_OPTIONS=ignore_noninstrumented_modules=1 run_tests tsan --label-regex session
        ;;
    --all)
        .ci/style --tidy
        build release
        if [ -n "${MARQUETRY_MODELS:-}" ]; then
            run_tests release
        else
            echo "left out: tests labelled \"published\", which need MARQUETRY_MODELS" >&2
            run_tests release --label-exclude published
        fi
        run_fresh_root
        ;;
    '')
        .ci/style
        build release
        run_tests release --label-exclude 'long|published'
        ;;
    *)
        echo "usage: ./test.sh [--all | --sanitizers]" >&2
        exit 2
        ;;
esac
