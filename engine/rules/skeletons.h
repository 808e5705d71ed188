// Skeletons: the unit terms of the e-graph, one table (background/skeleshare.md, "Skeletons";
// background/engineir.md, "Sorts and terms"). Every unit term is a chain that ends in a
// ParallelDot, a ParallelPartialDot or a Map:
//
//   ParallelDot[P, M, N, operand, weight]   P of M row-wise dot products of length N at a time
//   Mv(U)                                   matrix × vector by a Dot of the same M, N
//   Conv[H, W, ICH, K, stride](U)           one Mv of OCH × K·K·ICH per output pixel
//   ParallelPartialDot[P, C, M, N, operand, weight]
//                                           the same with the sums of C equal pieces of each row
//   MergePartialSum(U)                      adds the C partial sums of each row of a Dot or an Mv
//   ParallelConv[C, H, W, ICH, K, stride](U)
//                                           one partial Mv of OCH × C·K·K·ICH per C output pixels
//   For-terms, printed as the paper prints them, [tile, whole] (pixels: [TH, TW, H, W]):
//     TiledMv (columns, ForR), TiledMvRows, TiledConvHW, TiledConvICH (ForR), TiledConvOCH
//     TiledMapHW, TiledMapC
//   Par-terms, the same loops with one instance per iteration: ParMv and ParConvICH (ParR),
//     ParMvRows, ParConvHW, ParConvOCH, ParMapHW, ParMapC
//   Pad-terms, [padded, whole]: PaddedMv (columns), PaddedMvRows, PaddedConvHW [PH, PW, H, W],
//     PaddedConvICH
//   Map[H, W, C, operand]                   a tensor-wise pass
//   Mm[H](U)                                one Mv of W × K per row of the left matrix; with
//     TiledMmH, TiledMmW, TiledMmK (ForR), their Par-terms, PaddedMmH, PaddedMmW, PaddedMmK, and
//     MappedRows[1, H](U), ParMappedRows: the rows looped over an Mv that is a unit of its own
//   Bmm[B](U)                               one Mm per batch
//   Conv1D_W[H, K](U), Conv1D_H[W, K](U)    a line's windows as the matrix of an Mv, the kernel as
//     its vector (background/skeleshare.md, "Stencils"); TransposedConv1D_W(U) filters
//     columns as lines
//   DwConv[H, W, K, stride](U)              a ParallelDot of C × K·K per output pixel; with
//     TiledDwConvHW, TiledDwConvC and their Par-terms
//   Im2colConv[H, W, ICH, K, stride](U)     a convolution as an Mm of its H·W windows
//   WindowConv[H, W, ICH, KH, KW, sV, sH](U), WindowDwConv[H, W, KH, KW, sV, sH](U)
//                                           Conv and DwConv of windows or strides that are not
//                                           square
//   LaneProducts[L, operand, weight]        L products at a time, each for a sum of its own
//   LaneDwConv[H, W, C, L, KH, KW, sV, sH](U)
//                                           per pixel and L channels one run of LaneProducts over
//                                           the window
//
// A LaneProducts serves windows of every size, so all depth-wise convolutions of equal types meet
// in it. No rule tiles above it: its cycles are those of its nest, whatever the loops around.
//
// Two terms have no skeleton of their own: Seq(U, U) with two bodies, the unit of a joined call
// (joining.h), and Stream[layer, T] with none, the unit of a streamed call (streaming.h).
//
// Loops and pads stand above MergePartialSum and ParallelConv: none has a partial product inside
// without one of the two between. (SkeleShare's Fig. 11 drops K·K from the width of ParallelConv's
// products and swaps P and C.)
//
// H and W are output extents: a tile's input is a halo of K − 1 larger. (SkeleShare's Fig. 10 puts
// its conditions on H and W of the input, which is not an equality: background/skeleshare.md,
// "Rules".) Thread rule: the table is constant; a Facts object belongs to the thread of its
// e-graph.
#pragma once

#include "engine/egraph/egraph.h"
#include "engine/ir/unit.h"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace marquetry::rules {

enum class Skeleton : std::uint8_t {
    ParallelDot,
    Mv,
    Conv,
    TiledMv,
    TiledMvRows,
    TiledConvHW,
    TiledConvICH,
    TiledConvOCH,
    TiledMapHW,
    TiledMapC,
    ParMv,
    ParMvRows,
    ParConvHW,
    ParConvICH,
    ParConvOCH,
    ParMapHW,
    ParMapC,
    PaddedMv,
    PaddedMvRows,
    PaddedConvHW,
    Mm,
    Bmm,
    TiledMmH,
    TiledMmW,
    TiledMmK,
    ParMmH,
    ParMmW,
    ParMmK,
    PaddedMmH,
    PaddedMmW,
    PaddedMmK,
    MappedRows,
    ParMappedRows,
    Conv1DW,
    Conv1DH,
    TransposedConv1DW,
    DwConv,
    TiledDwConvHW,
    TiledDwConvC,
    ParDwConvHW,
    ParDwConvC,
    Im2colConv,
    PaddedConvICH,
    ParallelPartialDot,
    MergePartialSum,
    ParallelConv,
    WindowConv,
    WindowDwConv,
    LaneProducts,
    LaneDwConv,
    Map,
};
inline constexpr std::size_t kSkeletonCount = static_cast<std::size_t>(Skeleton::Map) + 1;

