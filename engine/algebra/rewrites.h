// The rewrites of kernels before scheduling, by name (background/aetherling.md, "Kernel algebra").
//
// Every one keeps what a program means: an element that was defined keeps its value, one that was
// not may get one. Each can be switched off. Thread rule: value types.
#pragma once

#include "engine/support/result.h"

#include <bitset>
#include <cstdint>
#include <span>
#include <string_view>

namespace marquetry::algebra {

enum class KernelRewrite : std::uint8_t {
    Common,
    Windows,
    Constants,
    Strength,
    Ranges,
    Choices,
    Shifts,
    Sums,
    Separable,
    Symmetry,
    Stores,
    Recompute,
};
inline constexpr std::size_t kRewrites = 12;

struct RewriteInfo {
    KernelRewrite rewrite;
    std::string_view name;
    std::string_view meaning;
};

/// In the order of the enumeration.
std::span<const RewriteInfo> rewriteTable();

/// A set of rewrites; all when made.
class Rewrites {
public:
    Rewrites() { on_.set(); }
    static Rewrites none();

    bool has(KernelRewrite rewrite) const { return on_[static_cast<std::size_t>(rewrite)]; }
    Rewrites with(KernelRewrite rewrite) const;
    Rewrites without(KernelRewrite rewrite) const;
    bool operator==(const Rewrites&) const = default;

private:
    std::bitset<kRewrites> on_;
};

/// All but the named ones. Error: unknown-name.
Result<Rewrites> allWithout(std::span<const std::string> names);

} // namespace marquetry::algebra
