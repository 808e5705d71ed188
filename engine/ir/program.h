// Program: one checked `design` item — a list of values in definition order.
//
// Value k only refers to values before it, so the list is a topological order. Thread rule: a
// Program is immutable after the front end has made it and may be read from any thread.
#pragma once

#include "engine/ir/op.h"
#include "engine/support/strong_id.h"

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace marquetry::ir {

using ValueId = StrongId<struct ValueTag>;

enum class ValueKind : std::uint8_t { Input, Weight, Op };

struct RandomSource {
    std::uint64_t seed = 0;
    std::int64_t lo = 0; ///< both bounds resolved: the scalar's range when not written
    std::int64_t hi = 0;
};
struct FileSource {
    std::string path;         ///< as written
    std::string resolvedPath; ///< relative to the .mq file's folder
    /// The whole file, read once with the program: what is computed with, and what is exported.
    std::shared_ptr<const std::string> bytes{};
};
struct ZeroSource {};
/// Of a weight that was computed from others (fold_constants.h).
struct ComputedSource {
    std::shared_ptr<const Tensor> tensor;
};
/// monostate: an input without a default vector.
using Source = std::variant<std::monostate, RandomSource, FileSource, ZeroSource, ComputedSource>;

struct Value {
    ValueId id;
    ValueKind kind = ValueKind::Op;
    std::string name; ///< the user's name, or "name#k" for an unnamed inner expression
    Type type;
    Range range; ///< of every element, after wrapping
    SourceRange place;
    Source source;                 ///< inputs and weights
    OpKind op = OpKind::Relu;      ///< Op values, and weights that were computed
    OpParams params;               ///< as op
    std::vector<ValueId> operands; ///< as op
    std::int64_t macs = 0;
};

struct Output {
    std::string name;
    ValueId value;
};

/// What a value is in the file of another kind that its program was made from. Texts, for people.
struct ImportedValue {
    ValueId value;
    std::string node; ///< that gives it; empty: an input
    std::string op;   ///< the file's word
    std::string tensor;
    std::string scale;  ///< how the integers are to be read
    std::string factor; ///< multipliers and shifts of a requantisation; empty: nothing is rounded
    std::string proof;  ///< why they round as the file says
};

struct Program {
    std::string name;
    std::string file;   ///< path of the .mq file, for messages; may be empty
    std::string folder; ///< what file(…) sources are relative to
    std::vector<Value> values;
    std::vector<ValueId> inputs; ///< in declaration order
    std::vector<ValueId> weights;
    std::vector<Output> outputs;
    std::vector<ImportedValue> imported{}; ///< in the order of the values; of an imported program

    const Value& value(ValueId id) const { return values[id.index()]; }
    std::int64_t macs() const;
    /// How many operands and outputs refer to each value. Index: ValueId.
    std::vector<int> useCounts() const;
};

} // namespace marquetry::ir