/// View: the same computation on operands laid out in another way.
enum class SkeletonRole : std::uint8_t { Leaf, Core, For, ForR, Par, ParR, Pad, View };

/// One instance after another: For, ForR.
bool isSequential(SkeletonRole role);
/// One instance beside another: Par, ParR.
bool isParallel(SkeletonRole role);
/// Results are added, not laid side by side: ForR, ParR.
bool isReduction(SkeletonRole role);

struct SkeletonInfo {
    Skeleton skeleton;
    const char* name;
    SkeletonRole role;
    ir::LoopAxis axis; ///< of loops and pads
    std::size_t params;
    ir::UnitFunction function; ///< what the whole term computes; MergePartialSum: a Dot or an Mv
    ir::UnitFunction child;    ///< what its body computes; of leaves their own function
};

const SkeletonInfo& info(Skeleton skeleton);

/// Iterations of a loop term (the product of whole ÷ tile over its axes); 1 for the others.
std::int64_t loopCount(Skeleton skeleton, egraph::ParamSpan params);

/// Calls of the body per call of the term: loopCount, or what a core repeats its body for.
std::int64_t callsOfChild(Skeleton skeleton, egraph::ParamSpan params);

/// Windows and strides are square: Conv and DwConv, not WindowConv and WindowDwConv.
bool isPlain(const ir::UnitShape& shape);

/// Shape of the whole term; nullopt when the parameters do not fit the child (no such term).
std::optional<ir::UnitShape> shapeOf(Skeleton skeleton, egraph::ParamSpan params,
                                     const ir::UnitShape* child);

/// The e-graph operators of one program: the skeletons, buffers, and one operator per input,
/// weight and call, so that labels carry the program's names.
struct TermLanguage {
    std::shared_ptr<const egraph::Language> language;
    std::array<egraph::OpId, kSkeletonCount> skeletons;
    egraph::OpId bufferBlockRam; ///< buf[bram](V)
    egraph::OpId bufferExternal; ///< buf[external](V)
    egraph::OpId bufferRegister; ///< buf[register](V)
    egraph::OpId bufferLutRam;   ///< buf[lutram](V)
    egraph::OpId bufferStream;   ///< buf[stream](V): a FIFO
    egraph::OpId seq;            ///< Seq(U, U): the second reads what the first still writes
    std::map<egraph::OpId, std::string> streams; ///< Stream[layer, T] and its printed name

    egraph::OpId op(Skeleton skeleton) const {
        return skeletons[static_cast<std::size_t>(skeleton)];
    }
    bool isBuffer(egraph::OpId op) const;
    /// nullopt for operators that are not unit terms.
    std::optional<Skeleton> skeletonOf(egraph::OpId op) const;
};

/// Two units that work as one (`Seq`), in the order of the data.
struct SeqShape {
    ir::UnitShape first;
    ir::UnitShape second;

    auto operator<=>(const SeqShape&) const = default;
};

/// A unit with the weights of one call inside: no other unit has its function.
struct StreamShape {
    std::string name; ///< "Stream[c1, 1/2]"

    auto operator<=>(const StreamShape&) const = default;
};

/// What an e-class is: a unit's shape, a tensor's type, two units', or a stream unit's.
using Fact = std::variant<ir::UnitShape, ir::Type, SeqShape, StreamShape>;

/// Interned facts and the analysis that makes them. Members of one class must agree exactly.
class Facts : public egraph::Analysis {
public:
    explicit Facts(TermLanguage terms) : terms_(std::move(terms)) {}

    egraph::FactId make(const egraph::EGraph& egraph, egraph::OpId op, egraph::ParamSpan params,
                        std::span<const egraph::FactId> children) override;
    std::optional<egraph::FactId> merge(egraph::FactId older, egraph::FactId newer) override;
    std::string describe(egraph::FactId fact) const override;

    egraph::FactId intern(const Fact& fact);
    const Fact& fact(egraph::FactId id) const { return facts_[id.index()]; }
    /// Null when the class is not a unit.
    const ir::UnitShape* unitShape(const egraph::EGraph& egraph, egraph::EClassId id) const;
    /// Type of the value an operator of its own (input, weight, call) computes.
    void setValueType(egraph::OpId op, const ir::Type& type) { valueTypes_[op] = type; }

private:
    TermLanguage terms_;
    std::vector<Fact> facts_;
    std::map<Fact, egraph::FactId> index_;
    std::map<egraph::OpId, ir::Type> valueTypes_;
};

/// "TiledConvOCH[64, 128]".
std::string printNode(const std::string& op, egraph::ParamSpan params);

} // namespace marquetry::rules
