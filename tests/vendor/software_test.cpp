// Drivers and examples as exports have them: compiled as strictly as users may, and run against a
// model of the hardware that was written from the table of registers alone.
#include "engine/support/process.h"
#include "engine/vendor/c_driver.h"
#include "engine/vendor/python_driver.h"
#include "engine/vendor/software.h"
#include "tests/support/places.h"
#include "tests/vendor/sample_folders.h"
#include "tests/vendor/sample_projects.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace marquetry::vendor {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// The hardware of software/model.h.
Project toyProject() {
    Project project = test::sampleBase("toy", "xc7z020");
    project.streams = {test::sampleStream("image", "image", true),
                       test::sampleStream("scores", "scores", false),
                       test::sampleStream("bias", "bias", true, 128)};
    const std::vector<std::int64_t> words = {6, 4, 3};
    for (std::size_t k = 0; k < words.size(); ++k) {
        ProjectStream& stream = project.streams[k];
        stream.frameBits = 64 * words[k];
        stream.vectors = (stream.isInput ? "in_" : "out_") + stream.name + ".hex";
    }
    test::addControl(project);
    return project;
}

std::string line(std::uint64_t word) {
    return hexadecimal(word, 16).substr(2) + "\n";
}

/// Two golden vectors.
files::FolderFiles toyVectors() {
    files::FolderFiles files;
    for (std::uint64_t vector = 0; vector < 2; ++vector) {
        std::vector<std::uint64_t> image, bias;
        for (std::uint64_t k = 0; k < 6; ++k)
            image.push_back(0xfedcba9876543210 * (k + 1) + vector);
        for (std::uint64_t k = 0; k < 3; ++k)
            bias.push_back(~k - vector);
        for (const std::uint64_t word : image)
            files["vectors/in_image.hex"] += line(word);
        for (const std::uint64_t word : bias)
            files["vectors/in_bias.hex"] += line(word);
        for (std::size_t k = 0; k < 4; ++k)
            files["vectors/out_scores.hex"] += line(3 * image[k] + bias[k % 3]);
    }
    return files;
}

/// The software of the toy with what software/ has, in one folder.
class Software : public ::testing::Test {
protected:
    Software() {
        files::FolderFiles files = softwareFiles(toyProject());
        files.merge(toyVectors());
        test::writeAll(folder_, files);
    }

    std::string own(const std::string& file) const {
        return test::sourceFolder() + "/tests/vendor/software/" + file;
    }

