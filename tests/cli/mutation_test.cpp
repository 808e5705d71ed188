// Broken variants of the examples and of every other file a user hands over, through the entry
// points of the library: each is answered in time, and each refusal says what is wrong and where.
#include "engine/artefact/manifest.h"
#include "engine/design/pin.h"
#include "engine/device/device_file.h"
#include "engine/frontend/parser.h"
#include "engine/session/explore.h"
#include "engine/session/export_design.h"
#include "engine/session/verify_export.h"
#include "tests/support/cases.h"
#include "tests/support/effort.h"
#include "tests/support/mutator.h"
#include "tests/support/places.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/text_files.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace marquetry {

namespace {

namespace fs = std::filesystem;

constexpr int kVariantsOfFiles = 300;
/// Times what the unbroken file takes: a variant may be larger, but not by much.
constexpr double kMostTimes = 50;

std::string examplePath(const std::string& name) {
    return test::sourceFolder() + "/examples/" + name + "/" + name + ".mq";
}

std::string bytesOf(const std::string& path) {
    const auto text = test::readText(path);
    EXPECT_TRUE(text.has_value()) << path;
    return text.value_or("");
}

std::string variant(const std::string& text, int seed) {
    return test::Mutator(static_cast<std::uint64_t>(seed)).mutate(text);
}

/// Small changes that many programs survive: other scalars, parameters, limits of random weights.
std::string mildVariant(std::string text, int seed) {
    static const std::vector<std::pair<std::string, std::vector<std::string>>> kChanges = {
        {"i8", {"u8", "i16", "u16", "i32"}},
        {"shift: ", {"shift: 1", "zero: 3, shift: ", "to: u8, shift: ", "mul: 3, shift: "}},
        {"relu(", {"leaky(num: 1, shift: 3, ", "relu(relu(", "flatten(", "("}},
        {"pad: 1", {"pad: 0", "pad: 2", "pad: 1, stride: 2", "pad: 200000000"}},
        {"size: 2", {"size: 1", "size: 3", "size: 2, stride: 1", "size: 0"}},
        {"output ", {"output z = image; output ", "let unused = relu(image); output "}},
    };
    SplitMix64 random(static_cast<std::uint64_t>(seed));
    const std::int64_t changes = random.range(1, 3);
    for (std::int64_t k = 0; k < changes; ++k) {
        const auto& [from, to] =
            kChanges[static_cast<std::size_t>(random.range(0, std::ssize(kChanges) - 1))];
        const std::size_t start = static_cast<std::size_t>(random.range(0, std::ssize(text) - 1));
        std::size_t at = text.find(from, start);
        if (at == std::string::npos)
            at = text.find(from);
        if (at != std::string::npos)
            text.replace(at, from.size(),
                         to[static_cast<std::size_t>(random.range(0, std::ssize(to) - 1))]);
    }
    return text;
}

void expectUseful(const Diagnostics& diagnostics, const std::string& text) {
    ASSERT_FALSE(diagnostics.empty()) << text;
    for (const Diagnostic& diagnostic : diagnostics) {
        EXPECT_FALSE(diagnostic.code.empty()) << text;
        EXPECT_FALSE(diagnostic.message.empty()) << text;
    }
}

void expectPlaced(const Diagnostics& diagnostics, const std::string& text) {
    expectUseful(diagnostics, text);
    for (const Diagnostic& diagnostic : diagnostics) {
        EXPECT_TRUE(diagnostic.range.known()) << diagnostic.message << "\n" << text;
        EXPECT_FALSE(diagnostic.file.empty()) << diagnostic.message << "\n" << text;
    }
}

/// Fails when a step took far longer than the same step with the unbroken file.
class Watch {
public:
    /// `step`: of the unbroken file.
    template <class Step>
    explicit Watch(Step step) : most_(kMostTimes * test::leastEffortOf(test::cases(1, 3), step)) {}

