// What goes wrong around a program: files, folders, options, exports, tools that are not there.
#include "tests/cli/cli_fixture.h"
#include "tests/support/places.h"

#include <algorithm>

namespace marquetry::cli_test {

using ::testing::HasSubstr;

namespace {

const char* const kTiny = "design tiny {\n"
                          "  input x : i8[4] = random(seed: 1);\n"
                          "  weight w : i8[4, 4] = random(seed: 2);\n"
                          "  output y = mv(w, x);\n"
                          "}\n";

} // namespace

class Errors : public Cli {
protected:
    void expectError(const std::string& arguments, const std::string& code) const {
        const Outcome outcome = run(arguments);
        EXPECT_EQ(outcome.status, 2) << arguments << "\n" << outcome.err;
        EXPECT_THAT(outcome.err, HasSubstr("[" + code + "]")) << arguments;
        EXPECT_EQ(outcome.out, "") << arguments;
        const Json json = Json::parse(run(arguments + " --json").out, nullptr, false);
        ASSERT_TRUE(json.is_object()) << arguments;
        EXPECT_EQ(json["errors"][0]["code"], code) << arguments;
    }

    /// Entries of the test's folder, hidden ones too.
    std::vector<std::string> entries() const {
        std::vector<std::string> names;
        for (const auto& entry : fs::directory_iterator(folder_.path()))
            names.push_back(entry.path().filename().string());
        std::ranges::sort(names);
        return names;
    }

