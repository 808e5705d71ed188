// How long verifications take, from the command to its answer, beside their goals: wall clock, with
// Verilator's runtime compiled already (which the first of all verifications does) and not.
//
//   verify_times MARQUETRY EXAMPLES
#include "engine/support/process.h"
#include "tests/bench/goals.h"
#include "tests/support/temporary_folder.h"

#include <cstdlib>

namespace marquetry::bench {
namespace {

struct Example {
    const char* file;
    double goalSeconds;
};

void verifications(const std::string& program, const std::string& examples, const char* what) {
    for (const Example& example :
         {Example{"running_example/running_example.mq", 10}, Example{"lenet5/lenet5.mq", 5},
          Example{"vgg_cifar_block1/vgg_cifar_block1.mq", 30}}) {
        const test::TemporaryFolder place;
        const std::string folder = place / "export";
        const auto exported = runProcess(
            {{program, "export", examples + "/" + example.file, "--out", folder}, examples});
        if (!exported || exported->exitCode != 0) {
            std::printf("%s: no export\n", example.file);
            continue;
        }
        bool pass = false;
        const test::Span taken = test::spanOf([&] {
            const auto verified = runProcess({{program, "verify", folder}, examples});
            pass = verified && verified->exitCode == 0;
        });
        report(std::string("verify ") + example.file + what + (pass ? "" : ", NO PASS"), taken,
               example.goalSeconds);
    }
}

} // namespace
} // namespace marquetry::bench

int main(int argc, char** argv) {
    using namespace marquetry;
    if (argc < 3) {
        std::fprintf(stderr, "usage: verify_times MARQUETRY EXAMPLES\n");
        return 2;
    }
    const test::TemporaryFolder cache;
    ::setenv("XDG_CACHE_HOME", cache.path().c_str(), 1);
    bench::verifications(argv[1], argv[2], ", first");
    bench::verifications(argv[1], argv[2], "");
    return 0;
}
