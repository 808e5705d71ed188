#include "engine/ir/stream_interpreter.h"

#include "engine/ir/interpreter.h"
#include "engine/ir/op.h"
#include "engine/ir/stream_live_words.h"
#include "engine/support/limits.h"

#include <algorithm>

namespace marquetry::ir {

namespace {

using Words = std::vector<std::int64_t>;

std::int64_t sizeOf(const Words& words) {
    return static_cast<std::int64_t>(words.size());
}

/// Runs a graph on `batch` sets of inputs; every value is a concatenation of `batch` values.
class Evaluation {
public:
    Evaluation(const StreamGraph& graph, std::vector<Words> inputs, std::int64_t batch,
               const std::stop_token& stop)
        : graph_(graph),
          inputs_(std::move(inputs)),
          batch_(batch),
          stop_(stop),
          values_(graph.nodes.size()),
          uses_(useCounts(graph)) {}

    std::vector<Words> run() {
        std::size_t nextInput = 0;
        for (std::size_t k = 0; k < graph_.nodes.size() && !stop_.stop_requested(); ++k) {
            const StreamNode& node = graph_.nodes[k];
            values_[k] =
                node.op == StreamOp::Input ? std::move(inputs_[nextInput++]) : evaluateNode(node);
            for (const StreamNodeId operand : node.operands)
                release(operand);
        }
        std::vector<Words> outputs;
        for (const StreamOutput& output : graph_.outputs) {
            outputs.push_back(taken(output.node));
            release(output.node);
        }
        return outputs;
    }

private:
    /// The value itself at its last use, else a copy.
    Words taken(StreamNodeId id) {
        Words& value = values_[id.index()];
        return uses_[id.index()] == 1 ? std::move(value) : value;
    }

    void release(StreamNodeId id) {
        if (--uses_[id.index()] == 0)
            values_[id.index()] = Words();
    }

    const Words& operand(const StreamNode& node, std::size_t k) const {
        return values_[node.operands[k].index()];
    }
    const StreamType& operandType(const StreamNode& node, std::size_t k) const {
        return graph_.node(node.operands[k]).type;
    }

    Words evaluateNode(const StreamNode& node) {
        if (info(node.op).scalar)
            return scalarOp(node);
        switch (node.op) {
        case StreamOp::Const:
            return repeat(node.literal);
        case StreamOp::Counter:
            return counter(node);
        case StreamOp::Lookup:
            return lookUp(node);
        case StreamOp::If:
            return choose(node);
        case StreamOp::Tuple:
        case StreamOp::STuple:
        case StreamOp::Append:
            return concatenate(node);
        case StreamOp::Fst:
            return slice(node, 0);
        case StreamOp::Snd:
            return slice(node, words(operandType(node, 0).parts[0]));
        case StreamOp::Shift:
            return shift(node);
        case StreamOp::Up:
            return up(node);
        case StreamOp::Select:
            return element(node, node.params[0]);
        case StreamOp::Map:
        case StreamOp::Map2:
            return map(node);
        case StreamOp::Reduce:
            return reduce(node);
        case StreamOp::Scan:
            return scan(node);
        default: // partitions and conversions regroup the same words
            return taken(node.operands[0]);
        }
    }

    Words scalarOp(const StreamNode& node) const {
        const auto compute = info(node.op).scalar;
        const StreamType& type = operandType(node, 0);
        const Scalar scalar = leaves(type)[0];
        const Words& a = operand(node, 0);
        const Words& b = operand(node, node.operands.size() - 1);
        Words result(a.size());
        for (std::size_t k = 0; k < a.size(); ++k)
            result[k] =
                a[k] == kUndefined || b[k] == kUndefined ? kUndefined : compute(scalar, a[k], b[k]);
        return result;
    }

    Words lookUp(const StreamNode& node) const {
        Words result = operand(node, 0);
        for (std::int64_t& word : result)
            word = word == kUndefined ? kUndefined : node.table->at(word);
        return result;
    }

    /// Looks at the stop token now and then.
    bool stopped(std::int64_t k) const {
        constexpr std::int64_t kBetweenLooks = std::int64_t{1} << 12;
        return k % kBetweenLooks == 0 && stop_.stop_requested();
    }

    Words repeat(const Words& once) const {
        Words all;
        all.reserve(once.size() * static_cast<std::size_t>(batch_));
        for (std::int64_t b = 0; b < batch_; ++b)
            all.insert(all.end(), once.begin(), once.end());
        return all;
    }

    Words counter(const StreamNode& node) const {
        Words once;
        once.reserve(static_cast<std::size_t>(node.params[0]));
        for (std::int64_t k = 0; k < node.params[0] && !stopped(k); ++k)
            once.push_back(wrap(node.type.element().scalar, k * node.params[1]));
        return batch_ == 1 ? once : repeat(once);
    }