    std::string tinyExport() const {
        write("tiny.mq", kTiny);
        const Outcome outcome = run("export " + path("tiny.mq") + " --out " + path("export"));
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        return path("export");
    }
};

TEST_F(Errors, OptionsOutOfRangeAreNamed) {
    const std::string file = write("tiny.mq", kTiny);
    for (const char* option : {"--clock nan", "--clock 0", "--clock -5", "--bandwidth nan",
                               "--bandwidth -1", "--time nan", "--time -1", "--steps -1"})
        expectError("explore " + file + " " + option, "option-value");
    for (const char* option : {"--threads 0", "--seed -1", "--steps 99999999999", "--seed x"}) {
        const Outcome outcome = run("explore " + file + " " + option);
        EXPECT_EQ(outcome.status, 2) << option;
        EXPECT_LT(outcome.err.size(), 200U) << option;
    }
    EXPECT_EQ(run("verify " + path("none") + " --seed -3").status, 2);
}

TEST_F(Errors, LimitsFarAboveAnyDeviceAreNone) {
    const std::string file = write("tiny.mq", kTiny);
    EXPECT_EQ(run("explore " + file + " --limit dsp=1e300").status, 0);
    EXPECT_EQ(run("explore " + file + " --bandwidth 1e-300").status, 0);
}

TEST_F(Errors, LimitsOfZeroAreInfeasibleAndNamed) {
    const std::string file = write("tiny.mq", kTiny);
    for (const char* limit : {"dsp", "bram", "lut", "ff", "cycles"}) {
        const std::string arguments =
            "explore " + file + " --json --limit " + std::string(limit) + "=0";
        const Outcome outcome = run(arguments);
        EXPECT_EQ(outcome.status, 1) << limit;
        const Json json = Json::parse(outcome.out);
        EXPECT_EQ(json["infeasible_because"][0]["code"], "limit-" + std::string(limit));
    }
    const Outcome refused = run("export " + file + " --json --limit dsp=0 --out " + path("none"));
    EXPECT_EQ(refused.status, 1);
    EXPECT_EQ(Json::parse(refused.out)["infeasible_because"][0]["code"], "limit-dsp");
    EXPECT_FALSE(fs::exists(path("none")));
}

TEST_F(Errors, JsonIsOneObjectWhateverFails) {
    const std::string file = write("tiny.mq", kTiny);
    expectError("explore " + file + " --why Nothing", "unit-unknown");
    expectError("explore " + file + " --out /nowhere/design.json", "output-unwritable");
    const Json why =
        Json::parse(run("explore " + file + " --json --why 'Mv 4×8'").out, nullptr, false);
    ASSERT_TRUE(why.is_object());
    EXPECT_THAT(why["why"].get<std::string>(), HasSubstr("term: "));
}

TEST_F(Errors, ReportsNeverOverwriteAProgram) {
    const std::string file = write("tiny.mq", kTiny);
    expectError("explore " + file + " --out " + file, "output-is-input");
    expectError("egraph " + file + " --export " + file, "output-is-input");
    const std::string other = write("package.json", R"({"name": "of somebody else"})");
    expectError("explore " + file + " --out " + other, "output-exists");
    EXPECT_EQ(contents(other), R"({"name": "of somebody else"})");
    EXPECT_EQ(contents(file), kTiny);
    const std::string design = path("design.json");
    EXPECT_EQ(run("explore " + file + " --out " + design).status, 0);
    EXPECT_EQ(run("explore " + file + " --out " + design).status, 0);
}

TEST_F(Errors, DeviceFilesAreCheckedBeforeUse) {
    const std::string file = write("tiny.mq", kTiny);
    const auto device = [&](const std::string& name, const std::string& text) {
        return "explore " + file + " --device " + write(name, text);
    };
    expectError(device("empty.json", ""), "device-file");
    expectError(device("none.json", "[]"), "device-file");
    expectError(device("binary.json", std::string("\xff\xfe\0{", 4)), "device-file");
    expectError(device("deep.json", std::string(200000, '[') + std::string(200000, ']')),
                "device-file");
    const std::string start = R"({"id":"q","dsp":64,"lut":1e6,"ff":1e6,"bram":{"count":100,)";
    expectError(device("wide.json", start + R"("shapes":[[4294967296,512]]}})"), "device-field");
    expectError(device("halves.json", start + R"("shapes":[[32,512]],"halves":3}})"),
                "device-field");
    EXPECT_EQ(run(device("good.json", start + R"("shapes":[[32,512]]}})")).status, 0);
}

TEST_F(Errors, PinsAreCheckedBeforeUse) {
    const std::string explore = "explore " + write("tiny.mq", kTiny) + " --pins ";
    const auto pins = [&](const std::string& text) { return explore + write("pins.json", text); };
    for (const std::string text :
         {"", "{", "{}", R"({"pins":{}})", R"({"pins":[3]})", R"({"pins":[{}]})",
          R"({"pins":[{"kind":"glue","target":"Mv 4×8"}]})", R"({"pins":[{"kind":"share"}]})",
          R"({"pins":[{"kind":"forbid","target":"Mv","layer":5}]})",
          R"({"pins":[{"kind":"share","target":"Mv 4×8","layer":"y"}]})"}) {
        expectError(pins(text), "pins-file");
        expectError(explore + "'" + text + "'", "pins-file");
    }
    expectError(pins("[]"), "pins-file");
    expectError(explore + "'[]'", "file-missing");
    EXPECT_THAT(run(explore + "'[]'").err, HasSubstr("begins with \"{\""));
    expectError(pins(std::string(200000, '[') + std::string(200000, ']')), "pins-file");
    const std::string unknown = R"({"pins":[{"kind":"forbid","target":"Nothing"}]})";
    expectError(pins(unknown), "pin-unknown");
    expectError(explore + "'" + unknown + "'", "pin-unknown");
    expectError(pins(R"({"pins":[{"kind":"forbid","target":"Mv","layer":"z"}]})"), "pin-unknown");
}

TEST_F(Errors, WeightFilesOfTheWrongSizeAreFoundBeforeAnyWork) {
    const std::string file = write("file.mq", "design d {\n  input x : i8[4] = zeros;\n"
                                              "  weight w : i8[4, 4] = file(\"w.bin\");\n"
                                              "  output y = mv(w, x);\n}\n");
    expectError("check " + file, "file-missing");
    write("w.bin", std::string(15, 'a'));
    for (const std::string command : {"check ", "explore "})
        expectError(command + file, "file-size");
    expectError("export " + file + " --out " + path("export"), "file-size");
    write("w.bin", std::string(16, 'a'));
    EXPECT_EQ(run("check " + file).status, 0);
}

// Every layer has a design; one the generator has no hardware for keeps it from being exported.
TEST_F(Errors, OperatorsWithoutHardwareAreExploredAndNotExported) {
    const std::pair<const char*, const char*> cases[] = {
        {"conv1d_w(x, h, pad: 65)", "\"y\" (conv1d_w): its kernel is no weight"},
    };
    for (const auto& [expression, reason] : cases) {
        const std::string file =
            write("op.mq", std::string("design d {\n  input x : i8[4, 6] = zeros;\n"
                                       "  input h : i8[3] = zeros;\n  output y = ") +
                               expression + ";\n}\n");
        for (const std::string cost : {"cycles", "published", "published-open"}) {
            const Outcome explored = run("explore " + file + " --json --cost " + cost);
            EXPECT_EQ(explored.status, 0) << expression << explored.err;
        }
        const Outcome outcome = run("export " + file + " --out " + path("refused"));
        EXPECT_EQ(outcome.status, 2) << expression;
        EXPECT_THAT(outcome.err, HasSubstr("[not-exportable]")) << expression;
        EXPECT_THAT(outcome.err, HasSubstr(reason)) << expression;
        EXPECT_FALSE(std::filesystem::exists(path("refused")));
    }
}

TEST_F(Errors, ValuesOfWeightsAloneSayWhere) {
    for (const std::string expression : {"w", "relu(w)"}) {
        const std::string file =
            write("op.mq", "design d {\n  input x : i8[3] = zeros;\n  weight w : i8[3] = zeros;\n"
                           "  output y = " +
                               expression + ";\n}\n");
        const Outcome outcome = run("explore " + file);
        EXPECT_EQ(outcome.status, 2) << expression;
        EXPECT_THAT(outcome.err, HasSubstr("[unsupported-op]")) << expression;
        EXPECT_THAT(outcome.err, HasSubstr("op.mq:")) << expression;
    }
}

TEST_F(Errors, UnusualProgramsAreBuiltAndVerified) {
    ASSERT_EQ(std::system("iverilog -V >/dev/null 2>&1"), 0) << "test.sh installs iverilog";
    // Passes over two types, a sum with a layer's own input, an output that is an input, one value
    // put out twice, one weight used twice, names that are words of Verilog and C++.
    const std::string file = write(
        "odd.mq", "design module {\n  input reg : i8[5, 4, 3] = random(seed: 1);\n"
                  "  weight wire : i8[3, 3, 3, 3] = random(seed: 2);\n"
                  "  let a = conv(reg, wire, pad: 1);\n  let b = requant(a, shift: 6);\n"
                  "  output always = relu(requant(a, shift: 3, to: u8));\n"
                  "  output class = relu(requant(add(b, reg), shift: 1));\n"
                  "  output end = b;\n  output begin = b;\n  output int = reg;\n"
                  "  output flat = flatten(maxpool(b, size: 2));\n"
                  "  output sum = add(requant(conv(reg, wire, pad: 1), shift: 5), reg);\n}\n");
    const Outcome exported = run("export " + file + " --out " + path("export"));
    ASSERT_EQ(exported.status, 0) << exported.err;
    const Outcome verified =
        run("verify " + path("export") + " --simulator iverilog --vectors 2 --json");
    EXPECT_EQ(verified.status, 0) << verified.err << verified.out;
    const Json json = Json::parse(verified.out);
    EXPECT_EQ(json["pass"], true);
    EXPECT_EQ(json["cycles"], json["predicted_cycles"]);
}

// Every second operand is an input; what only moves may have any type.
TEST_F(Errors, ProgramsWithoutWeightsAreBuiltAndVerified) {
    ASSERT_EQ(std::system("iverilog -V >/dev/null 2>&1"), 0) << "test.sh installs iverilog";
    const std::string file = write(
        "bare.mq", "design bare {\n  input x : i8[5, 6, 12] = random(seed: 1);\n"
                   "  input g : i8[6, 3, 2, 6] = random(seed: 2);\n"
                   "  input d : i8[12, 3, 3] = random(seed: 3);\n"
                   "  input m : i8[24, 1, 2] = random(seed: 4);\n"
                   "  input z : u8[7, 24] = random(seed: 5);\n"
                   "  input k : i8[3] = random(seed: 6);\n"
                   "  input t : i16[256] = random(seed: 7);\n"
                   "  input n : u32[3, 5] = random(seed: 8);\n"
                   "  input o : bit[3, 5] = random(seed: 9, lo: 0, hi: 1);\n"
                   "  output groups = conv(x, g, groups: 2, pad: 1);\n"
                   "  output each = relu(requant(dwconv(x, d, stride: 2), shift: 7));\n"
                   "  output twice = dwconv(x, m);\n"
                   "  output lines = conv1d_w(z, k, pad: 1);\n"
                   "  output columns = conv1d_h(z, k, pad: 2);\n"
                   "  output entries = table(z, t);\n"
                   "  output shares = softmax(conv1d_w(z, k));\n"
                   "  output wide = transpose(n);\n"
                   "  output bits = concat(o, slice(o, axis: 1, from: 1, to: 4), axis: 1);\n}\n");
    const Outcome exported = run("export " + file + " --out " + path("export"));
    ASSERT_EQ(exported.status, 0) << exported.err;
    const Outcome verified =
        run("verify " + path("export") + " --simulator iverilog --vectors 2 --json");
    EXPECT_EQ(verified.status, 0) << verified.err << verified.out;
    const Json json = Json::parse(verified.out);
    EXPECT_EQ(json["pass"], true);
    EXPECT_EQ(json["cycles"], json["predicted_cycles"]);
}

TEST_F(Errors, ManyLayersThatAllDifferAreAnswered) {
    std::string text = "design chain {\n  input x : i8[70, 70, 8] = zeros;\n";
    for (int k = 0; k < 60; ++k) {
        const std::string id = std::to_string(k);
        text += "  weight w" + id + " : i8[" + std::to_string(9 + k) + ", 2, 2, " +
                std::to_string(8 + k) + "] = zeros;\n  let c" + id + " = requant(conv(" +
                (k == 0 ? "x" : "c" + std::to_string(k - 1)) + ", w" + id + "), shift: 4);\n";
    }
    const std::string file = write("chain.mq", text + "  output y = c59;\n}\n");
    const Outcome outcome = run("explore " + file + " --limit dsp=64 --json");
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_LE(Json::parse(outcome.out)["design"]["resources"]["dsp"].get<double>(), 64);
}

TEST_F(Errors, ForeignFoldersAreNeverReplaced) {
    const std::string file = write("tiny.mq", kTiny);
    fs::create_directories(path("mine"));
    write("mine/letter.txt", "dear diary");
    expectError("export " + file + " --out " + path("mine"), "output-exists");
    expectError("export " + file + " --out " + path("mine/letter.txt"), "output-exists");
    write("mine/manifest.json", R"({"kind":7})");
    expectError("export " + file + " --out " + path("mine"), "output-exists");
    EXPECT_EQ(contents(path("mine/letter.txt")), "dear diary");
    expectError("export " + file + " --out /proc/none", "output-unwritable");
    expectError("export " + file + " --target vhdl --out " + path("o"), "unknown-target");
}

TEST_F(Errors, ARefusedExportLeavesNothing) {
    const std::string file = write("tiny.mq", kTiny);
    const auto before = entries();
    const Outcome outcome = run("export " + file + " --out " + path(std::string(300, 'y')));
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.err, HasSubstr("File name too long"));
    auto after = entries();
    std::erase(after, "stdout");
    std::erase(after, "stderr");
    EXPECT_EQ(after, before);
}

