#include "engine/rules/skeletons.h"

#include "engine/support/checked_math.h"

#include <utility>

namespace marquetry::rules {

namespace {

using ir::LoopAxis;
using ir::UnitFunction;
using ir::UnitShape;

using F = UnitFunction;
using A = LoopAxis;
using S = Skeleton;

// clang-format off
constexpr std::array<SkeletonInfo, kSkeletonCount> kTable{{
    {S::ParallelDot, "ParallelDot", SkeletonRole::Leaf, A::Rows, 5, F::Dot, F::Dot},
    {S::Mv, "Mv", SkeletonRole::Core, A::Rows, 0, F::Mv, F::Dot},
    {S::Conv, "Conv", SkeletonRole::Core, A::Pixels, 5, F::Conv, F::Mv},
    {S::TiledMv, "TiledMv", SkeletonRole::ForR, A::Cols, 2, F::Mv, F::Mv},
    {S::TiledMvRows, "TiledMvRows", SkeletonRole::For, A::Rows, 2, F::Mv, F::Mv},
    {S::TiledConvHW, "TiledConvHW", SkeletonRole::For, A::Pixels, 4, F::Conv, F::Conv},
    {S::TiledConvICH, "TiledConvICH", SkeletonRole::ForR, A::Channels, 2, F::Conv, F::Conv},
    {S::TiledConvOCH, "TiledConvOCH", SkeletonRole::For, A::Rows, 2, F::Conv, F::Conv},
    {S::TiledMapHW, "TiledMapHW", SkeletonRole::For, A::Pixels, 4, F::Map, F::Map},
    {S::TiledMapC, "TiledMapC", SkeletonRole::For, A::Rows, 2, F::Map, F::Map},
    {S::ParMv, "ParMv", SkeletonRole::ParR, A::Cols, 2, F::Mv, F::Mv},
    {S::ParMvRows, "ParMvRows", SkeletonRole::Par, A::Rows, 2, F::Mv, F::Mv},
    {S::ParConvHW, "ParConvHW", SkeletonRole::Par, A::Pixels, 4, F::Conv, F::Conv},
    {S::ParConvICH, "ParConvICH", SkeletonRole::ParR, A::Channels, 2, F::Conv, F::Conv},
    {S::ParConvOCH, "ParConvOCH", SkeletonRole::Par, A::Rows, 2, F::Conv, F::Conv},
    {S::ParMapHW, "ParMapHW", SkeletonRole::Par, A::Pixels, 4, F::Map, F::Map},
    {S::ParMapC, "ParMapC", SkeletonRole::Par, A::Rows, 2, F::Map, F::Map},
    {S::PaddedMv, "PaddedMv", SkeletonRole::Pad, A::Cols, 2, F::Mv, F::Mv},
    {S::PaddedMvRows, "PaddedMvRows", SkeletonRole::Pad, A::Rows, 2, F::Mv, F::Mv},
    {S::PaddedConvHW, "PaddedConvHW", SkeletonRole::Pad, A::Pixels, 4, F::Conv, F::Conv},
    {S::Mm, "Mm", SkeletonRole::Core, A::Vectors, 1, F::Mm, F::Mv},
    {S::Bmm, "Bmm", SkeletonRole::Core, A::Vectors, 1, F::Bmm, F::Mm},
    {S::TiledMmH, "TiledMmH", SkeletonRole::For, A::Vectors, 2, F::Mm, F::Mm},
    {S::TiledMmW, "TiledMmW", SkeletonRole::For, A::Rows, 2, F::Mm, F::Mm},
    {S::TiledMmK, "TiledMmK", SkeletonRole::ForR, A::Cols, 2, F::Mm, F::Mm},
    {S::ParMmH, "ParMmH", SkeletonRole::Par, A::Vectors, 2, F::Mm, F::Mm},
    {S::ParMmW, "ParMmW", SkeletonRole::Par, A::Rows, 2, F::Mm, F::Mm},
    {S::ParMmK, "ParMmK", SkeletonRole::ParR, A::Cols, 2, F::Mm, F::Mm},
    {S::PaddedMmH, "PaddedMmH", SkeletonRole::Pad, A::Vectors, 2, F::Mm, F::Mm},
    {S::PaddedMmW, "PaddedMmW", SkeletonRole::Pad, A::Rows, 2, F::Mm, F::Mm},
    {S::PaddedMmK, "PaddedMmK", SkeletonRole::Pad, A::Cols, 2, F::Mm, F::Mm},
    {S::MappedRows, "MappedRows", SkeletonRole::For, A::Vectors, 2, F::Mm, F::Mv},
    {S::ParMappedRows, "ParMappedRows", SkeletonRole::Par, A::Vectors, 2, F::Mm, F::Mv},
    {S::Conv1DW, "Conv1D_W", SkeletonRole::Core, A::Vectors, 2, F::Conv1DW, F::Mv},
    {S::Conv1DH, "Conv1D_H", SkeletonRole::Core, A::Vectors, 2, F::Conv1DH, F::Mv},
    {S::TransposedConv1DW, "TransposedConv1D_W", SkeletonRole::View, A::Vectors, 0, F::Conv1DH, F::Conv1DW},
    {S::DwConv, "DwConv", SkeletonRole::Core, A::Pixels, 4, F::DwConv, F::Dot},
    {S::TiledDwConvHW, "TiledDwConvHW", SkeletonRole::For, A::Pixels, 4, F::DwConv, F::DwConv},
    {S::TiledDwConvC, "TiledDwConvC", SkeletonRole::For, A::Rows, 2, F::DwConv, F::DwConv},
    {S::ParDwConvHW, "ParDwConvHW", SkeletonRole::Par, A::Pixels, 4, F::DwConv, F::DwConv},
    {S::ParDwConvC, "ParDwConvC", SkeletonRole::Par, A::Rows, 2, F::DwConv, F::DwConv},
    {S::Im2colConv, "Im2colConv", SkeletonRole::View, A::Pixels, 5, F::Conv, F::Mm},
    {S::PaddedConvICH, "PaddedConvICH", SkeletonRole::Pad, A::Channels, 2, F::Conv, F::Conv},
    {S::ParallelPartialDot, "ParallelPartialDot", SkeletonRole::Leaf, A::Rows, 6, F::Dot, F::Dot},
    {S::MergePartialSum, "MergePartialSum", SkeletonRole::Core, A::Rows, 0, F::Mv, F::Mv},
    {S::ParallelConv, "ParallelConv", SkeletonRole::Core, A::Pixels, 6, F::Conv, F::Mv},
    {S::WindowConv, "WindowConv", SkeletonRole::Core, A::Pixels, 7, F::Conv, F::Mv},
    {S::WindowDwConv, "WindowDwConv", SkeletonRole::Core, A::Pixels, 6, F::DwConv, F::Dot},
    {S::LaneProducts, "LaneProducts", SkeletonRole::Leaf, A::Rows, 3, F::Lanes, F::Lanes},
    {S::LaneDwConv, "LaneDwConv", SkeletonRole::Core, A::Pixels, 8, F::DwConv, F::Lanes},
    {S::Map, "Map", SkeletonRole::Leaf, A::Pixels, 4, F::Map, F::Map},
}};
// clang-format on

/// Replaces an extent of the child by the whole's, when the child has the tile's.
bool replace(std::int64_t& extent, std::int64_t tile, std::int64_t whole) {
    if (extent != tile)
        return false;
    extent = whole;
    return true;
}

bool fits(SkeletonRole role, std::int64_t tile, std::int64_t whole) {
    return role == SkeletonRole::Pad ? tile >= whole : whole % tile == 0;
}

std::optional<UnitShape> loopShape(const SkeletonInfo& entry, egraph::ParamSpan p,
                                   UnitShape shape) {
    if (shape.function != entry.child || shape.parts != 1)
        return std::nullopt;
    shape.function = entry.function;
    bool good = false;
    switch (entry.axis) {
    case LoopAxis::Rows:
        good = replace(shape.rows, p[0], p[1]) && fits(entry.role, p[0], p[1]);
        break;
    case LoopAxis::Cols:
        good = replace(shape.cols, p[0], p[1]) && fits(entry.role, p[0], p[1]);
        break;
    case LoopAxis::Channels:
        good = replace(shape.channels, p[0], p[1]) && fits(entry.role, p[0], p[1]);
        shape.cols = shape.kernel.area() * shape.channels;
        break;
    case LoopAxis::Vectors:
        good = replace(shape.height, p[0], p[1]) && fits(entry.role, p[0], p[1]);
        break;
    case LoopAxis::Pixels:
        good = replace(shape.height, p[0], p[2]) && replace(shape.width, p[1], p[3]) &&
               fits(entry.role, p[0], p[2]) && fits(entry.role, p[1], p[3]);
        break;
    }
    return good ? std::optional(shape) : std::nullopt;
}

UnitShape dotShape(egraph::ParamSpan p) {
    UnitShape shape;
    shape.function = UnitFunction::Dot;
    shape.rows = p[0];
    shape.cols = p[1];
    shape.operand = static_cast<ir::Scalar>(p[2]);
    shape.weight = static_cast<ir::Scalar>(p[3]);
    return shape;
}

std::optional<UnitShape> leafShape(Skeleton skeleton, egraph::ParamSpan p) {
    if (skeleton == Skeleton::ParallelDot)
        return dotShape(p.subspan(1));
    UnitShape shape;
    if (skeleton == Skeleton::LaneProducts) {
        shape.function = UnitFunction::Lanes;
        shape.rows = p[0];
        shape.operand = static_cast<ir::Scalar>(p[1]);
        shape.weight = static_cast<ir::Scalar>(p[2]);
        return shape;
    }
    if (skeleton == Skeleton::ParallelPartialDot) {
        shape = dotShape(p.subspan(2));
        shape.parts = p[1];
        return shape.cols % shape.parts == 0 ? std::optional(shape) : std::nullopt;
    }
    shape.function = UnitFunction::Map;
    shape.height = p[0];
    shape.width = p[1];
    shape.rows = p[2];
    shape.operand = static_cast<ir::Scalar>(p[3]);
    return shape;
}

/// The whole sums of a partial Dot or Mv.
std::optional<UnitShape> mergedShape(UnitShape child) {
    const bool product = child.function == UnitFunction::Dot || child.function == UnitFunction::Mv;
    const bool partial = product && child.parts > 1;
    child.parts = 1;
    return partial ? std::optional(child) : std::nullopt;
}

/// ParallelConv: `parts` windows at a time.
std::optional<UnitShape> packedShape(egraph::ParamSpan p, const UnitShape& child) {
    UnitShape shape = child;
    shape.function = UnitFunction::Conv;
    shape.parts = 1;
    shape.height = p[1];
    shape.width = p[2];
    shape.channels = p[3];
    shape.kernel = p[4];
    shape.stride = p[5];
    shape.cols = shape.kernel.area() * shape.channels;
    const bool good = child.parts == p[0] && child.cols == p[0] * shape.cols &&
                      shape.height * shape.width % p[0] == 0;
    return good ? std::optional(shape) : std::nullopt;
}

/// Convolutions of any windows: `p` ends in the extents of the kernel and the strides.
std::optional<UnitShape> windowShape(Skeleton skeleton, egraph::ParamSpan p,
                                     const UnitShape& child) {
    UnitShape shape = child;
    shape.function = info(skeleton).function;
    shape.height = p[0];
    shape.width = p[1];
    const egraph::ParamSpan last = p.last(4);
    shape.kernel = {last[0], last[1]};
    shape.stride = {last[2], last[3]};
    if (skeleton == Skeleton::LaneDwConv) {
        shape.rows = p[2];
        shape.cols = shape.kernel.area();
        return child.rows == p[3] ? std::optional(shape) : std::nullopt;
    }
    shape.channels = skeleton == Skeleton::WindowConv ? p[2] : 0;
    const std::int64_t depth = skeleton == Skeleton::WindowConv ? shape.channels : 1;
    const bool good =
        child.cols == shape.kernel.area() * depth && child.parts == 1 && !isPlain(shape);
    return good ? std::optional(shape) : std::nullopt;
}

/// Of cores and views around a body of the right function.
std::optional<UnitShape> coreShape(Skeleton skeleton, egraph::ParamSpan p, const UnitShape& child) {
    if (skeleton == Skeleton::ParallelConv)
        return packedShape(p, child);
    UnitShape shape = child;
    shape.function = info(skeleton).function;
    bool good = child.parts == 1 || skeleton == Skeleton::Mv;
    const auto image = [&](std::int64_t kernel, std::int64_t stride) {
        shape.height = p[0];
        shape.width = p[1];
        shape.kernel = kernel;
        shape.stride = stride;
    };
    switch (skeleton) {
    case Skeleton::Mm:
        shape.height = p[0];
        break;
    case Skeleton::Bmm:
        shape.channels = p[0];
        break;
    case Skeleton::Conv1DW:
    case Skeleton::Conv1DH:
        // The windows of a line are the Mv's matrix.
        (skeleton == Skeleton::Conv1DW ? shape.height : shape.width) = p[0];
        shape.kernel = p[1];
        std::swap(shape.operand, shape.weight);
        good = good && child.cols == p[1];
        break;
    case Skeleton::TransposedConv1DW:
        std::swap(shape.height, shape.width);
        break;
    case Skeleton::DwConv:
        image(p[2], p[3]);
        good = good && child.cols == p[2] * p[2];
        break;
    case Skeleton::Conv:
    case Skeleton::Im2colConv:
        image(p[3], p[4]);
        shape.channels = p[2];
        good = good && child.cols == p[3] * p[3] * p[2] &&
               (skeleton == Skeleton::Conv || child.height == p[0] * p[1]);
        break;
    default: // Mv
        break;
    }
    return good ? std::optional(shape) : std::nullopt;
}

} // namespace

bool isSequential(SkeletonRole role) {
    return role == SkeletonRole::For || role == SkeletonRole::ForR;
}

bool isParallel(SkeletonRole role) {
    return role == SkeletonRole::Par || role == SkeletonRole::ParR;
}

bool isReduction(SkeletonRole role) {
    return role == SkeletonRole::ForR || role == SkeletonRole::ParR;
}

bool isPlain(const UnitShape& shape) {
    return shape.kernel.isSquare() && shape.stride.isSquare();
}

const SkeletonInfo& info(Skeleton skeleton) {
    return kTable[static_cast<std::size_t>(skeleton)];
}

std::int64_t loopCount(Skeleton skeleton, egraph::ParamSpan p) {
    const SkeletonInfo& entry = info(skeleton);
    if (!isSequential(entry.role) && !isParallel(entry.role))
        return 1;
    return entry.axis == LoopAxis::Pixels ? (p[2] / p[0]) * (p[3] / p[1]) : p[1] / p[0];
}

std::int64_t callsOfChild(Skeleton skeleton, egraph::ParamSpan p) {
    switch (skeleton) {
    case Skeleton::Conv:
    case Skeleton::DwConv:
    case Skeleton::WindowConv:
    case Skeleton::WindowDwConv:
        return p[0] * p[1];
    case Skeleton::LaneDwConv:
        return p[0] * p[1] * ceilDiv(p[2], p[3]);
    case Skeleton::ParallelConv:
        return p[1] * p[2] / p[0];
    case Skeleton::Mm:
    case Skeleton::Bmm:
    case Skeleton::Conv1DW:
    case Skeleton::Conv1DH:
        return p[0];
    default:
        return loopCount(skeleton, p);
    }
}

std::optional<UnitShape> shapeOf(Skeleton skeleton, egraph::ParamSpan p, const UnitShape* child) {
    const SkeletonInfo& entry = info(skeleton);
    if (entry.role == SkeletonRole::Leaf)
        return leafShape(skeleton, p);
    if (child == nullptr)
        return std::nullopt;
    if (skeleton == Skeleton::MergePartialSum)
        return mergedShape(*child);
    if (child->function != entry.child)
        return std::nullopt;
    if (skeleton == Skeleton::WindowConv || skeleton == Skeleton::WindowDwConv ||
        skeleton == Skeleton::LaneDwConv)
        return windowShape(skeleton, p, *child);
    return entry.role == SkeletonRole::Core || entry.role == SkeletonRole::View
               ? coreShape(skeleton, p, *child)
               : loopShape(entry, p, *child);
}

bool TermLanguage::isBuffer(egraph::OpId op) const {
    return op == bufferBlockRam || op == bufferExternal || op == bufferRegister ||
           op == bufferLutRam || op == bufferStream;
}

std::optional<Skeleton> TermLanguage::skeletonOf(egraph::OpId op) const {
    for (const SkeletonInfo& entry : kTable)
        if (skeletons[static_cast<std::size_t>(entry.skeleton)] == op)
            return entry.skeleton;
    return std::nullopt;
}

egraph::FactId Facts::make(const egraph::EGraph& egraph, egraph::OpId op, egraph::ParamSpan params,
                           std::span<const egraph::FactId> children) {
    (void)egraph;
    if (const auto skeleton = terms_.skeletonOf(op)) {
        const UnitShape* child =
            children.empty() ? nullptr : std::get_if<UnitShape>(&fact(children[0]));
        const auto shape = shapeOf(*skeleton, params, child);
        ENGINE_ASSERT(shape.has_value(), "a unit term's parameters fit its child");
        return intern(*shape);
    }
    if (terms_.isBuffer(op))
        return children[0];
    if (const auto stream = terms_.streams.find(op); stream != terms_.streams.end())
        return intern(StreamShape{stream->second});
    if (op == terms_.seq)
        return intern(SeqShape{std::get<UnitShape>(fact(children[0])),
                               std::get<UnitShape>(fact(children[1]))});
    const auto type = valueTypes_.find(op);
    ENGINE_ASSERT(type != valueTypes_.end(), "every value operator has a type");
    return intern(type->second);
}

std::optional<egraph::FactId> Facts::merge(egraph::FactId older, egraph::FactId newer) {
    return older == newer ? std::optional(older) : std::nullopt;
}

std::string Facts::describe(egraph::FactId id) const {
    const Fact& value = fact(id);
    if (const auto* shape = std::get_if<UnitShape>(&value))
        return toString(*shape);
    if (const auto* seq = std::get_if<SeqShape>(&value))
        return toString(seq->first) + " ; " + toString(seq->second);
    if (const auto* stream = std::get_if<StreamShape>(&value))
        return stream->name;
    return toString(std::get<ir::Type>(value));
}

egraph::FactId Facts::intern(const Fact& value) {
    const auto [entry, added] = index_.emplace(value, egraph::FactId(facts_.size()));
    if (added)
        facts_.push_back(value);
    return entry->second;
}

const UnitShape* Facts::unitShape(const egraph::EGraph& egraph, egraph::EClassId id) const {
    return std::get_if<UnitShape>(&fact(egraph.fact(id)));
}

std::string printNode(const std::string& op, egraph::ParamSpan params) {
    if (params.empty())
        return op;
    std::string text = op + "[";
    for (std::size_t k = 0; k < params.size(); ++k)
        text += (k == 0 ? "" : ", ") + std::to_string(params[k]);
    return text + "]";
}

} // namespace marquetry::rules
