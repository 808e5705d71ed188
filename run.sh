#!/usr/bin/env bash
# Installs what is missing, builds the release preset and starts marquetry with the arguments.
# Without arguments: the window on VGG for CIFAR-10; with no display, an exploration that prints
# its report and writes the pictures to build/pictures.
set -euo pipefail
cd "$(dirname "$0")"
. .ci/setup.sh
install_packages
build release marquetry >&2

marquetry=build/release/app/marquetry
example=examples/vgg_cifar/vgg_cifar.mq
if [ $# -gt 0 ]; then
    exec "$marquetry" "$@"
elif [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    exec "$marquetry" open "$example"
else
    mkdir -p build/pictures
    "$marquetry" explore "$example"
    for view in egraph sharing pareto; do
        "$marquetry" explore "$example" --render "$view" --out "build/pictures/$view.png" >/dev/null
        echo "wrote build/pictures/$view.png"
    done
fi
