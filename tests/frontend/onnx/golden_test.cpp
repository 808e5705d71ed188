#include "tests/frontend/onnx/golden.h"

namespace marquetry::frontend::onnx {
namespace {

/// Each operator computed from golden values, and compared with golden values.
class NodeByNode {
public:
    NodeByNode(const Imported& network, const Golden& golden) : network_(network), golden_(golden) {
        for (const ImportNote& note : network.notes)
            notes_[note.value.index()].push_back(&note);
    }

    void run() {
        for (const ir::Value& value : network_.program.values) {
            values_.push_back(computed(value));
            for (const ImportNote* note : notes_[value.id.index()])
                compare(*note);
        }
    }

    std::size_t elements = 0, ties = 0, nearTies = 0;

private:
    ir::Tensor computed(const ir::Value& value) {
        if (value.kind == ir::ValueKind::Input)
            return {value.type,
                    std::vector<std::int64_t>(static_cast<std::size_t>(value.type.elements()))};
        if (value.kind == ir::ValueKind::Weight)
            return *ir::loadSource(value);
        std::vector<const ir::Tensor*> operands;
        for (const ir::ValueId id : value.operands)
            operands.push_back(&values_[id.index()]);
        auto result = ir::apply(value.op, operands, value.params);
        EXPECT_TRUE(result) << value.name;
        return *result;
    }

    void compare(const ImportNote& note) {
        const auto found = golden_.find(note.tensor);
        if (found == golden_.end())
            return;
        ir::Tensor& ours = values_[note.value.index()];
        ASSERT_EQ(found->second.size(), ours.data.size()) << note.tensor;
        const auto theirs = inProgramOrder(found->second, note.layout);
        const bool isInput = network_.program.value(note.value).kind == ir::ValueKind::Input;
        for (std::size_t k = 0; k < theirs.size() && !isInput; ++k) {
            ++elements;
            if (ours.data[k] == theirs[k])
                continue;
            EXPECT_EQ(std::abs(ours.data[k] - theirs[k]), 1) << note.tensor << " " << k;
            ASSERT_TRUE(note.requantised) << note.tensor;
            judge(exactValue(*note.requantised, note, k), note.tensor, k);
        }
        ours.data = theirs;
    }

    /// What was rounded.
    Rational exactValue(const ExactMeaning& meaning, const ImportNote& note, std::size_t k) const {
        const std::int64_t flat = flatIndices(note.layout)[k];
        Rational value = meaning.addend.at(flat);
        for (const ExactTerm& term : meaning.terms) {
            const auto held = inFileOrder(values_[term.value.index()].data, term.layout);
            value = value + term.factor.at(flat) * Rational(held[static_cast<std::size_t>(flat)]);
        }
        return value;
    }

    /// A value that differs is half between two integers, or so near that floats cannot tell: the
    /// other side computes with float32, four roundings of 2^-24 from the products to the quotient.
    void judge(const Rational& value, const std::string& tensor, std::size_t k) {
        const Rational half =
            Rational(value.floor()) + Rational(quant::Integer(1), quant::Integer(2));
        const Rational away = (value - half).abs();
        ties += away.isZero() ? 1 : 0;
        nearTies += away.isZero() ? 0 : 1;
        EXPECT_LE(away, value.abs() * Rational(quant::Integer(1), quant::powerOfTwo(22)))
            << tensor << " element " << k << " is exactly " << value.text();
    }

    const Imported& network_;
    const Golden& golden_;
    std::map<std::size_t, std::vector<const ImportNote*>> notes_;
    std::vector<ir::Tensor> values_;
};

struct GoldenNetwork {
    std::string folder;
    std::size_t elements; ///< quantised values that are compared: all but the
                          ///< input's and what Softmax gives
    std::size_t ties;     ///< of them on the other side of an exact half
    std::size_t nearTies; ///< of them on the other side of a value nearly half
};

class GoldenNodes : public testing::TestWithParam<GoldenNetwork> {};

TEST_P(GoldenNodes, AreEqualOrOneStepAwayAtAnExactTie) {
    if (modelsFolder().empty())
        GTEST_SKIP() << "MARQUETRY_MODELS does not name the folder of published networks";
    const std::string folder = modelsFolder() + "/" + GetParam().folder;
    const auto network = importOnnxFile(folder + "/model.onnx");
    ASSERT_TRUE(network) << format(network.error());
    const Golden golden = readGolden(folder + "/golden_ort1.30");
    NodeByNode check(*network, golden);
    check.run();
    EXPECT_EQ(check.elements, GetParam().elements);
    EXPECT_EQ(check.ties, GetParam().ties);
    EXPECT_EQ(check.nearTies, GetParam().nearTies);
}

INSTANTIATE_TEST_SUITE_P(
    Published, GoldenNodes,
    testing::Values(GoldenNetwork{"mlperf_tiny_ic_resnet8_qdq", 114762, 0, 1},
                    GoldenNetwork{"mlperf_tiny_kws_dscnn_qdq", 72076, 0, 0},
                    GoldenNetwork{"mlperf_tiny_vww_mobilenet_qdq", 231810, 0, 0},
                    GoldenNetwork{"mlperf_tiny_ad_autoencoder_qdq", 1672, 0, 0},
                    GoldenNetwork{"micro_kws_m_static_qdq", 49716, 7, 0},
                    GoldenNetwork{"micro_kws_m_static_qoperator", 41556, 0, 0}),
    [](const auto& network) { return network.param.folder; });

/// Numbers of a text file, one a line, behind a line that begins with '#'.
std::vector<std::int64_t> readNumbers(const std::string& path) {
    std::vector<std::int64_t> numbers;
    TextIn in(files::read(path).value_or(""));
    for (std::string line; std::getline(in, line);) {
        if (!line.empty() && line[0] != '#')
            numbers.push_back(std::stoll(line));
    }
    return numbers;
}

TEST(GoldenFrontnet, IsEqualFromInputToOutput) {
    if (modelsFolder().empty())
        GTEST_SKIP() << "MARQUETRY_MODELS does not name the folder of published networks";
    const std::string folder = modelsFolder() + "/dory_nas_frontnet";
    const auto network = importOnnxFile(folder + "/Frontnet.onnx");
    ASSERT_TRUE(network) << format(network.error());
    const ir::Program& program = network->program;
    ASSERT_EQ(program.inputs.size(), 1U);
    const ir::Value& input = program.value(program.inputs[0]);
    const ir::Tensor image{input.type, readNumbers(folder + "/input.txt")};
    const auto run = ir::interpret(program, {{input.name, image}});
    ASSERT_TRUE(run) << format(run.error());
    // Tensors of the file behind each layer: its values are H × W × C, as the program holds them.
    const std::vector<std::string> layers = {"64", "65", "75", "85", "95", "105", "115", "125"};
    for (std::size_t k = 0; k < layers.size(); ++k) {
        const auto expected = readNumbers(folder + "/out_layer" + std::to_string(k) + ".txt");
        const auto note = std::find_if(network->notes.begin(), network->notes.end(),
                                       [&](const ImportNote& n) { return n.tensor == layers[k]; });
        ASSERT_NE(note, network->notes.end()) << layers[k];
        EXPECT_EQ(run->values[note->value.index()].data, expected) << "layer " << k;
    }
    std::vector<std::int64_t> last;
    for (const ir::Output& output : program.outputs)
        last.push_back(run->values[output.value.index()].data.at(0));
    EXPECT_EQ(last, readNumbers(folder + "/out_layer8.txt"));
}

} // namespace
} // namespace marquetry::frontend::onnx
