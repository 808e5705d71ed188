#include "engine/rules/skeletons.h"

namespace marquetry::rules {

namespace {

using ir::LoopAxis;
using ir::UnitFunction;
using ir::UnitShape;

constexpr std::array<SkeletonInfo, kSkeletonCount> kTable{{
    {Skeleton::ParallelDot, "ParallelDot", Role::Leaf, LoopAxis::Rows, 5, UnitFunction::Dot},
    {Skeleton::Mv, "Mv", Role::Core, LoopAxis::Rows, 0, UnitFunction::Mv},
    {Skeleton::Conv, "Conv", Role::Core, LoopAxis::Pixels, 5, UnitFunction::Conv},
    {Skeleton::TiledMv, "TiledMv", Role::ForR, LoopAxis::Cols, 2, UnitFunction::Mv},
    {Skeleton::TiledMvRows, "TiledMvRows", Role::For, LoopAxis::Rows, 2, UnitFunction::Mv},
    {Skeleton::TiledConvHW, "TiledConvHW", Role::For, LoopAxis::Pixels, 4, UnitFunction::Conv},
    {Skeleton::TiledConvICH, "TiledConvICH", Role::ForR, LoopAxis::Channels, 2, UnitFunction::Conv},
    {Skeleton::TiledConvOCH, "TiledConvOCH", Role::For, LoopAxis::Rows, 2, UnitFunction::Conv},
    {Skeleton::TiledMapHW, "TiledMapHW", Role::For, LoopAxis::Pixels, 4, UnitFunction::Map},
    {Skeleton::TiledMapC, "TiledMapC", Role::For, LoopAxis::Rows, 2, UnitFunction::Map},
    {Skeleton::ParMv, "ParMv", Role::ParR, LoopAxis::Cols, 2, UnitFunction::Mv},
    {Skeleton::ParMvRows, "ParMvRows", Role::Par, LoopAxis::Rows, 2, UnitFunction::Mv},
    {Skeleton::ParConvHW, "ParConvHW", Role::Par, LoopAxis::Pixels, 4, UnitFunction::Conv},
    {Skeleton::ParConvICH, "ParConvICH", Role::ParR, LoopAxis::Channels, 2, UnitFunction::Conv},
    {Skeleton::ParConvOCH, "ParConvOCH", Role::Par, LoopAxis::Rows, 2, UnitFunction::Conv},
    {Skeleton::ParMapHW, "ParMapHW", Role::Par, LoopAxis::Pixels, 4, UnitFunction::Map},
    {Skeleton::ParMapC, "ParMapC", Role::Par, LoopAxis::Rows, 2, UnitFunction::Map},
    {Skeleton::PaddedMv, "PaddedMv", Role::Pad, LoopAxis::Cols, 2, UnitFunction::Mv},
    {Skeleton::PaddedMvRows, "PaddedMvRows", Role::Pad, LoopAxis::Rows, 2, UnitFunction::Mv},
    {Skeleton::PaddedConvHW, "PaddedConvHW", Role::Pad, LoopAxis::Pixels, 4, UnitFunction::Conv},
    {Skeleton::Map, "Map", Role::Leaf, LoopAxis::Pixels, 4, UnitFunction::Map},
}};

/// Replaces an extent of the child by the whole's, when the child has the tile's.
bool replace(std::int64_t& extent, std::int64_t tile, std::int64_t whole) {
    if (extent != tile)
        return false;
    extent = whole;
    return true;
}

bool fits(Role role, std::int64_t tile, std::int64_t whole) {
    return role == Role::Pad ? tile >= whole : whole % tile == 0;
}

std::optional<UnitShape> loopShape(const SkeletonInfo& entry, egraph::ParamSpan p,
                                   UnitShape shape) {
    if (shape.function != entry.function)
        return std::nullopt;
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
        shape.cols = shape.kernel * shape.kernel * shape.channels;
        break;
    case LoopAxis::Pixels:
        good = replace(shape.height, p[0], p[2]) && replace(shape.width, p[1], p[3]) &&
               fits(entry.role, p[0], p[2]) && fits(entry.role, p[1], p[3]);
        break;
    }
    return good ? std::optional(shape) : std::nullopt;
}

UnitShape leafShape(Skeleton skeleton, egraph::ParamSpan p) {
    UnitShape shape;
    if (skeleton == Skeleton::ParallelDot) {
        shape.function = UnitFunction::Dot;
        shape.rows = p[1];
        shape.cols = p[2];
        shape.operand = static_cast<ir::Scalar>(p[3]);
        shape.weight = static_cast<ir::Scalar>(p[4]);
    } else {
        shape.function = UnitFunction::Map;
        shape.height = p[0];
        shape.width = p[1];
        shape.rows = p[2];
        shape.operand = static_cast<ir::Scalar>(p[3]);
    }
    return shape;
}

} // namespace

bool isSequential(Role role) {
    return role == Role::For || role == Role::ForR;
}

bool isParallel(Role role) {
    return role == Role::Par || role == Role::ParR;
}

bool isReduction(Role role) {
    return role == Role::ForR || role == Role::ParR;
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

std::optional<UnitShape> shapeOf(Skeleton skeleton, egraph::ParamSpan p, const UnitShape* child) {
    const SkeletonInfo& entry = info(skeleton);
    if (entry.role == Role::Leaf)
        return leafShape(skeleton, p);
    if (child == nullptr)
        return std::nullopt;
    if (entry.role != Role::Core)
        return loopShape(entry, p, *child);
    UnitShape shape = *child;
    shape.function = entry.function;
    if (skeleton == Skeleton::Mv)
        return child->function == UnitFunction::Dot ? std::optional(shape) : std::nullopt;
    shape.height = p[0];
    shape.width = p[1];
    shape.channels = p[2];
    shape.kernel = p[3];
    shape.stride = p[4];
    const bool good = child->function == UnitFunction::Mv && child->cols == p[3] * p[3] * p[2];
    return good ? std::optional(shape) : std::nullopt;
}

bool Terms::isBuffer(egraph::OpId op) const {
    return op == bufferBlockRam || op == bufferExternal || op == bufferRegister ||
           op == bufferLutRam || op == bufferStream;
}

std::optional<Skeleton> Terms::skeletonOf(egraph::OpId op) const {
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
    return toString(std::get<ir::Type>(value));
}

egraph::FactId Facts::intern(const Fact& value) {
    facts_.push_back(value);
    const egraph::FactId next{facts_.size() - 1};
    const auto [entry, added] = index_.emplace(describe(next), next);
    if (!added)
        facts_.pop_back();
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