    template <class Step>
    void operator()(const std::string& text, Step step) const {
        EXPECT_LT(test::effortOf(step), most_) << text;
    }

private:
    test::Effort most_;
};

enum class Answer { Refused, Infeasible, Design };

/// Parses and explores; whatever the answer is, it says enough.
Answer answerTo(const std::string& text, const std::string& path) {
    auto parsed = frontend::parse(text, path);
    if (!parsed) {
        expectPlaced(parsed.error(), text);
        return Answer::Refused;
    }
    auto program = std::make_shared<const ir::Program>(parsed->programs.front());
    session::Settings settings;
    settings.maxIterations = 4;
    settings.maxEnodes = 3000;
    const auto explored = session::explore(program, settings, {});
    if (!explored) {
        expectPlaced(explored.error(), text);
        return Answer::Refused;
    }
    EXPECT_FALSE(session::exploreJson(*explored).empty());
    if (explored->extraction.design)
        return Answer::Design;
    expectUseful(explored->extraction.infeasible, text);
    return Answer::Infeasible;
}

class ProgramMutation : public ::testing::TestWithParam<const char*> {};

TEST_P(ProgramMutation, EveryVariantIsExploredOrRefusedWithAPlace) {
    const std::string path = examplePath(GetParam());
    const std::string original = bytesOf(path);
    const Watch watch([&] { EXPECT_EQ(answerTo(original, path), Answer::Design); });
    const int variants = test::cases(30, 200);
    int refused = 0;
    int designs = 0;
    for (int seed = 0; seed < variants && !HasFailure(); ++seed) {
        const std::string text =
            seed % 2 == 0 ? variant(original, seed) : mildVariant(original, seed);
        watch(text, [&] {
            const Answer answer = answerTo(text, path);
            refused += answer == Answer::Refused;
            designs += answer == Answer::Design;
        });
    }
    EXPECT_GT(refused, variants / 3);
    EXPECT_GT(designs, variants / 10);
}

INSTANTIATE_TEST_SUITE_P(Examples, ProgramMutation,
                         ::testing::Values("running_example", "lenet5", "vgg_cifar",
                                           "vgg_cifar_block1"),
                         [](const auto& example) { return std::string(example.param); });

TEST(FileMutation, PinsFilesAreReadOrRefused) {
    const std::string original = R"({
  "pins": [
    {"kind": "share", "target": "Mv 64×576"},
    {"kind": "never-share", "target": "Conv 2×2×64×64"},
    {"kind": "force", "target": "TiledMv[192, 576]", "layer": "c"},
    {"kind": "forbid", "target": "TiledMv[64, 576]"}
  ]
}
)";
    ASSERT_TRUE(design::parsePins(original, "pins.json").has_value());
    auto parsed = frontend::parseFile(examplePath("running_example"));
    ASSERT_TRUE(parsed.has_value());
    const auto program = std::make_shared<const ir::Program>(parsed->programs.front());
    session::Settings settings;
    settings.maxIterations = 3;
    int refused = 0;
    const auto answer = [&](const std::string& text) {
        const auto pins = design::parsePins(text, "pins.json");
        if (!pins) {
            ++refused;
            expectUseful(pins.error(), text);
            EXPECT_EQ(pins.error().front().file, "pins.json");
            return;
        }
        const auto explored = session::explore(program, settings, *pins);
        if (!explored)
            expectUseful(explored.error(), text);
        else if (!explored->extraction.design)
            expectUseful(explored->extraction.infeasible, text);
    };
    const Watch watch([&] { answer(original); });
    for (int seed = 0; seed < kVariantsOfFiles && !HasFailure(); ++seed) {
        const std::string text = variant(original, seed);
        watch(text, [&] { answer(text); });
    }
    EXPECT_GT(refused, kVariantsOfFiles / 3);
}

TEST(FileMutation, DeviceFilesAreReadOrRefused) {
    const std::string original = R"({
  "id": "mine", "name": "My board", "dsp": 220, "lut": 53200, "ff": 106400, "lut_unit": "LUT6",
  "bram": {"kind": "RAMB36", "count": 140, "shapes": [[72, 512], [36, 1024], [18, 2048]],
           "halves": true},
  "clock_mhz": 100, "int8_products_per_dsp": 2,
  "memory": {"bytes_per_cycle": 8.5, "latency_cycles": 40},
  "sources": {"dsp": "data sheet"}
}
)";
    ASSERT_TRUE(device::parseDevices(original, "mine.json").has_value());
    auto parsed = frontend::parseFile(examplePath("running_example"));
    ASSERT_TRUE(parsed.has_value());
    const auto program = std::make_shared<const ir::Program>(parsed->programs.front());
    const test::TemporaryFolder folder;
    const std::string file = folder / "mutated_device.json";
    session::Settings settings;
    settings.maxIterations = 3;
    settings.device = file;
    int refused = 0;
    const auto answer = [&](const std::string& text) {
        ASSERT_TRUE(test::writeText(file, text).has_value());
        const auto explored = session::explore(program, settings, {});
        if (explored) {
            if (!explored->extraction.design)
                expectUseful(explored->extraction.infeasible, text);
            return;
        }
        ++refused;
        expectUseful(explored.error(), text);
        EXPECT_EQ(explored.error().front().file, file) << text;
    };
    const Watch watch([&] { answer(original); });
    for (int seed = 0; seed < kVariantsOfFiles && !HasFailure(); ++seed) {
        const std::string text = variant(original, seed);
        watch(text, [&] { answer(text); });
    }
    EXPECT_GT(refused, kVariantsOfFiles / 3);
}

