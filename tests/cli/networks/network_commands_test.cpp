// check, run, convert and explore of a small network whose arithmetic is done here by hand.
#include "tests/cli/cli_fixture.h"
#include "tests/frontend/onnx/small_network.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

namespace marquetry::cli_test {
namespace {

using test::kInputScale, test::kInputZero, test::kOutputScale, test::kOutputZero, test::kWeights,
    test::kWeightScale;

/// Channels first, as the network has them.
const std::vector<float> kImage = {0,     0.25F, -0.75F, 1.5F, 80,  -90,
                                   3.75F, -2,    0.1F,   7,    -11, 12.25F};

/// Scales are powers of two but for the last, and all sums small: doubles are exact here but for
/// the last division, whose halves nearbyint decides as the file says.
std::vector<int> expectedResult() {
    std::vector<int> quantised;
    for (const float value : kImage) {
        const double nearest = std::nearbyint(value / kInputScale) + kInputZero;
        quantised.push_back(static_cast<int>(std::min(127.0, std::max(-128.0, nearest))));
    }
    std::vector<int> result;
    for (std::size_t o = 0; o < 2; ++o)
        for (std::size_t pixel = 0; pixel < 6; ++pixel) {
            double sum = 0;
            for (std::size_t c = 0; c < 2; ++c)
                sum += kWeights[o][c] * (quantised[c * 6 + pixel] - kInputZero);
            const double real = sum * kInputScale * kWeightScale;
            const double nearest = std::nearbyint(real / kOutputScale) + kOutputZero;
            result.push_back(static_cast<int>(std::min(127.0, std::max(-128.0, nearest))));
        }
    return result;
}

std::string npy(const std::string& descr, const std::string& shape, const std::string& elements) {
    std::string header =
        "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (" + shape + "), }";
    header.resize(118 - 1, ' ');
    header += '\n';
    return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + elements;
}

std::string imageFile() {
    std::string bytes(kImage.size() * sizeof(float), '\0');
    std::memcpy(bytes.data(), kImage.data(), bytes.size());
    return npy("<f4", "1, 2, 2, 3", bytes);
}

std::vector<int> bytesOf(const std::string& file) {
    std::vector<int> values;
    for (const char c : file.substr(128))
        values.push_back(static_cast<signed char>(c));
    return values;
}

class Networks : public Cli {
protected:
    void SetUp() override {
        write("model.onnx", test::smallNetwork());
        write("image.npy", imageFile());
    }
    Json valueNamed(const std::string& folder, const std::string& name) const {
        for (const Json& value : Json::parse(contents(path(folder + "/values.json"))))
            if (value["name"] == name)
                return value;
        return Json();
    }
};

TEST_F(Networks, AreChecked) {
    const Outcome text = run("check " + path("model.onnx"));
    EXPECT_EQ(text.status, 0) << text.err;
    EXPECT_THAT(text.out, ::testing::HasSubstr("holds 'image.1' [1, 2, 2, 3]"));
    const Outcome json = run("check --json " + path("model.onnx"));
    ASSERT_EQ(json.status, 0) << json.err;
    const Json item = Json::parse(json.out)["items"][0];
    EXPECT_EQ(item["macs"], 2 * 2 * 6);
    EXPECT_EQ(item["inputs"][0]["type"], "i8[2, 3, 2]");
}

TEST_F(Networks, RunOnRealNumbers) {
    const Outcome outcome =
        run("run " + path("model.onnx") + " --input image.1=" + path("image.npy") +
            " --all --out " + path("out"));
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const Json value = valueNamed("out", "yq");
    ASSERT_TRUE(value.is_object()) << contents(path("out/values.json"));
    EXPECT_EQ(value["shape"], Json::array({1, 2, 2, 3}));
    EXPECT_EQ(value["layout"], "NCHW");
    EXPECT_EQ(value["type"], "i8");
    EXPECT_EQ(bytesOf(contents(path("out/" + value["file"].get<std::string>()))), expectedResult());
    // Again into the same folder: all of it is ours.
    EXPECT_EQ(run("run " + path("model.onnx") + " --input image.1=" + path("image.npy") +
                  " --out " + path("out"))
                  .status,
              0);
    EXPECT_FALSE(fs::exists(path("out/values.json")));
}

TEST_F(Networks, ConvertToAProgramThatDoesTheSame) {
    const Outcome converted = run("convert " + path("model.onnx") + " --out " + path("model.mq"));
    ASSERT_EQ(converted.status, 0) << converted.err;
    const std::string text = contents(path("model.mq"));
    EXPECT_THAT(text, ::testing::StartsWith("// Imported by Marquetry from model.onnx\n"));
    ASSERT_EQ(run("run " + path("model.onnx") + " --input image.1=" + path("image.npy") +
                  " --all --out " + path("a"))
                  .status,
              0);
    // The input of the program, channels last, is what the network's run says it is.
    const std::vector<int> held =
        bytesOf(contents(path("a/" + valueNamed("a", "xq")["file"].get<std::string>())));
    std::string raw;
    for (std::size_t pixel = 0; pixel < 6; ++pixel)
        for (std::size_t c = 0; c < 2; ++c)
            raw += static_cast<char>(held[c * 6 + pixel]);
    write("x.bin", raw);
    const Json input = Json::parse(run("check --json " + path("model.mq")).out)["items"][0];
    const std::string name = input["inputs"][0]["name"];
    const Outcome ran = run("run " + path("model.mq") + " --input " + name + "=" + path("x.bin") +
                            " --out " + path("b"));
    ASSERT_EQ(ran.status, 0) << ran.err;
    const std::string output = input["outputs"][0]["name"];
    EXPECT_EQ(contents(path("a/" + output + ".bin")), contents(path("b/" + output + ".bin")));
}

TEST_F(Networks, ConvertReplacesItsOwnFilesAlone) {
    const std::string convert = "convert " + path("model.onnx") + " --out " + path("model.mq");
    ASSERT_EQ(run(convert).status, 0);
    EXPECT_EQ(run(convert).status, 0);
    write("model.mq", "design mine { input x : i8[2]; output y = relu(x); }");
    const Outcome refused = run(convert);
    EXPECT_EQ(refused.status, 2);
    EXPECT_THAT(refused.err, ::testing::HasSubstr("output-exists"));
    EXPECT_THAT(contents(path("model.mq")), ::testing::StartsWith("design mine"));
    EXPECT_EQ(run(convert + " --force").status, 0);
    EXPECT_EQ(run("convert " + path("model.onnx") + " --out " + path("model.onnx")).status, 2);
    EXPECT_EQ(contents(path("model.onnx")), test::smallNetwork());
}

/// Recomputed from what calls and units say of themselves.
void expectUtilisation(const Json& design) {
    const double cycles = design["cycles"];
    double done = 0;
    double multipliers = 0;
    for (const Json& unit : design["units"]) {
        double products = 0;
        double busy = 0;
        for (const Json& call : design["calls"])
            if (call["unit"] == unit["id"]) {
                products += call["macs"].get<double>();
                busy += call["cycles"].get<double>();
            }
        EXPECT_DOUBLE_EQ(unit["busy"], busy / cycles);
        const double built = unit["multipliers"];
        if (built == 0) {
            EXPECT_TRUE(unit["utilisation"].is_null());
            continue;
        }
        EXPECT_DOUBLE_EQ(unit["utilisation"], products / (built * cycles));
        EXPECT_LE(unit["utilisation"], unit["busy"]);
        done += products;
        multipliers += built;
    }
    ASSERT_GT(done, 0);
    EXPECT_DOUBLE_EQ(design["utilisation"], done / (multipliers * cycles));
}

TEST_F(Networks, AreExplored) {
    const Outcome outcome = run("explore " + path("model.onnx") + " --json");
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const Json explored = Json::parse(outcome.out);
    const Json& design = explored["design"];
    EXPECT_EQ(design["exportable"], true);
    expectUtilisation(design);
    const Json& layers = explored["imported"];
    const auto layer =
        std::ranges::find_if(layers, [](const Json& l) { return l["node"] == "yq_node"; });
    ASSERT_NE(layer, layers.end()) << layers;
    EXPECT_EQ((*layer)["op"], "QuantizeLinear");
    EXPECT_THAT((*layer)["factor"].get<std::string>(), ::testing::HasSubstr("rounded even"));
    EXPECT_THAT((*layer)["proof"].get<std::string>(), ::testing::HasSubstr("exact for"));
    EXPECT_THAT(run("explore " + path("model.onnx")).out, ::testing::HasSubstr("of yq_node"));
}

TEST_F(Networks, AreExportedAndVerified) {
    const Outcome exported =
        run("export " + path("model.onnx") + " --device xc7z020 --out " + path("rtl"));
    ASSERT_EQ(exported.status, 0) << exported.err;
    const Outcome outcome = run("verify " + path("rtl") + " --simulator iverilog --json");
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const Json verified = Json::parse(outcome.out);
    EXPECT_EQ(verified["pass"], true);
    EXPECT_EQ(verified["cycles"], verified["predicted_cycles"]);
}

TEST_F(Networks, RefuseInputsOfOtherForms) {
    const auto ran = [&](const std::string& file) {
        const Outcome outcome =
            run("run " + path("model.onnx") + " --input image.1=" + file + " --out " + path("out"));
        EXPECT_EQ(outcome.status, 2);
        return outcome.err;
    };
    EXPECT_THAT(ran(write("flat.npy", npy("<f4", "12,", std::string(48, '\0')))),
                ::testing::HasSubstr("[12], but the network has [1, 2, 2, 3]"));
    std::string infinite = imageFile();
    const float infinity = INFINITY;
    std::memcpy(infinite.data() + 128, &infinity, sizeof infinity);
    EXPECT_THAT(ran(write("infinite.npy", infinite)), ::testing::HasSubstr("not finite"));
    EXPECT_THAT(ran(write("complex.npy", npy("<c8", "1, 2, 2, 3", std::string(96, '\0')))),
                ::testing::HasSubstr("<c8"));
    EXPECT_THAT(ran(write("short.npy", imageFile().substr(0, 140))),
                ::testing::HasSubstr("12 bytes of elements, but 48"));
    EXPECT_THAT(ran(write("big.npy", npy("<i2", "1, 2, 2, 3", std::string(24, '\x01')))),
                ::testing::HasSubstr("257, which is no i8"));
    EXPECT_FALSE(fs::exists(path("out")));
}

TEST_F(Networks, ThatAreBrokenAreRefused) {
    const Outcome outcome =
        run("check " +
            write("broken.onnx", test::smallNetwork().substr(0, test::smallNetwork().size() / 2)));
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.err, ::testing::HasSubstr("broken.onnx"));
}

} // namespace
} // namespace marquetry::cli_test
