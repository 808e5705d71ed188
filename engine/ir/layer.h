// Layers: how the values of a program are grouped into calls on units.
//
// A layer has one anchor (conv, dwconv, conv1d, mv, mm, bmm, dot, a pool, or none for a tensor-wise
// pass) and an epilogue, which is applied where its results are written back. The epilogue has this
// fixed order, and each part is optional:
//   bias → requant → relu/leaky/clip/table → add/qadd → pool (size = stride) → requant →
//   relu/leaky/clip/table
// Only the first requantisation may have a number per channel: a later one starts a pass. A value
// added to itself is a requantisation. An average without padding is a sum: no window holds fewer
// elements than another; the sums of one with padding are multiplied afterwards, pixel by pixel.
// Where each channel is on its own (dwconv with a result for each channel; conv1d_h; pools whose
// windows do not lie side by side, are not square or reach into padding), a layer is `lanewise`: a
// lane of its unit reduces the windows of one channel. A lanewise pass is a pool, which is its
// anchor and no part of its epilogue.
//
// What only changes where elements lie (slice, concat, permute, upsample, …; a view that some
// reader would not find its way in) is a layer of moves: a pass of its own without an epilogue.
// Softmax, layernorm, sums, differences and products of elements, and entries of a stored table are
// such passes, too, and so is what none of these covers: every program has a design. `unbuildable`
// says what the RTL generator has no hardware for.
//
// An operator joins the layer of its operand when the operand has no other user and the order above
// allows it (R3-fuse of background/engineir.md, "Rules and their conditions": it always saves a
// pass and a buffer). Otherwise, or when fusion is switched off, it starts a pass of its own. So
// does an addition of the layer's own input, because a memory yields one word per clock. Views cost
// nothing: where the stored order allows it, they become part of the addressing of their consumer.
//
// planLayers is a pure function of the program. Lowering, cost, schedule and hardware all read its
// result, so they agree on what is fused.
// Thread rule: pure.
#pragma once

#include "engine/ir/program.h"
#include "engine/ir/unit.h"

#include <optional>
#include <vector>

namespace marquetry::ir {

enum class EpilogueKind : std::uint8_t {
    Requant,
    Relu,
    Leaky,
    Add,
    MaxPool,
    SumPool, ///< also an avgpool
    Bias,    ///< an add of a weight, a number for each channel
    Clip,
    Table,
    QAdd,
};

struct EpilogueOp {
    EpilogueKind kind;
    ValueId value;                 ///< the program value this computes
    std::optional<ValueId> addend; ///< Add, QAdd: the operand that is not on the main path
};

struct Layer {
    std::string name;  ///< of its result
    ValueId anchor;    ///< the conv / mv / … value, or the value a pass starts with
    bool pass = false; ///< tensor-wise pass: the anchor is epilogue[0]'s value, if it has one
    bool lanewise =
        false; ///< dwconv without a multiplier, conv1d_h; as a pass: a pool, which is the anchor
    bool moves = false;    ///< a pass that copies its operands (design/moves_of.h)
    bool rows = false;     ///< a pass that is a function of rows or elements (design/row_step.h)
    bool averages = false; ///< a lanewise pass: its sums get a factor each (average_factors.h)
    ValueId input;         ///< stored operand: an input, another layer's result or a weight
    std::optional<ValueId> weight;
    std::vector<ValueId> others{}; ///< further stored operands of the anchor
    std::vector<EpilogueOp> epilogue;
    ValueId result;            ///< stored; the last value of the layer
    std::string unbuildable{}; ///< why the RTL generator cannot build it; empty when it can
};

struct LayerPlan {
    std::vector<Layer> layers; ///< in program order: the order of execution
    /// Where a value's data is stored: itself, or the value it is a view of; of an input that only
    /// a reshape reads, that one. Index: ValueId.
    std::vector<ValueId> storage;
    /// Values that no hardware computes: those of weights alone (diagnostic code unsupported-op);
    /// their layers are absent.
    Diagnostics unsupported;
    /// Some layer adds a bias, multiplies, rounds otherwise than half up, clips or looks up: then
    /// every write-back is of the kind that can (design/write_back.h).
    bool scales = false;

    /// The first layer the RTL generator cannot build; null when it can build them all.
    const Layer* firstUnbuildable() const;
};

struct LayerParams {
    bool fusion = true;
    /// Depth-wise convolutions of at most so many channels are not lanewise: a unit of products
    /// computes them as convolutions in as many groups, of all taps at once instead of one.
    std::int64_t groupedChannels = 0;
};

LayerPlan planLayers(const Program& program, const LayerParams& params = {});

/// Weights that a layer reads where a stored tensor could be: they are written there first.
std::vector<ValueId> constantsOf(const Program& program, const Layer& layer);

/// By layer: whether it may run while the layer before it does. That one must be the maker of its
/// input, and nothing else may read what that one makes (EngineIR R3-fuse's condition). The first
/// layer: whether it may run while the program's last input comes.
std::vector<bool> joinableLayers(const Program& program, const LayerPlan& plan);

/// What the layer's values are in the file that the program was imported from, in their order.
std::vector<const ImportedValue*> importedValues(const Program& program, const Layer& layer);

} // namespace marquetry::ir
