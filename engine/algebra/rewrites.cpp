#include "engine/algebra/rewrites.h"

#include <algorithm>
#include <array>

namespace marquetry::algebra {

namespace {

constexpr std::array<RewriteInfo, kRewrites> kTable = {{
    {KernelRewrite::Common, "common", "equal expressions on equal operands become one value"},
    {KernelRewrite::Windows, "windows",
     "the elements of a window become streams that share their taps"},
    {KernelRewrite::Constants, "constants",
     "operators on constants, and those that change nothing, go"},
    {KernelRewrite::Strength, "strength", "products and quotients by powers of two become shifts"},
    {KernelRewrite::Ranges, "ranges", "what the ranges of its operands decide becomes a constant"},
    {KernelRewrite::Choices, "choices", "a choice whose branches agree wherever it matters goes"},
    {KernelRewrite::Shifts, "shifts", "f(shift x) becomes shift(f x), so f is computed once"},
    {KernelRewrite::Sums, "sums",
     "sums of two that several weighted sums contain are computed once"},
    {KernelRewrite::Separable, "separable", "a weighted sum becomes a product of smaller ones"},
    {KernelRewrite::Symmetry, "symmetry",
     "what has equal weights is added before it is multiplied"},
    {KernelRewrite::Stores, "stores", "shifts move to where they store the fewest bits"},
    {KernelRewrite::Recompute, "recompute",
     "values kept for a line are computed again from shared lines"},
}};

} // namespace

std::span<const RewriteInfo> rewriteTable() {
    return kTable;
}

Rewrites Rewrites::none() {
    Rewrites set;
    set.on_.reset();
    return set;
}

Rewrites Rewrites::with(KernelRewrite rewrite) const {
    Rewrites set = *this;
    set.on_.set(static_cast<std::size_t>(rewrite));
    return set;
}

Rewrites Rewrites::without(KernelRewrite rewrite) const {
    Rewrites set = *this;
    set.on_.reset(static_cast<std::size_t>(rewrite));
    return set;
}

Result<Rewrites> allWithout(std::span<const std::string> names) {
    Rewrites set;
    for (const std::string& name : names) {
        const auto found = std::ranges::find(kTable, name, &RewriteInfo::name);
        if (found == kTable.end()) {
            std::string all;
            for (const RewriteInfo& each : kTable)
                all += (all.empty() ? "" : ", ") + std::string(each.name);
            return makeError("unknown-name", "there is no rewrite '" + name + "'",
                             "the rewrites are " + all);
        }
        set = set.without(found->rewrite);
    }
    return set;
}

} // namespace marquetry::algebra
