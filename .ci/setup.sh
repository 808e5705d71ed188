# Sourced by run.sh and test.sh, in the top folder: installs missing packages and builds a preset.
# shellcheck shell=bash

complain() { # ERROR HINT
    printf 'error: %s\nhint: %s\n' "$1" "$2" >&2
}

wanted_packages() {
    sed -E 's/#.*//; s/[[:space:]]//g; /^$/d' .ci/packages
}

# What dpkg says is not installed, configured and all, one a line.
missing_packages() {
    local wanted installed
    mapfile -t wanted < <(wanted_packages)
    installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "${wanted[@]}" 2>/dev/null || true)
    printf 'installed %s\n' "${wanted[@]}" | grep -vxFf <(echo "$installed") | cut -d' ' -f2 || true
}

apt_knows() { # PACKAGE
    LC_ALL=C apt-cache policy "$1" 2>/dev/null | grep -q '^  Candidate: [^(]'
}

complain_of_missing() { # PACKAGES…
    local package unknown=() system
    for package in "$@"; do apt_knows "$package" || unknown+=("$package"); done
    if [ ${#unknown[@]} -gt 0 ]; then
        # shellcheck source=/dev/null
        system=$(. /etc/os-release 2>/dev/null && echo "${PRETTY_NAME:-}")
        complain "apt-get offers no package named: ${unknown[*]}" \
            "the names are those of Debian 12, component main, and this is ${system:-another system}"
    fi
    complain "these packages are needed and could not be installed: $*" \
        "apt-get says why above; once mended, try again, or as root: apt-get install $*"
}

# Returns 1, having said what is wrong, unless every package is there in the end.
install_packages() {
    local missing sudo=()
    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
        complain "packages are installed with apt-get, and there is none here" \
            "use Debian 12, or install the likes of: $(wanted_packages | paste -sd' '); \
then: cmake --preset release && cmake --build --preset release"
        return 1
    fi
    mapfile -t missing < <(missing_packages)
    [ ${#missing[@]} -eq 0 ] && return 0
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            complain "these packages are missing: ${missing[*]}" \
                "there is no sudo here, so as root: apt-get install ${missing[*]}"
            return 1
        fi
        sudo=(sudo)
    fi
    echo "installing: ${missing[*]}" >&2
    # What went wrong is told from what is missing afterwards: an old package list may do.
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq >&2 || true
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
        --no-install-recommends "${missing[@]}" >&2 || true
    mapfile -t missing < <(missing_packages)
    [ ${#missing[@]} -eq 0 ] && return 0
    complain_of_missing "${missing[@]}"
    return 1
}

# build PRESET [targets…]
build() {
    local preset=$1
    shift
    export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros
    cmake --preset "$preset" >/dev/null
    cmake --build --preset "$preset" --parallel "$(nproc)" ${1:+--target "$@"}
}
