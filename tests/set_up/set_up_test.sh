#!/usr/bin/env bash
# set_up_test.sh TEST: runs one test of .ci/setup.sh, test.sh or .ci/fresh_root, on a machine
# whose package manager is made up. Exit status: 0 passed, 1 failed, 77 cannot be tested here.
# shellcheck disable=SC2016 # programs are written as text
# shellcheck disable=SC1091 # what is sourced is checked by itself
set -euo pipefail
source=$(readlink -f "$(dirname "$0")/../..")
folder=$(mktemp -d "${TEST_TMPDIR:-/tmp}/set_up.XXXXXX")
trap 'rm -rf -- "$folder"' EXIT

fail() {
    printf 'failed: %s\n' "$@" >&2
    exit 1
}

expect_status() { # EXPECTED
    [ "$status" -eq "$1" ] || fail "status $status, not $1" "$(cat "$folder/stderr")"
}

expect_said() { # TEXT
    grep -qF -- "$1" "$folder/stderr" || fail "does not say '$1'" "$(cat "$folder/stderr")"
}

expect_not_said() { # TEXT
    ! grep -qF -- "$1" "$folder/stderr" || fail "says '$1'" "$(cat "$folder/stderr")"
}

program() { # NAME; its text from standard input
    { echo '#!/bin/bash' && cat; } >"$folder/bin/$1"
    chmod +x "$folder/bin/$1"
}

# Three packages, of which alpha is there; nothing but what is made here can be called.
machine() {
    local tool
    mkdir -p "$folder/bin" "$folder/.ci"
    cp "$source/.ci/setup.sh" "$folder/.ci/"
    printf '%s\n' '# A comment.' alpha beta 'gamma # why' '' >"$folder/.ci/packages"
    for tool in bash sed cut grep paste cat env; do
        ln -s "$(command -v "$tool")" "$folder/bin/$tool"
    done
    echo 'installed alpha' >"$folder/state"
    : >"$folder/refused"
    : >"$folder/calls"
    program id <<<'echo 0'
    program apt-cache <<<'echo "$2:"; echo "  Candidate: 1.0"'
    program dpkg-query <<'END'
status=0
for package in "${@:3}"; do grep "^[a-z-]* $package\$" "$MACHINE/state" || status=1; done
exit $status
END
    program apt-get <<'END'
echo "apt-get $*" >>"$MACHINE/calls"
[ "$1" = install ] || exit 0
status=0
for package in "$@"; do
    case "$package" in -* | install) continue ;; esac
    if grep -qx "$package" "$MACHINE/refused"; then status=100; continue; fi
    echo "installed $package" >>"$MACHINE/state"
done
exit $status
END
}

install() {
    status=0
    (cd "$folder" && MACHINE=$folder PATH=$folder/bin /bin/bash -euo pipefail -c \
        '. .ci/setup.sh; install_packages; echo built >>calls') >/dev/null 2>"$folder/stderr" || status=$?
}

InstallsWhatIsMissing() {
    machine
    install
    expect_status 0
    grep -qx 'apt-get install .* beta gamma' "$folder/calls" || fail "$(cat "$folder/calls")"
    [ "$(tail -n 1 "$folder/calls")" = built ] || fail "does not go on"
}

LeavesAloneWhatIsThere() {
    machine
    printf 'installed %s\n' beta gamma >>"$folder/state"
    install
    expect_status 0
    [ "$(cat "$folder/calls")" = built ] || fail "$(cat "$folder/calls")"
}

AsksSudoAsAUser() {
    machine
    program id <<<'echo 1000'
    program sudo <<<'echo "sudo $*" >>"$MACHINE/calls"; exec "$@"'
    install
    expect_status 0
    grep -q '^sudo .*apt-get install .* beta gamma$' "$folder/calls" || fail "$(cat "$folder/calls")"
}

SaysSoWithoutSudo() {
    machine
    program id <<<'echo 1000'
    install
    expect_status 1
    expect_said 'as root: apt-get install beta gamma'
    [ ! -s "$folder/calls" ] || fail "$(cat "$folder/calls")"
}

NamesWhatCouldNotBeInstalled() {
    machine
    echo gamma >"$folder/refused"
    install
    expect_status 1
    expect_said 'could not be installed: gamma'
    expect_not_said 'offers no package'
    ! grep -qx built "$folder/calls" || fail "builds all the same"
}

