// Estimates of clocks beside Yosys' analysis, for exports of whole examples: without wires, for the
// 7 series. Their ratios are the table of cost-model.md.
#include "engine/support/json.h"
#include "tests/artefact/clock_bench.h"
#include "tests/support/places.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <iostream>

namespace marquetry::test {
namespace {

class ClockOfExamples : public ::testing::TestWithParam<std::vector<std::string>> {};

TEST_P(ClockOfExamples, IsNearWhatSynthesisMakes) {
    const TemporaryFolder folder;
    std::vector<std::string> command = {test::program(), "export",
                                        test::sourceFolder() + "/examples/" + GetParam().front()};
    command.insert(command.end(), GetParam().begin() + 1, GetParam().end());
    for (const char* word : {"--device", "xc7z020", "--json", "--out", "made"})
        command.emplace_back(word);
    const auto exported = runProcess({command, folder.string()});
    ASSERT_TRUE(exported);
    ASSERT_EQ(exported->exitCode, 0) << exported->output;
    const auto report = nlohmann::json::parse(*readText(folder / "made/report.json"));
    const std::string top = report["program"].get<std::string>() + "_top";
    const auto analysed = analysedPath(folder / "made/rtl", top);
    ASSERT_TRUE(analysed);
    const double estimated = report["path_cells_ps"];
    std::cout << GetParam().back() << ": estimated " << estimated << ", analysed " << *analysed
              << ", ratio " << estimated / *analysed << "\n";
    EXPECT_NEAR(estimated / *analysed, 1, 0.15);
}

struct MemoryCase {
    std::string item, text; ///< no text: one of examples/memories
};

class ClockOfMemories : public ::testing::TestWithParam<MemoryCase> {};

TEST_P(ClockOfMemories, IsNearWhatSynthesisMakes) {
    const auto& [item, body] = GetParam();
    const TemporaryFolder folder;
    std::string file = test::sourceFolder() + "/examples/memories/memories.mq";
    if (!body.empty()) {
        file = folder / "own.mq";
        ASSERT_TRUE(writeText(file, "memory " + item + " { " + body + " }"));
    }
    const auto exported = runProcess({{test::program(), "export", file, "--item", item, "--device",
                                       "xc7z020", "--json", "--out", "made"},
                                      folder.string()});
    ASSERT_TRUE(exported);
    ASSERT_EQ(exported->exitCode, 0) << exported->output;
    const auto design = nlohmann::json::parse(*readText(folder / "made/DESIGN.json"));
    const auto report = nlohmann::json::parse(*readText(folder / "made/report.json"));
    const auto analysed = analysedPath(folder / "made/rtl", design["memory"]["module"]);
    ASSERT_TRUE(analysed);
    const double estimated = report["path_cells_ps"];
    std::cout << item << ": estimated " << estimated << ", analysed " << *analysed << ", ratio "
              << estimated / *analysed << "\n";
    EXPECT_NEAR(estimated / *analysed, 1, 0.15);
}

INSTANTIATE_TEST_SUITE_P(
    , ClockOfMemories,
    ::testing::Values(MemoryCase{"sobel", ""}, MemoryCase{"canny_5x5", ""},
                      MemoryCase{"scratchpad", ""}, MemoryCase{"issue60", ""},
                      MemoryCase{"counted", "array a : i16[200, 300] bank flat(5, 1, [1, 2]); "
                                            "for i in 0 .. 198, j in 0 .. 298 { read a[i, j], "
                                            "a[i, j + 1], a[i + 1, j], a[i + 1, j + 1]; }"},
                      MemoryCase{"decoded", "array a : i16[1000] bank flat(7, 3, [5]); "
                                            "for t in 0 .. 50 { read a[?r(t)]; }"}));

INSTANTIATE_TEST_SUITE_P(
    , ClockOfExamples,
    ::testing::Values(std::vector<std::string>{"lenet5/lenet5.mq"},
                      std::vector<std::string>{"lenet5/lenet5.mq", "--limit", "dsp=64"},
                      std::vector<std::string>{"lenet5/lenet5.mq", "--limit", "dsp=32"},
                      std::vector<std::string>{"lenet5/lenet5.mq", "--limit", "dsp=8"},
                      std::vector<std::string>{"lenet5/lenet5.mq", "--overlap"},
                      std::vector<std::string>{"running_example/running_example.mq"}));

} // namespace
} // namespace marquetry::test