/// An export of a small program, broken again and again.
class ExportMutation : public ::testing::Test {
protected:
    void SetUp() override {
        const std::string text = "design small {\n"
                                 "  input x : i8[4, 4, 3] = random(seed: 1);\n"
                                 "  weight w : i8[5, 3, 3, 3] = random(seed: 2);\n"
                                 "  let c = maxpool(requant(conv(x, w), shift: 6), size: 2);\n"
                                 "  output y = relu(c);\n}\n";
        auto parsed = frontend::parse(text, "small.mq");
        ASSERT_TRUE(parsed.has_value());
        const auto program = std::make_shared<const ir::Program>(parsed->programs.front());
        const auto explored = session::explore(program, {}, {});
        ASSERT_TRUE(explored.has_value() && explored->extraction.design);
        const auto request =
            session::makeExportRequest(*explored->extraction.design, *program, text, {});
        ASSERT_TRUE(request.has_value());
        ASSERT_TRUE(hdl::exportArtefact(hdl::designArtefact(*request), folder_).has_value());
        ASSERT_TRUE(hdl::readExport(folder_).has_value());
    }

    std::string file(const std::string& name) const { return folder_ + "/" + name; }

    void write(const std::string& name, const std::string& text) const {
        ASSERT_TRUE(test::writeText(file(name), text).has_value());
    }

    std::vector<std::string> files() const {
        std::vector<std::string> names;
        for (const auto& entry : fs::recursive_directory_iterator(folder_))
            if (entry.is_regular_file())
                names.push_back(entry.path().lexically_relative(folder_).string());
        std::ranges::sort(names);
        return names;
    }

    /// Makes the manifest agree with the files, as someone would who wants to be believed.
    void sign() const {
        hdl::ExportFiles all;
        for (const std::string& name : files())
            if (name != hdl::kManifestName)
                all[name] = bytesOf(file(name));
        write(hdl::kManifestName, hdl::writeManifest({"small", "verilog"}, all));
    }

    test::TemporaryFolder root_;
    std::string folder_ = root_ / "export";
};

TEST_F(ExportMutation, AChangeOfAnyFileIsNoticed) {
    for (const std::string& name : files()) {
        const std::string original = bytesOf(file(name));
        for (int seed = 0; seed < 8; ++seed) {
            const std::string text = variant(original, seed);
            if (text == original)
                continue;
            write(name, text);
            const auto opened = hdl::readExport(folder_);
            // The manifest has fields that only inform.
            EXPECT_TRUE(!opened || name == hdl::kManifestName) << name << "\n" << text;
            if (!opened)
                expectUseful(opened.error(), text);
        }
        fs::remove(file(name));
        const auto opened = hdl::readExport(folder_);
        ASSERT_FALSE(opened.has_value()) << name;
        expectUseful(opened.error(), name);
        write(name, original);
    }
    EXPECT_TRUE(hdl::readExport(folder_).has_value());
}

TEST_F(ExportMutation, AFileThatDoesNotBelongIsNoticed) {
    write("rtl/extra.v", "module extra; endmodule\n");
    const auto opened = hdl::readExport(folder_);
    ASSERT_FALSE(opened.has_value());
    EXPECT_NE(opened.error().front().message.find("rtl/extra.v"), std::string::npos);
}

TEST_F(ExportMutation, ManifestsMayNotLeadOutside) {
    hdl::ExportFiles all = {{"../secret", "x"}, {"DESIGN.json", bytesOf(file("DESIGN.json"))}};
    write("../secret", "x");
    write(hdl::kManifestName, hdl::writeManifest({"small", "verilog"}, all));
    const auto opened = hdl::readExport(folder_);
    ASSERT_FALSE(opened.has_value());
    EXPECT_EQ(opened.error().front().code, "export-damaged");
}

TEST_F(ExportMutation, SignedDesignsThatAreWrongAreReadOrRefused) {
    const std::string original = bytesOf(file("DESIGN.json"));
    // The schedule is what is read: break that half of the file most of the time.
    const std::size_t schedule = original.find("\"schedule\"");
    ASSERT_NE(schedule, std::string::npos);
    int refused = 0;
    std::stop_source stopped;
    stopped.request_stop(); // all of verify up to the reference vectors, but no simulator
    const auto answer = [&](const std::string& text) {
        const auto report = session::verifyExport(folder_, {}, stopped.get_token());
        ASSERT_FALSE(report.has_value());
        expectUseful(report.error(), text);
        refused += report.error().front().code != "cancelled";
    };
    const Watch watch([&] { answer(original); });
    for (int seed = 0; seed < kVariantsOfFiles && !HasFailure(); ++seed) {
        const std::string text =
            original.substr(0, schedule) + variant(original.substr(schedule), seed);
        write("DESIGN.json", text);
        sign();
        watch(text, [&] { answer(text); });
    }
    EXPECT_GT(refused, kVariantsOfFiles / 2);
}

} // namespace
} // namespace marquetry
