#include "app/cli/cli.h"

#include <cstdio>

int main(int argc, char** argv) {
    using namespace marquetry::cli;
    if (asksForWindow(argc, argv)) {
        std::fputs("error: this build has no window; see marquetry --help\n", stderr);
        return kInputError;
    }
    return runCli(argc, argv);
}
