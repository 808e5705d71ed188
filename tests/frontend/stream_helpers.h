// Short ways to parse and run streams in tests.
#pragma once

#include "engine/frontend/parser.h"
#include "engine/ir/stream_interpreter.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace marquetry::frontend {

inline constexpr std::int64_t kU = ir::kUndefined;

/// The one stream of a text that must be right.
inline ir::StreamProgram streamOf(const std::string& text) {
    const auto parsed = parse(text, "test.mq");
    EXPECT_TRUE(parsed.has_value()) << (parsed ? "" : format(parsed.error()));
    if (!parsed || parsed->streams.empty())
        return {};
    return parsed->streams[0];
}

/// Type of the first output of "stream s { body }".
inline std::string outputType(const std::string& body) {
    const ir::StreamProgram stream = streamOf("stream s { " + body + " }");
    return stream.graph.outputs.empty()
               ? ""
               : toString(stream.graph.node(stream.graph.outputs[0].node).type);
}

/// The words of the first output; inputs in declaration order.
inline std::vector<std::int64_t> runStream(const std::string& text,
                                           const std::vector<std::vector<std::int64_t>>& inputs) {
    const ir::StreamProgram stream = streamOf(text);
    std::map<std::string, ir::StreamData> named;
    for (std::size_t k = 0; k < inputs.size(); ++k) {
        const ir::StreamNode& node = stream.graph.node(stream.graph.inputs[k]);
        named[node.name] = {node.type, inputs[k]};
    }
    const auto outputs = interpret(stream, named);
    EXPECT_TRUE(outputs.has_value()) << (outputs ? "" : format(outputs.error()));
    return outputs ? (*outputs)[0].words : std::vector<std::int64_t>();
}

inline std::vector<std::int64_t> iota(std::int64_t count, std::int64_t from = 1) {
    std::vector<std::int64_t> values;
    for (std::int64_t k = 0; k < count; ++k)
        values.push_back(from + k);
    return values;
}

} // namespace marquetry::frontend
