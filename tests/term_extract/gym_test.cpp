// Published e-graphs of extraction-gym (github.com/egraphs-good/extraction-gym, commit 903ba0f):
// exact extraction is never worse than the best cost known, and proves the optimum wherever one is
// proven; the greedy method is never worse than theirs. What it comes to in 30 seconds, with CBC's
// help, is a figure (tests/bench/gym.cpp). The files are others' and
// are read in place: from the folder in the environment variable MARQUETRY_GYM_DIR, else from the
// CMake cache variable of the same name.
#include "engine/term_extract/build.h"
#include "engine/term_extract/extract.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <sstream>

namespace marquetry::term_extract {
namespace {

namespace fs = std::filesystem;

/// Best costs known: the better of extraction-gym's extractors (CBC with 30 s among them) and of
/// two seconds of annealing; `proved` where CBC or the bounds of the reductions closed the gap;
/// `greedy` is the cost of its faster-greedy-dag.
struct Known {
    const char* file;
    double best;
    bool proved;
    double greedy;
};
constexpr double kNotFinished = std::numeric_limits<double>::infinity();
constexpr Known kKnown[] = {
    {"babble__text_text_ellisk_2019-01-24T22.01.57--bench004_it5.json", 171, true, 171},
    {"constructed__constructed.json", 39990, false, kNotFinished},
    {"diospyros__simple_vec_add_root_7.json", 1.205, true, 1.205},
    {"diospyros__vector_mac_root_21.json", 2.312, true, 2.312},
    {"dummy__choice.json", 37, true, 52},
    {"egg__lambda_fib.json", 1, true, 1},
    {"egg__math_associate_adds.json", 13, false, 13},
    {"egg__math_simplify_factor.json", 5, true, 5},
    {"eggcc-bril__range_check.bril.json", 57, false, 57},
    {"eggcc-bril__simple-call.bril.json", 24, true, 24},
    {"flexc__757f44bf-7134-426f-9d2f-71bc2dec1b36.json", 35, true, 35},
    {"flexc__fea54919-328c-4f00-aedc-2698d17914b6.json", 88, true, 88},
    {"herbie__6439.json", 3403, false, 4493},
    {"maxsat__hamming6-2.clq.json", -2816, false, -1824},
    {"maxsat__maxcut-140-630-0.7-1.json", -1100, false, -630},
    {"rover__box_filter_3iteration_egraph.json", 1701, false, 1819},
    {"rover__fir_8_tap_5iteration_egraph.json", 5936, false, 5936},
    {"set_covering__test.json", 2, true, 3},
    {"tensat__resnet50_acyclic.json", 4.415993008, true, 4.425745007},
    {"tensat__vgg.json", 4.850757017, false, 4.850757017},
};

fs::path gymFolder() {
    const char* set = std::getenv("MARQUETRY_GYM_DIR");
    return set ? set : MARQUETRY_GYM_DIR;
}

class Gym : public testing::TestWithParam<Known> {};

TEST_P(Gym, IsNeverWorseThanTheBestKnown) {
    if (gymFolder().empty())
        GTEST_SKIP() << "no folder given in MARQUETRY_GYM_DIR";
    const Known& known = GetParam();
    std::ifstream file(gymFolder() / known.file, std::ios::binary);
    ASSERT_TRUE(file.good()) << (gymFolder() / known.file) << " cannot be read";
    std::stringstream text;
    text << file.rdbuf();
    const auto graph = egraph::parseJson(text.str());
    ASSERT_TRUE(graph.has_value()) << format(graph.error());
    const auto read = problemOf(*graph);
    ASSERT_TRUE(read.has_value()) << format(read.error());
    // As far as the steps go: the programme of CBC has none, and no time limit is worth the same on
    // two machines.
    const auto result = extract(
        read->problem, {.seconds = std::numeric_limits<double>::infinity(), .useMilp = false}, {});
    ASSERT_TRUE(result.has_value());
    ASSERT_TRUE(verify(read->problem, *result));
    EXPECT_EQ(result->outcome, TermOutcome::Finished);
    EXPECT_FALSE(costsLess(known.best, result->dagCost)) << result->dagCost;
    EXPECT_FALSE(costsLess(known.best, result->lowerBound)) << result->lowerBound;
    if (known.proved) {
        EXPECT_TRUE(result->optimal) << result->lowerBound;
    }
    const auto quick = extract(read->problem, {.method = TermMethod::Greedy}, {});
    ASSERT_TRUE(quick.has_value() && verify(read->problem, *quick));
    EXPECT_FALSE(costsLess(known.greedy, quick->dagCost)) << quick->dagCost;
    std::cout << known.file << " cost " << result->dagCost << " bound " << result->lowerBound
              << " optimal " << result->optimal << " steps " << result->stats.branchSteps
              << "; greedy " << quick->dagCost << "\n";
}

INSTANTIATE_TEST_SUITE_P(Files, Gym, testing::ValuesIn(kKnown), [](const auto& tested) {
    std::string name = tested.param.file;
    std::erase_if(name, [](unsigned char c) { return std::isalnum(c) == 0; });
    return name;
});

} // namespace
} // namespace marquetry::term_extract
