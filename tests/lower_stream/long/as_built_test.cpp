// Every example at its rates: what the search counts, what a schedule says is built, and what Yosys
// makes of it. Writes a table to the build folder. Tables of words in block RAM are read from
// files, which this run of Yosys has not.
#include "tests/lower_stream/as_built_checks.h"
#include "tests/support/places.h"

#include <gtest/gtest.h>

#include <fstream>

namespace marquetry::test {
namespace {

struct Rates {
    std::string example; ///< empty: of tests/data/streams/pixels
    std::string item;
    std::vector<spacetime::Throughput> rates;
};

const std::vector<Rates>& all() {
    static const std::vector<Rates> kAll = {
        {"map", "map", {{200, 1}, {4, 1}, {2, 1}, {1, 1}, {1, 2}}},
        {"conv", "conv_1080p", {{16, 1}, {8, 1}, {4, 1}, {2, 1}, {1, 1}, {1, 3}}},
        {"conv", "conv_4x4", {{16, 1}, {4, 1}, {1, 1}, {1, 3}, {1, 9}}},
        {"convb2b", "convb2b_1080p", {{16, 1}, {8, 1}, {4, 1}, {2, 1}, {1, 1}, {1, 3}}},
        {"sharpen", "sharpen_1080p", {{16, 1}, {8, 1}, {4, 1}, {2, 1}, {1, 1}, {1, 3}}},
        {"sharpen", "sharpen_4x4", {{4, 1}, {1, 1}, {1, 3}}},
        {"camera", "camera_8x8", {{4, 1}, {2, 1}, {1, 1}, {1, 4}}},
        {"camera", "camera_1080p", {{8, 1}, {4, 1}, {2, 1}, {1, 1}, {1, 4}}},
        {"sobel", "sobel_1080p", {{8, 1}, {4, 1}, {2, 1}, {1, 1}, {1, 3}}},
        {"gauss5", "gauss5_1080p", {{4, 1}, {2, 1}, {1, 1}, {1, 5}}},
        {"tone", "tone_1080p", {{16, 1}, {2, 1}, {1, 1}, {1, 2}}},
        {"box2", "box2_1080p", {{1, 1}, {1, 2}, {1, 4}, {1, 8}}},
        {"dot", "dot", {{1, 1}, {1, 4}, {1, 16}, {1, 64}, {1, 256}}},
        {"matvec", "matvec", {{1, 1}, {1, 4}, {1, 16}, {1, 64}}},
        {"unsharp", "unsharp_1080p", {{16, 1}, {4, 1}, {2, 1}, {1, 1}, {1, 2}}},
        {"morphology", "morphology_1080p", {{16, 1}, {4, 1}, {2, 1}, {1, 1}, {1, 2}}},
        {"luma", "luma_1080p", {{16, 1}, {4, 1}, {1, 1}, {1, 2}}},
        {"gamma", "gamma_1080p", {{4, 1}, {1, 1}, {1, 2}}},
        {"median", "median_1080p", {{16, 1}, {4, 1}, {2, 1}, {1, 1}}},
        {"blur", "blur_1080p", {{16, 1}, {4, 1}, {2, 1}, {1, 1}}},
        {"boxsums", "boxsums_1080p", {{4, 1}, {2, 1}, {1, 1}, {1, 2}}},
        {"iir", "iir_1080p", {{2, 1}, {1, 1}}},
        {"", "conv", {{4, 1}, {2, 1}, {1, 1}, {1, 3}}},
        {"", "sobel", {{4, 1}, {2, 1}, {1, 1}, {1, 3}}},
        {"", "median", {{4, 1}, {2, 1}, {1, 1}, {1, 3}}},
        {"", "dilate", {{4, 1}, {2, 1}, {1, 1}, {1, 3}}},
        {"", "harris", {{4, 1}, {2, 1}, {1, 1}}},
        {"", "flow", {{4, 1}, {2, 1}, {1, 1}}},
        {"", "fir", {{4, 1}, {2, 1}, {1, 1}, {1, 3}}},
    };
    return kAll;
}

TEST(ScheduleAsBuilt, SaysTheBlocksOfAllExamplesAtTheirRates) {
    AsBuiltChecks checks;
    for (const Rates& one : all()) {
        const ir::StreamProgram program =
            one.example.empty() ? pixelStream(one.item) : exampleStream(one.example, one.item);
        for (const spacetime::Throughput rate : one.rates)
            checks.add(program, rate);
    }
    std::ofstream table(test::buildFolder() + "/streams_as_built.md");
    table << "| item | T | counted by the search: LUT / FF / RAMB36 / DSP | stated, as built | "
             "Yosys |\n|---|---|---|---|---|\n";
    checks.expectBlocks(&table);
}

} // namespace
} // namespace marquetry::test
