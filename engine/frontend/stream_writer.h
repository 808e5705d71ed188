// Writes operators of streams into a graph, for those that are derived from others.
//
// Every operator is typed as it is written; operands fit, or it is our mistake. A value that could
// not be written (too many nodes, reported) makes what is written from it one, too.
// Complexity: linear in the nodes. Thread rule: one owner.
#pragma once

#include "engine/ir/stream_program.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace marquetry::frontend {

class StreamElaborator;

class StreamWriter {
public:
    using Meaning = std::optional<ir::StreamNodeId>;
    using Function = std::shared_ptr<const ir::StreamGraph>;
    using Body = std::function<Meaning(StreamWriter&, const std::vector<Meaning>&)>;

    /// All must outlive it.
    StreamWriter(StreamElaborator& elaborator, ir::StreamGraph& graph, const SourceRange& range)
        : elaborator_(elaborator), graph_(graph), range_(range) {}

    Meaning put(ir::StreamOp op, const std::vector<Meaning>& operands, ir::StreamParams params = {},
                Function function = nullptr);
    /// map or map2 of a function that `body` writes, given its parameters.
    Meaning map(const std::vector<Meaning>& operands, const Body& body);
    Meaning constant(std::vector<std::int64_t> words, const ir::StreamType& type);
    Meaning number(std::int64_t value, const ir::StreamType& type);
    /// 0, 1, 2, …
    Meaning counter(std::int64_t length, ir::Scalar scalar);
    const ir::StreamType& typeOf(ir::StreamNodeId id) const { return graph_.node(id).type; }

private:
    StreamElaborator& elaborator_;
    ir::StreamGraph& graph_;
    const SourceRange& range_;
};

} // namespace marquetry::frontend
