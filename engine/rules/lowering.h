// Lowering: a program to an e-graph of calls, units and buffers (background/engineir.md,
// "Lowering").
//
// Total: every layer of the program's plan, whether the RTL generator can build it or not, becomes
// `call L(U, S…)` on a unit of exactly its shape, with a buffer on each operand and result, so the
// program as written is always extractable. Write-back operators (requant, relu, …) become value
// terms around the call.
//
// Under the Cycles policy tensors are stored in words of `lanes` elements, so a unit's columns are
// those of the stored operand: K·K·roundUp(ICH, lanes), or lanes × words for a vector.
// Thread rule: the result belongs to one thread.
#pragma once

#include "engine/ir/layer.h"
#include "engine/rules/catalog.h"

#include <limits>
#include <memory>

namespace marquetry::rules {

struct LoweringParams {
    Policy policy = Policy::Cycles;
    /// Elements per word of storage, 8 to 64; 0 chooses (lanes.h). Published: 64. Toy: 1.
    std::int64_t lanes = 0;
    std::int64_t groupedChannels = 0; ///< ir::LayerParams
    bool externalMemory = true;
    /// int8 multipliers within the DSP limit; used to choose the lanes only.
    std::int64_t multipliers = 4096;
    /// Two rows of a unit share multipliers: a row alone takes as many as two; likewise.
    bool pairsRows = false;
    /// Bits of memory on the chip, likewise.
    std::int64_t onChipBits = std::numeric_limits<std::int64_t>::max();
    std::vector<std::string> without; ///< rule groups switched off
    /// Calls may be joined, and streamed, under the Cycles policy: the rule groups overlap
    /// (joining.h) and streams (streaming.h).
    bool overlap = false;
    bool streams = false;
    /// LUTs for stream units, 0 where the device has none; used to choose the lanes only.
    double streamLuts = 0;
};

/// A use of a unit by the program.
struct CallSite {
    std::size_t layer = 0; ///< index into plan.layers
    egraph::EClassId unit; ///< its unit class when lowered (use find() later)
    egraph::EClassId call;
    std::optional<egraph::EClassId> weightBuffer;
    ir::UnitShape shape; ///< as lowered
};

struct Lowered {
    std::shared_ptr<const ir::Program> program; ///< its constants folded
    ir::LayerPlan plan;
    Menu menu;
    TermLanguage terms;
    std::shared_ptr<Facts> facts;
    std::unique_ptr<egraph::EGraph> egraph;
    std::vector<egraph::Rewrite> rewrites;
    std::vector<CallSite> calls; ///< in order of execution
    /// By layer: may be joined to the layer before it. All false unless asked for.
    std::vector<bool> joinable;
    bool streams = false;  ///< menu.streams may be used
    egraph::EClassId root; ///< `outputs(S…)`
};

/// Errors: unsupported-op, with places; those of folding constants.
Result<Lowered> lower(std::shared_ptr<const ir::Program> program, const LoweringParams& params);

/// Of a layer's unit; columns are padded to whole words of `lanes` (1: not). With words, a stencil
/// has the unit of a depth-wise convolution or of a product of matrices (design/stencil.h).
ir::UnitShape shapeOf(const ir::Program& program, const ir::Layer& layer, std::int64_t lanes);

/// Calls of its innermost rows × cols product (or of its words, for a pass): pixels of an image,
/// lines of a stencil, rows of a left matrix.
std::int64_t vectorsOf(const ir::UnitShape& shape);

/// Words per stored pixel and pixels of a value under `lanes` (see design/schedule.h).
struct StoredExtent {
    std::int64_t height = 1;
    std::int64_t width = 1;
    std::int64_t channels = 1;
    std::int64_t pixels() const { return height * width; }
};
StoredExtent storedExtent(const ir::Type& type);

} // namespace marquetry::rules