    Words choose(const StreamNode& node) const {
        const Words& condition = operand(node, 0);
        const auto width = static_cast<std::size_t>(words(node.type));
        Words result(condition.size() * width, kUndefined);
        for (std::size_t k = 0; k < condition.size(); ++k) {
            if (condition[k] == kUndefined)
                continue;
            const Words& taken = operand(node, condition[k] != 0 ? 1 : 2);
            for (std::size_t w = k * width; w < (k + 1) * width; ++w)
                result[w] = taken[w];
        }
        return result;
    }

    Words concatenate(const StreamNode& node) const {
        Words result;
        result.reserve(operand(node, 0).size() + operand(node, 1).size());
        for (std::int64_t b = 0; b < batch_; ++b) {
            for (std::size_t k = 0; k < 2; ++k) {
                const auto begin = operand(node, k).begin() + b * words(operandType(node, k));
                result.insert(result.end(), begin, begin + words(operandType(node, k)));
            }
        }
        return result;
    }

    /// words(result) words of each operand value, from word `from` on.
    Words slice(const StreamNode& node, std::int64_t from) const {
        return slice(node, from, words(node.type));
    }

    Words slice(const StreamNode& node, std::int64_t from, std::int64_t part) const {
        const std::int64_t whole = words(operandType(node, 0));
        Words result;
        result.reserve(static_cast<std::size_t>(batch_ * part));
        for (std::int64_t b = 0; b < batch_; ++b) {
            const auto begin = operand(node, 0).begin() + b * whole + from;
            result.insert(result.end(), begin, begin + part);
        }
        return result;
    }

    Words shift(const StreamNode& node) const {
        const std::int64_t whole = words(node.type);
        const std::int64_t length = node.type.length;
        const std::int64_t distance =
            std::clamp(node.params[0], -length, length) * words(node.type.element());
        const std::int64_t ahead = std::max<std::int64_t>(0, -distance);
        const std::int64_t behind = std::max<std::int64_t>(0, distance);
        const Words& source = operand(node, 0);
        Words result(source.size(), kUndefined);
        for (std::int64_t b = 0; b < batch_; ++b)
            std::copy(source.begin() + b * whole + ahead, source.begin() + (b + 1) * whole - behind,
                      result.begin() + b * whole + behind);
        return result;
    }

    Words up(const StreamNode& node) const {
        const std::int64_t part = words(node.type.element());
        Words result;
        result.reserve(static_cast<std::size_t>(batch_ * words(node.type)));
        for (std::int64_t b = 0; b < batch_; ++b) {
            const auto begin = operand(node, 0).begin() + b * part;
            for (std::int64_t k = 0; k < node.type.length && !stopped(k); ++k)
                result.insert(result.end(), begin, begin + part);
        }
        return result;
    }

    /// The elements of all values of the batch lie one after the other: a bigger batch.
    Words map(const StreamNode& node) const {
        const std::int64_t total = batch_ * node.type.length;
        const std::int64_t step = chunkOf(graph_, node);
        Words result;
        result.reserve(static_cast<std::size_t>(total * words(node.type.element())));
        for (std::int64_t from = 0; from < total && !stop_.stop_requested(); from += step) {
            const std::int64_t count = std::min(step, total - from);
            std::vector<Words> arguments;
            for (std::size_t k = 0; k < node.operands.size(); ++k) {
                const std::int64_t width = words(operandType(node, k).element());
                const auto begin = operand(node, k).begin() + from * width;
                arguments.emplace_back(begin, begin + count * width);
            }
            const Words part =
                Evaluation(*node.function, std::move(arguments), count, stop_).run()[0];
            result.insert(result.end(), part.begin(), part.end());
        }
        return result;
    }

    Words reduce(const StreamNode& node) const {
        const std::int64_t length = operandType(node, 0).length;
        Words sum = element(node, 0);
        for (std::int64_t k = 1; k < length && !stop_.stop_requested(); ++k)
            sum = Evaluation(*node.function, {std::move(sum), element(node, k)}, batch_, stop_)
                      .run()[0];
        return sum;
    }

    /// The state behind each element, in every value of the batch by itself.
    Words scan(const StreamNode& node) const {
        const std::int64_t length = node.type.length;
        const std::int64_t part = words(node.type.element());
        Words result(static_cast<std::size_t>(batch_ * length * part));
        Words state = repeat(node.literal);
        for (std::int64_t k = 0; k < length && !stop_.stop_requested(); ++k) {
            Words next = slice(node, k * words(operandType(node, 0).element()),
                               words(operandType(node, 0).element()));
            state = Evaluation(*node.function, {std::move(state), std::move(next)}, batch_, stop_)
                        .run()[0];
            for (std::int64_t b = 0; b < batch_; ++b)
                std::copy_n(state.begin() + b * part, part,
                            result.begin() + (b * length + k) * part);
        }
        return result;
    }

    /// Element k of the operand, of every value of the batch.
    Words element(const StreamNode& node, std::int64_t k) const {
        return slice(node, k * words(node.type));
    }