    ProcessResult compile(const std::vector<std::string>& more) const {
        std::vector<std::string> arguments = {
            "gcc",      "-std=c11",
            "-Wall",    "-Wextra",
            "-Werror",  "-pedantic",
            "-O1",      "-I" + folder_ / "sw",
            "-Wshadow", "-Wconversion",
            "-Wundef",  "-I" + test::sourceFolder() + "/tests/vendor/software"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return test::ran(arguments, folder_ / "sw");
    }

    void expectCompiled(const Project& project) const;

    test::TemporaryFolder folder_;
};

void Software::expectCompiled(const Project& project) const {
    for (const auto& [path, text] : softwareFiles(project)) {
        if (path.ends_with(".c")) {
            const auto result = compile({"-c", folder_ / path, "-o", folder_ / "x.o"});
            EXPECT_EQ(result.exitCode, 0) << path << "\n" << result.output;
        }
        if (path.ends_with(".h")) {
            const auto result = compile({"-x", "c", "-fsyntax-only", folder_ / path});
            EXPECT_EQ(result.exitCode, 0) << path << "\n" << result.output;
            const auto plusPlus = test::ran({"g++", "-std=c++11", "-Wall", "-Wextra", "-Werror",
                                             "-x", "c++", "-fsyntax-only", folder_ / path},
                                            folder_ / "sw");
            EXPECT_EQ(plusPlus.exitCode, 0) << path << "\n" << plusPlus.output;
        }
    }
}

TEST_F(Software, EveryFileCompilesAlone) {
    expectCompiled(toyProject());
}

TEST_F(Software, EveryFileOfHardwareWithWeightsCompilesAlone) {
    Project project = toyProject();
    test::addMemory(project);
    test::writeAll(folder_, softwareFiles(project));
    expectCompiled(project);
    const auto made = test::ran({"make", "-C", "sw", "CC=gcc"}, folder_.string());
    EXPECT_EQ(made.exitCode, 0) << made.output;
    EXPECT_THAT(test::ran({folder_ / "sw/toy_linux"}, ".").output,
                HasSubstr("WEIGHTS BOARD...\nBOARD: CONTROL BUFFER DMA"));
    project.device = *device::findDevice("arria10");
    std::vector<std::string> paths;
    for (const auto& [path, text] : softwareFiles(project))
        paths.push_back(path);
    EXPECT_THAT(paths, ::testing::ElementsAre("sw/toy.c", "sw/toy.h", "sw/toy_regs.h"));
}

TEST_F(Software, NothingOfWeightsIsWhereThereAreNone) {
    for (const auto& [path, text] : softwareFiles(toyProject()))
        EXPECT_THAT(text, Not(HasSubstr("eight"))) << path;
}

TEST_F(Software, DriverNeedsNoLibrary) {
    for (const char* file : {"toy.c", "toy_dma.c", "toy_bare_metal.c"}) {
        const auto result = compile({"-ffreestanding", "-nostdlib", "-fno-builtin", "-O2", "-c",
                                     file, "-o", folder_ / "x.o"});
        EXPECT_EQ(result.exitCode, 0) << result.output;
        const auto symbols = test::ran({"nm", "-u", folder_ / "x.o"}, ".");
        EXPECT_THAT(symbols.output, Not(::testing::ContainsRegex("U [^t_]"))) << file;
    }
}

TEST_F(Software, DriverDrivesTheModel) {
    const auto built = compile({"-DFAULT=0", "toy.c", "toy_dma.c", own("model.c"),
                                own("driver_main.c"), "-o", folder_ / "driver"});
    ASSERT_EQ(built.exitCode, 0) << built.output;
    EXPECT_EQ(test::ran({folder_ / "driver"}, ".").output, "0 wrong\n");
}

TEST_F(Software, BareMetalExampleRunsAFrame) {
    // Of faults: none, another build, a frame that fails.
    for (const auto& [fault, status] : {std::pair(0, 0), {1, 1}, {7, 2}}) {
        const auto built = compile({"-DFAULT=" + std::to_string(fault), "-Wno-error=conversion",
                                    "-DTOY_POLLS=1000u", "-Dtoy_bus_at=other_bus_at", "-c", "toy.c",
                                    "-o", folder_ / "toy.o"});
        ASSERT_EQ(built.exitCode, 0) << built.output;
        const auto linked = compile({"-DFAULT=" + std::to_string(fault), "-DTOY_POLLS=1000u",
                                     folder_ / "toy.o", "toy_dma.c", "toy_bare_metal.c",
                                     own("model.c"), own("addresses.c"), "-o", folder_ / "bare"});
        ASSERT_EQ(linked.exitCode, 0) << linked.output;
        EXPECT_EQ(test::ran({folder_ / "bare"}, ".").exitCode, status) << fault;
    }
}

TEST_F(Software, LinuxExampleRunsAFrameAndWaitsForTheInterrupt) {
    const auto built = compile({"toy.c", "toy_dma.c", "toy_linux.c", own("model.c"), own("board.c"),
                                "-o", folder_ / "linux"});
    ASSERT_EQ(built.exitCode, 0) << built.output;
    const auto good = test::ran({folder_ / "linux", "0"}, ".");
    EXPECT_EQ(good.exitCode, 0);
    EXPECT_THAT(good.output, HasSubstr("frames 1, cycles "));
    EXPECT_THAT(good.output, HasSubstr("stalls of stream 2: 33\n"));
    EXPECT_THAT(good.output, Not(HasSubstr("warning")));
    EXPECT_THAT(test::ran({folder_ / "linux", "7"}, ".").output, HasSubstr("TLAST"));
}

TEST_F(Software, GoldenVectorsAreCheckedOnTheBoard) {
    const auto built = compile({"toy.c", "toy_dma.c", "toy_check.c", own("model.c"), own("board.c"),
                                "-o", folder_ / "check"});
    ASSERT_EQ(built.exitCode, 0) << built.output;
    const auto check = [&](const std::string& vector, const std::string& fault) {
        return test::ran({folder_ / "check", "vectors", vector, fault}, folder_.string());
    };
    for (const char* vector : {"0", "1"}) {
        const auto good = check(vector, "0");
        EXPECT_EQ(good.exitCode, 0);
        EXPECT_THAT(good.output, HasSubstr(std::string("PASS: frame ") + vector + ", 0 wrong"));
    }
    const auto wrong = check("1", "9");
    EXPECT_EQ(wrong.exitCode, 1);
    EXPECT_THAT(wrong.output, HasSubstr("out_scores.hex line 2, expected "));
    EXPECT_THAT(wrong.output, HasSubstr("FAIL: frame 1, 1 wrong lines"));
    EXPECT_EQ(check("0", "2").exitCode, 1) << "another design";
    EXPECT_THAT(check("2", "0").output, HasSubstr("has no frame 2"));
    EXPECT_THAT(check("x", "0").output, HasSubstr("usage: "));
}

TEST_F(Software, ProgramsAreMadeAndSayWhatTheyMiss) {
    const auto made = test::ran({"make", "-C", "sw", "CC=gcc"}, folder_.string());
    ASSERT_EQ(made.exitCode, 0) << made.output;
    for (const std::string program : {"sw/toy_linux", "sw/toy_check"}) {
        std::vector<std::string> command = {folder_ / program};
        if (program == "sw/toy_check")
            command.insert(command.end(), {"vectors", "0"});
        EXPECT_THAT(test::ran(command, folder_.string()).output, HasSubstr("CONTROL BUFFER DMA"));
        command.insert(command.end(), {"no such device", "udmabuf0", "dma"});
        const auto missing = test::ran(command, folder_.string());
        EXPECT_EQ(missing.exitCode, 2);
        EXPECT_THAT(missing.output, HasSubstr("cannot open the UIO device 'no such device'"));
    }
}

TEST_F(Software, PythonDrivesTheModel) {
    ProcessParams params{{"python3", "-W", "error", own("driver_main.py"), "vectors"},
                         folder_.string()};
    params.environment = {{"PYTHONPATH", folder_ / "sw"}, {"PYTHONDONTWRITEBYTECODE", "1"}};
    const auto result = runProcess(params);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->output, "0 wrong\n");
}

