// How long verifications take, from the command to its answer, beside their goals: wall clock, with
// Verilator's runtime compiled already (which the first of all verifications does) and not.
//
//   verify_times MARQUETRY EXAMPLES
#include "engine/support/process.h"
#include "tests/bench/goals.h"
#include "tests/support/temporary_folder.h"

#include <cstdlib>
#include <string>
#include <vector>

namespace marquetry::bench {
namespace {

struct Example {
    const char* file;
    double goalSeconds;
    std::vector<std::string> settings = {}; ///< of the export
    std::vector<std::string> trials = {};   ///< of the verification
};

void verifications(const std::string& program, const std::string& examples, const char* what) {
    for (const Example& example :
         {Example{"running_example/running_example.mq", 10}, Example{"lenet5/lenet5.mq", 5},
          Example{"vgg_cifar_block1/vgg_cifar_block1.mq", 30},
          Example{"skeleshare/tiny_yolo_v2/tiny_yolo_v2.mq",
                  300,
                  {"--device", "arria10", "--limit", "dsp=1152"},
                  {"--vectors", "1"}}}) {
        const test::TemporaryFolder place;
        const std::string folder = place / "export";
        std::vector<std::string> command{program, "export", examples + "/" + example.file, "--out",
                                         folder};
        command.insert(command.end(), example.settings.begin(), example.settings.end());
        const auto exported = runProcess({command, examples});
        if (!exported || exported->exitCode != 0) {
            std::printf("%s: no export\n", example.file);
            continue;
        }
        bool pass = false;
        const test::Span taken = test::spanOf([&] {
            std::vector<std::string> trial{program, "verify", folder};
            trial.insert(trial.end(), example.trials.begin(), example.trials.end());
            const auto verified = runProcess({trial, examples});
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