BelievesDpkgAndNotAptGet() {
    machine
    program apt-get <<<'exit 0'
    install
    expect_status 1
    expect_said 'could not be installed: beta gamma'
}

CountsHalfInstalledAsMissing() {
    machine
    printf '%s\n' 'half-configured beta' 'installed gamma' >>"$folder/state"
    install
    expect_status 0
    grep -qx 'apt-get install .* beta' "$folder/calls" || fail "$(cat "$folder/calls")"
}

NamesWhatAptGetDoesNotKnow() {
    machine
    echo gamma >"$folder/refused"
    program apt-cache <<<'[ "$2" = gamma ] || { echo "$2:"; echo "  Candidate: 1.0"; }'
    install
    expect_status 1
    expect_said 'apt-get offers no package named: gamma'
    expect_said 'Debian 12'
}

SaysSoWithoutAptGet() {
    machine
    rm "$folder/bin/apt-get"
    install
    expect_status 1
    expect_said 'alpha beta gamma'
    expect_said 'Debian 12'
}

ReadsTheRealDpkg() {
    local found
    command -v dpkg-query >/dev/null || exit 77
    mkdir "$folder/.ci"
    printf '%s\n' dpkg no-such-package bash >"$folder/.ci/packages"
    found=$(cd "$folder" && . "$source/.ci/setup.sh" && missing_packages)
    [ "$found" = no-such-package ] || fail "missing: '$found'"
}