TEST(SoftwareFiles, AreOfHardwareWithRegistersAndFramesThatMove) {
    EXPECT_TRUE(softwareFiles(test::plainProject()).empty());
    EXPECT_TRUE(softwareFiles(test::memoryProject()).empty());
    Project unknown = toyProject();
    unknown.streams[1].frameBits = 0;
    EXPECT_TRUE(softwareFiles(unknown).contains("sw/toy.c"));
    EXPECT_FALSE(softwareFiles(unknown).contains("sw/toy_dma.c"));
    Project huge = toyProject();
    huge.streams[1].frameBits = std::int64_t{1} << 29; // 64 MiB: one byte more than a DMA takes
    EXPECT_FALSE(softwareFiles(huge).contains("sw/toy_dma.c"));
    huge.streams[1].frameBits -= 64;
    EXPECT_TRUE(softwareFiles(huge).contains("sw/toy_dma.c"));
}

TEST(SoftwareFiles, OfOtherMakersDevicesAreTheDriverAlone) {
    Project project = toyProject();
    project.device = *device::findDevice("arria10");
    std::vector<std::string> paths;
    for (const auto& [path, text] : softwareFiles(project))
        paths.push_back(path);
    EXPECT_THAT(paths, ::testing::ElementsAre("sw/toy.c", "sw/toy.h", "sw/toy_regs.h"));
}