TEST_F(Errors, VerifyTakesOnlyWholeExports) {
    expectError("verify " + path("none"), "export-missing");
    fs::create_directories(path("empty"));
    expectError("verify " + path("empty"), "export-missing");
    const std::string folder = tinyExport();
    expectError("verify " + folder + " --simulator vcs", "unknown-simulator");
    write("export/rtl/extra.v", "module extra; endmodule\n");
    expectError("verify " + folder, "export-damaged");
    fs::remove(path("export/rtl/extra.v"));
    for (const char* name : {"program/tiny.mq", "DESIGN.json", "tb/tb_icarus.v"}) {
        const std::string original = contents(path("export/" + std::string(name)));
        write("export/" + std::string(name), original + "\n");
        expectError("verify " + folder, "export-damaged");
        write("export/" + std::string(name), original);
    }
}

TEST_F(Errors, VerilatorTakesPathsWithSpaces) {
    const std::string folder = tinyExport();
    fs::rename(folder, path("my export"));
    const Outcome verified = run("verify '" + path("my export") + "'");
    EXPECT_EQ(verified.status, 0) << verified.err;
}

TEST_F(Errors, AMissingSimulatorIsNamed) {
    const std::string folder = tinyExport();
    fs::create_directories(path("bin"));
    for (const char* simulator : {"verilator", "iverilog"}) {
        const std::string command = "env PATH=" + path("bin") + " " + test::program() + " verify " +
                                    folder + " --simulator " + simulator + " >" + path("out") +
                                    " 2>" + path("err");
        const int status = std::system(command.c_str());
        EXPECT_EQ(WEXITSTATUS(status), 2) << simulator;
        EXPECT_THAT(contents(path("err")), HasSubstr("[process-start]"));
        EXPECT_THAT(contents(path("err")), HasSubstr(std::string("install ") + simulator));
    }
}

} // namespace marquetry::cli_test
