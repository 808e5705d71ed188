#include "engine/rules/catalog.h"

#include <algorithm>

namespace marquetry::rules {

namespace {

using egraph::EClassId;
using egraph::EGraph;
using egraph::Param;

egraph::Rewrite makeRewrite(const UnitRule& rule, const TermLanguage& terms, const Menu& menu,
                            std::shared_ptr<Facts> facts) {
    auto lhs = egraph::Pattern::parse(*terms.language, termPattern(rule.matches));
    ENGINE_ASSERT(lhs.has_value(), "the rule's pattern is well formed");
    egraph::Rewrite rewrite;
    rewrite.name = rule.name;
    rewrite.group = rule.group;
    rewrite.lhs = *std::move(lhs);
    rewrite.reads = egraph::Reads::Match;
    rewrite.apply = [rule, terms, menu, facts](EGraph& egraph, const egraph::Match& match,
                                               const egraph::Origin& origin,
                                               std::vector<EClassId>& equal) {
        const ir::UnitShape* found = facts->unitShape(egraph, match.eclass);
        ENGINE_ASSERT(found != nullptr, "unit rules match unit classes");
        const ir::UnitShape shape = *found;
        if (shape.parts > 1)
            return; // loops and pads stand above the merge
        for (const Candidate& candidate : rule.candidates(menu, shape)) {
            EClassId children[] = {addCanonical(egraph, terms, menu, candidate.child, origin)};
            if (!candidate.packed.empty())
                children[0] = egraph.add(terms.op(Skeleton::ParallelConv), candidate.packed,
                                         children, origin);
            equal.push_back(egraph.add(terms.op(rule.makes), candidate.params, children, origin));
        }
    };
    return rewrite;
}

/// A convolution of any windows around its Dot.
EClassId addWindows(EGraph& egraph, const TermLanguage& terms, const ir::UnitShape& shape,
                    EClassId dot, const egraph::Origin& origin) {
    const bool channelwise = shape.function == ir::UnitFunction::DwConv;
    std::vector<Param> params = {shape.height, shape.width};
    if (!channelwise)
        params.push_back(shape.channels);
    params.push_back(shape.kernel.vertical);
    if (!isPlain(shape))
        params.push_back(shape.kernel.horizontal);
    params.push_back(shape.stride.vertical);
    if (!isPlain(shape))
        params.push_back(shape.stride.horizontal);
    const EClassId dots[] = {dot};
    if (channelwise)
        return egraph.add(terms.op(isPlain(shape) ? Skeleton::DwConv : Skeleton::WindowDwConv),
                          params, dots, origin);
    const EClassId mvs[] = {egraph.add(terms.op(Skeleton::Mv), {}, dots, origin)};
    return egraph.add(terms.op(isPlain(shape) ? Skeleton::Conv : Skeleton::WindowConv), params, mvs,
                      origin);
}

} // namespace

EClassId addLanes(EGraph& egraph, const TermLanguage& terms, const Menu& menu,
                  const ir::UnitShape& shape) {
    const std::vector<Param> unit = {menu.lanes, static_cast<Param>(shape.operand),
                                     static_cast<Param>(shape.weight)};
    const EClassId children[] = {egraph.add(terms.op(Skeleton::LaneProducts), unit, {})};
    const std::vector<Param> params = {shape.height,
                                       shape.width,
                                       shape.rows,
                                       menu.lanes,
                                       shape.kernel.vertical,
                                       shape.kernel.horizontal,
                                       shape.stride.vertical,
                                       shape.stride.horizontal};
    return egraph.add(terms.op(Skeleton::LaneDwConv), params, children);
}

std::string termPattern(Skeleton skeleton, const std::string& params, const std::string& child) {
    std::string text = std::string("(") + info(skeleton).name;
    for (std::size_t k = 0; k < info(skeleton).params; ++k)
        text += " $" + params + std::to_string(k);
    return text + (info(skeleton).role == SkeletonRole::Leaf ? "" : " " + child) + ")";
}

EClassId addCanonical(EGraph& egraph, const TermLanguage& terms, const Menu& menu,
                      const ir::UnitShape& shape, const egraph::Origin& origin) {
    using ir::UnitFunction;
    const auto add = [&](Skeleton skeleton, std::vector<Param> params,
                         std::vector<EClassId> children) {
        return egraph.add(terms.op(skeleton), params, children, origin);
    };
    if (shape.function == UnitFunction::Map)
        return add(Skeleton::Map,
                   {shape.height, shape.width, shape.rows, static_cast<Param>(shape.operand)}, {});
    ENGINE_ASSERT(shape.function != UnitFunction::Lanes, "no rule asks for a lane unit");
    // The kernel of a 1-D stencil is the vector of its Mv.
    const bool stencil =
        shape.function == UnitFunction::Conv1DW || shape.function == UnitFunction::Conv1DH;
    std::vector<Param> params = {initialParallelism(menu, shape.rows), shape.rows, shape.cols,
                                 static_cast<Param>(stencil ? shape.weight : shape.operand),
                                 static_cast<Param>(stencil ? shape.operand : shape.weight)};
    if (shape.parts > 1)
        params.insert(params.begin() + 1, shape.parts);
    const EClassId dot =
        add(shape.parts > 1 ? Skeleton::ParallelPartialDot : Skeleton::ParallelDot, params, {});
    if (shape.function == UnitFunction::Dot)
        return dot;
    if (shape.function == UnitFunction::DwConv || shape.function == UnitFunction::Conv)
        return addWindows(egraph, terms, shape, dot, origin);
    const EClassId mv = add(Skeleton::Mv, {}, {dot});
    switch (shape.function) {
    case UnitFunction::Mm:
        return add(Skeleton::Mm, {shape.height}, {mv});
    case UnitFunction::Bmm:
        return add(Skeleton::Bmm, {shape.channels}, {add(Skeleton::Mm, {shape.height}, {mv})});
    case UnitFunction::Conv1DW:
        return add(Skeleton::Conv1DW, {shape.height, shape.kernel.vertical}, {mv});
    case UnitFunction::Conv1DH:
        return add(Skeleton::Conv1DH, {shape.width, shape.kernel.vertical}, {mv});
    default:
        return mv;
    }
}

const std::vector<std::string>& ruleGroups() {
    static const std::vector<std::string> groups = {
        "parallelism", "tiling",    "padding", "partial", "fusion",
        "storage",     "skeletons", "overlap", "streams", "grouping"};
    return groups;
}

bool isOn(const UnitRule& rule, const std::vector<std::string>& without) {
    const auto off = [&](const char* group) {
        return group != nullptr && std::ranges::find(without, group) != without.end();
    };
    return !off(rule.group) && !off(rule.alsoGroup);
}

std::vector<egraph::Rewrite> makeRewrites(const TermLanguage& terms, const Menu& menu,
                                          std::shared_ptr<Facts> facts,
                                          const std::vector<std::string>& without) {
    std::vector<egraph::Rewrite> rewrites = parallelismRewrites(terms, menu);
    for (const auto& rules :
         {tilingRules(), paddingRules(), conversionRules(), partialRules(menu.policy)})
        for (const UnitRule& rule : rules)
            if (isOn(rule, without))
                rewrites.push_back(makeRewrite(rule, terms, menu, facts));
    std::ranges::move(splitRewrites(terms, menu, facts), std::back_inserter(rewrites));
    std::ranges::move(storageRewrites(terms, menu), std::back_inserter(rewrites));
    std::ranges::move(joinRewrites(terms, menu.joins), std::back_inserter(rewrites));
    std::ranges::move(streamRewrites(terms, menu.streams), std::back_inserter(rewrites));
    std::erase_if(rewrites, [&](const egraph::Rewrite& rewrite) {
        return std::ranges::find(without, rewrite.group) != without.end() ||
               std::ranges::find(without, rewrite.name) != without.end();
    });
    return rewrites;
}

} // namespace marquetry::rules