/// Frames that are no whole lines or beats, in lines of other widths.
TEST(SoftwareFiles, PlaceFramesOfAnyWidth) {
    Project project = toyProject();
    project.streams[0].frameBits = 9 * 8; // of 24 bits a line, 32 a beat
    project.streams[0].vectorBits = 24;
    project.streams[0].tdataBits = 32;
    project.streams[1].frameBits = 9 * 8; // of 64 bits a line, 8 a beat
    project.streams[1].tdataBits = 8;
    const auto files = softwareFiles(project);
    EXPECT_THAT(files.at("sw/toy_regs.h"), HasSubstr("{12u, 32u, 9u}"));
    EXPECT_THAT(files.at("sw/toy_check.c"), HasSubstr("vector_lines[TOY_STREAMS] = {3u, 3u, 2u}"));
    EXPECT_THAT(files.at("sw/toy_check.c"), HasSubstr("vector_bytes[TOY_STREAMS] = {3u, 8u, 8u}"));
    EXPECT_THAT(files.at("sw/toy_pynq.py"), HasSubstr("\"in_image.hex\", 3, 3, 12, 0x040)"));
}

TEST(SoftwareFiles, OfOddNamesCompile) {
    Project odd = test::oddProject();
    odd.name = "int";
    odd.streams.push_back(test::sampleStream("a \"b\\\n*/ é", "x", true));
    for (ProjectStream& stream : odd.streams) {
        stream.frameBits = 9;
        stream.vectors = "in_x.hex";
    }
    test::addControl(odd);
    const auto files = softwareFiles(odd);
    const test::TemporaryFolder folder;
    test::writeAll(folder, files);
    for (const auto& [path, text] : files) {
        if (path.ends_with(".c")) {
            const auto result = test::ran({"gcc", "-std=c11", "-Wall", "-Wextra", "-Werror",
                                           "-pedantic", "-c", path, "-o", "x.o"},
                                          folder.string());
            EXPECT_EQ(result.exitCode, 0) << path << "\n" << result.output;
        }
        if (path.ends_with(".py")) {
            const auto result = test::ran({"python3", "-W", "error", "-c",
                                           "import ast, sys; ast.parse(open(sys.argv[1], "
                                           "encoding='utf-8').read())",
                                           path},
                                          folder.string());
            EXPECT_EQ(result.exitCode, 0) << path << "\n" << result.output;
        }
    }
    EXPECT_THAT(files.at("sw/int_x_regs.h"), HasSubstr("INT_X_STREAM_SET_2"));
}

TEST(SoftwareFiles, HardwareThatKeepsActivationsOutsideHasItsWaitsByCause) {
    for (const bool keeps : {true, false}) {
        const auto files = softwareFiles(keeps ? test::keepingProject() : test::weightsProject());
        const test::TemporaryFolder folder;
        test::writeAll(folder, files);
        int sources = 0;
        for (const auto& [path, text] : files) {
            if (path.ends_with("_regs.h") || !(path.ends_with(".h") || path.ends_with(".c")))
                continue;
            ++sources;
            EXPECT_EQ(text.find("load_waits") != std::string::npos, keeps) << path;
            const auto made =
                test::ran({"gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", path},
                          folder.string());
            EXPECT_EQ(made.exitCode, 0) << path << "\n" << made.output;
        }
        EXPECT_EQ(sources, 2);
    }
}

TEST(SoftwareFiles, ItemsWithoutInputsHaveDriversToo) {
    Project project = toyProject();
    std::erase_if(project.streams, [](const ProjectStream& stream) { return stream.isInput; });
    test::addControl(project);
    const test::TemporaryFolder folder;
    test::writeAll(folder, softwareFiles(project));
    const auto made = test::ran({"make", "-C", "sw", "CC=gcc"}, folder.string());
    EXPECT_EQ(made.exitCode, 0) << made.output;
}

} // namespace
} // namespace marquetry::vendor
