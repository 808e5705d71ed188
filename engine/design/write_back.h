// The write-back of a program that scales its results: the widths of its lanes, and what is in its
// memories.
//
// A memory of numbers per channel has, for each block of `parallel` rows of each call, one word for
// each group of E rows: word (scaleBase + block) · (parallel / E) + group. Element r of a word
// belongs to row block · parallel + group · E + r. Rows past the tensor's have neutral numbers.
//
// Widths come from the program's ranges: lanes hold what can come, no more.
// Complexity: linear in the layers, and in the words. Thread rule: pure.
#pragma once

#include "engine/cost/write_back.h"
#include "engine/design/schedule.h"
#include "engine/ir/layer.h"

namespace marquetry::design {

/// Lanes of the units that multiply, or of the passes. The widest of all such layers.
cost::WriteBackForm writeBackForm(const ir::Program& program, const ir::LayerPlan& plan, bool pass);

/// Of a unit that computes these layers alone.
cost::WriteBackForm writeBackForm(const ir::Program& program,
                                  const std::vector<const ir::Layer*>& layers);

/// All lanes that serve `parallel` rows, with the memories of their numbers, of words of
/// `numberBits`, and of their tables.
device::Resources writeBackResources(const WriteBack& writeBack, std::int64_t parallel,
                                     std::int64_t numberBits);

/// Bits of a word of the unit's memory of numbers, but for those that are the same in all words: a
/// synthesiser stores no constants. Numbers whose source cannot be read may be any.
std::int64_t numberBits(const Schedule& schedule, UnitId unit, const ir::Program& program);

/// What a lane of the write-back reads for a row.
struct ScaleFields {
    std::int64_t bias = 0;
    std::int64_t mul = 1;
    std::int64_t add = 0;
    std::int64_t shift = 0;
    bool operator==(const ScaleFields&) const = default;
};

/// words · E fields of one unit; none where it has no memory of them. `values`: the interpreter's
/// tensors. Index: ValueId.
std::vector<ScaleFields> packScales(const Schedule& schedule, UnitId unit,
                                    const std::vector<ir::Tensor>& values);

/// 256 entries for each table of the unit, by the low 8 bits of what is looked up.
std::vector<std::int64_t> packTables(const Schedule& schedule, UnitId unit,
                                     const std::vector<ir::Tensor>& values);

} // namespace marquetry::design