DocumentsEveryPackage() {
    local package missing=()
    cd "$source" && . .ci/setup.sh
    for package in $(wanted_packages); do
        grep -qF "\`$package\`" docs/dependencies.md || missing+=("$package")
    done
    [ ${#missing[@]} -eq 0 ] || fail "docs/dependencies.md lacks ${missing[*]}"
}

# test_script STATUS [ARGUMENTS…]: with nothing to build, and a fresh root that ends with STATUS.
test_script() {
    machine
    printf 'installed %s\n' beta gamma >>"$folder/state"
    cp "$source/test.sh" "$folder/"
    for tool in cmake ctest nproc; do program "$tool" <<<'echo 1'; done
    ln -s "$(command -v dirname)" "$folder/bin/dirname"
    printf '#!/bin/bash\necho fresh_root >>calls\nexit %s\n' "$1" >"$folder/.ci/fresh_root"
    printf '#!/bin/bash\necho "style $*" >>calls\n[ ! -e ill ]\n' >"$folder/.ci/style"
    chmod +x "$folder/.ci/fresh_root" "$folder/.ci/style"
    status=0
    MACHINE=$folder PATH=$folder/bin "$folder/test.sh" "${@:2}" >/dev/null 2>"$folder/stderr" || status=$?
}

AllRunsTheFreshRoot() {
    test_script 0 --all
    expect_status 0
    grep -qx fresh_root "$folder/calls" || fail "it is not run"
    expect_not_said 'left out: .ci/fresh_root'
}

AllLeavesOutPublishedNetworksThatAreNotThere() {
    unset MARQUETRY_MODELS
    test_script 0 --all
    expect_status 0
    expect_said 'left out: tests labelled "published"'
}

AllTestsPublishedNetworks() {
    export MARQUETRY_MODELS=models
    test_script 0 --all
    expect_status 0
    expect_not_said 'left out: tests'
}

AllFailsWithTheFreshRoot() {
    test_script 1 --all
    expect_status 1
}

AllSaysWhatIsLeftOut() {
    test_script 77 --all
    expect_status 0
    expect_said 'left out: .ci/fresh_root'
}

NoFreshRootUnasked() {
    test_script 1
    expect_status 0
    ! grep -qx fresh_root "$folder/calls" || fail "it is run"
}

ChecksTheLayout() {
    test_script 0
    expect_status 0
    grep -qx 'style ' "$folder/calls" || fail "it is not checked"
    : >"$folder/ill"
    status=0
    (cd "$folder" && MACHINE=$folder PATH=$folder/bin ./test.sh) >/dev/null 2>&1 || status=$?
    [ "$status" -eq 1 ] || fail "status $status with sources that are laid out otherwise"
}

AllRunsClangTidy() {
    test_script 0 --all
    expect_status 0
    grep -qx 'style --tidy' "$folder/calls" || fail "it is not run"
}

# With the real clang-format, on sources of a file each.
NamesWhatIsLaidOutOtherwise() {
    command -v clang-format >/dev/null || exit 77
    local part
    mkdir -p "$folder/.ci"
    cp "$source/.ci/style" "$folder/.ci/"
    cp "$source/.clang-format" "$folder/"
    for part in engine widgets app tests; do
        mkdir "$folder/$part"
        echo 'int a = 1;' >"$folder/$part/a.cpp"
    done
    status=0
    "$folder/.ci/style" 2>"$folder/stderr" || status=$?
    expect_status 0
    echo 'int  b;' >"$folder/widgets/b.h"
    "$folder/.ci/style" 2>"$folder/stderr" || status=$?
    expect_status 1
    expect_said 'widgets/b.h'
    expect_not_said 'a.cpp'
    "$folder/.ci/style" --fix
    status=0
    "$folder/.ci/style" 2>"$folder/stderr" || status=$?
    expect_status 0
}

fresh_root() { # ARGUMENTS…
    status=0
    PATH=$folder/bin:$PATH TMPDIR=$folder/tmp "$source/.ci/fresh_root" "$@" \
        >/dev/null 2>"$folder/stderr" || status=$?
}

FreshRootRejectsArguments() {
    local arguments
    for arguments in --every '--run-only --test-only' --ccache '--ccache /no/such/folder' run.sh; do
        # shellcheck disable=SC2086
        fresh_root $arguments
        expect_status 2
        expect_said 'usage: .ci/fresh_root'
    done
}

FreshRootNeedsRoot() {
    [ ! -e /.marquetry_fresh_root ] || exit 77
    mkdir "$folder/bin"
    program id <<<'echo 1000'
    fresh_root
    expect_status 77
    expect_said 'only root'
}

# Needs rights that a test does not have everywhere.
FreshRootLeavesNothingBehind() {
    local signal
    [ "$(id -u)" -eq 0 ] && [ ! -e /.marquetry_fresh_root ] && command -v git setpriv >/dev/null &&
        git -c safe.directory='*' -C "$source" rev-parse -q --verify HEAD >/dev/null &&
        unshare --mount --pid --fork true || exit 77
    mkdir "$folder/bin"
    program apt-get <<<'echo "http://mirror.invalid/debian bookworm main"'
    program debootstrap <<'END'
mkdir -p "$3" && mount -t tmpfs none "$3" && touch "$3/file"
mkfifo "${TMPDIR%/*}/alive" && exec 3>"${TMPDIR%/*}/alive" && exec sleep 3600
END
    for signal in HUP INT TERM KILL; do
        mkdir "$folder/tmp"
        end_fresh_root_by "$signal"
        rm -rf "$folder/tmp" "$folder/alive"
    done
}

end_fresh_root_by() { # SIGNAL
    local pid
    set -m # or the shell has it ignore SIGINT
    PATH=$folder/bin:$PATH TMPDIR=$folder/tmp "$source/.ci/fresh_root" 2>"$folder/stderr" &
    pid=$!
    set +m
    until [ -p "$folder/alive" ]; do
        kill -0 "$pid" 2>/dev/null || fail "it ended by itself" "$(cat "$folder/stderr")"
        sleep 0.05
    done
    # The pipe ends with the last process that holds it.
    exec 4<"$folder/alive"
    kill -s "$1" "$pid"
    status=0
    wait "$pid" 2>/dev/null || status=$?
    [ "$status" -gt 128 ] || fail "status $status after SIG$1"
    read -r -t 600 <&4 && fail "it writes"
    [ $? -le 128 ] || fail "a process outlives SIG$1"
    exec 4<&-
    # Nothing can be removed after SIGKILL, but nothing may be mounted.
    ! grep -qF "$folder" /proc/mounts || fail "mounted after SIG$1: $(cat /proc/mounts)"
    [ "$1" = KILL ] || [ -z "$(ls -A "$folder/tmp")" ] || fail "SIG$1 leaves $(ls -A "$folder/tmp")"
}

declare -F "${1:?a test}" >/dev/null || fail "there is no test $1"
"$1"