    const StreamGraph& graph_;
    std::vector<Words> inputs_;
    const std::int64_t batch_;
    const std::stop_token& stop_;
    std::vector<Words> values_;
    std::vector<int> uses_;
};

Diagnostic inputError(std::string code, std::string message, const StreamProgram& program,
                      const StreamNode& node) {
    Diagnostic error = makeError(std::move(code), std::move(message));
    error.file = program.file;
    error.range = node.place;
    return error;
}

bool inRange(const StreamData& data) {
    const std::vector<Scalar> scalars = leaves(atomOf(data.type));
    for (std::size_t k = 0; k < data.words.size(); ++k) {
        const ScalarInfo& scalar = info(scalars[k % scalars.size()]);
        if (data.words[k] < scalar.min || data.words[k] > scalar.max)
            return false;
    }
    return sizeOf(data.words) == words(data.type);
}

Result<std::vector<Words>> bindInputs(const StreamProgram& program,
                                      const std::map<std::string, StreamData>& inputs) {
    std::vector<Words> bound;
    std::size_t used = 0;
    for (const StreamNodeId id : program.graph.inputs) {
        const StreamNode& node = program.graph.node(id);
        const auto given = inputs.find(node.name);
        if (given == inputs.end())
            return inputError("input-missing",
                              "there are no values for the input '" + node.name + "'", program,
                              node);
        if (given->second.type != node.type || !inRange(given->second))
            return inputError("type-mismatch",
                              "the input '" + node.name + "' needs values of " +
                                  toString(node.type) + ", not of " + toString(given->second.type),
                              program, node);
        bound.push_back(given->second.words);
        ++used;
    }
    if (used < inputs.size())
        return makeError("unknown-name",
                         "stream '" + program.name + "' has no input of the name of a given one");
    return bound;
}

} // namespace

Status checkInterpretable(const StreamProgram& program) {
    const auto refused = [&](Diagnostic error) {
        error.file = program.file;
        return error;
    };
    const std::int64_t live = liveWords(program.graph, 1);
    if (live > kMaxInterpretedElements)
        return refused(tooLarge("to interpret stream '" + program.name + "' takes", live,
                                kMaxInterpretedElements, "elements at the same time",
                                "a shorter stream, as a few rows of the image, takes less"));
    const std::int64_t steps = computedWords(program.graph);
    if (steps > kMaxInterpretedSteps)
        return refused(tooLarge("to interpret stream '" + program.name + "' takes", steps,
                                kMaxInterpretedSteps, "operations on elements",
                                "a shorter stream, as a few rows of the image, takes less"));
    return ok();
}

std::vector<Words> evaluate(const StreamGraph& graph, std::vector<Words> inputs, std::int64_t batch,
                            std::stop_token stop) {
    return Evaluation(graph, std::move(inputs), batch, stop).run();
}

Result<std::vector<StreamData>> interpret(const StreamProgram& program,
                                          const std::map<std::string, StreamData>& inputs,
                                          std::stop_token stop) {
    if (const Status size = checkInterpretable(program); !size)
        return size.error();
    auto bound = bindInputs(program, inputs);
    if (!bound)
        return bound.error();
    std::vector<Words> values = evaluate(program.graph, *std::move(bound), 1, stop);
    if (stop.stop_requested())
        return makeError("cancelled", "the interpreter was stopped");
    std::vector<StreamData> outputs;
    for (std::size_t k = 0; k < values.size(); ++k)
        outputs.push_back(
            {program.graph.node(program.graph.outputs[k].node).type, std::move(values[k])});
    return outputs;
}

std::int64_t byteSize(const StreamType& type) {
    std::int64_t bytes = 0;
    for (const Scalar scalar : leaves(atomOf(type)))
        bytes += info(scalar).bytes;
    return bytes * atoms(type);
}

std::vector<std::uint8_t> toBytes(const StreamData& data) {
    const std::vector<Scalar> scalars = leaves(atomOf(data.type));
    std::vector<std::uint8_t> bytes;
    bytes.reserve(static_cast<std::size_t>(byteSize(data.type)));
    for (std::size_t k = 0; k < data.words.size(); ++k) {
        const auto word =
            static_cast<std::uint64_t>(data.words[k] == kUndefined ? 0 : data.words[k]);
        for (int byte = 0; byte < info(scalars[k % scalars.size()]).bytes; ++byte)
            bytes.push_back(static_cast<std::uint8_t>(word >> (8 * byte)));
    }
    return bytes;
}

StreamData streamFromBytes(const StreamType& type, std::span<const std::uint8_t> bytes) {
    ENGINE_ASSERT(static_cast<std::int64_t>(bytes.size()) == byteSize(type),
                  "the bytes of a stream have the size of its type");
    const std::vector<Scalar> scalars = leaves(atomOf(type));
    StreamData data{type, {}};
    data.words.reserve(static_cast<std::size_t>(words(type)));
    std::size_t position = 0;
    while (position < bytes.size()) {
        const Scalar scalar = scalars[data.words.size() % scalars.size()];
        std::uint64_t word = 0;
        for (int byte = 0; byte < info(scalar).bytes; ++byte)
            word |= static_cast<std::uint64_t>(bytes[position++]) << (8 * byte);
        data.words.push_back(wrap(scalar, static_cast<std::int64_t>(word)));
    }
    return data;
}

} // namespace marquetry::ir
