#include "engine/rtl/long_counter.h"

namespace marquetry::rtl {

namespace {

constexpr int kHalf = 32;
constexpr std::int64_t kBeforeFull = (std::int64_t{1} << kHalf) - 2;

} // namespace

LongCounter::LongCounter(Module& module, std::string name, Expr count) : count_(std::move(count)) {
    lowFull_ = module.reg(name.append("_low_full"));
}

void LongCounter::clear(Block& block) const {
    block.set(count_, zeros(2 * kHalf));
    block.set(lowFull_, zeros(1));
}

void LongCounter::increment(Block& block) const {
    const Expr low = count_.slice(0, kHalf);
    const Expr high = count_.slice(kHalf, kHalf);
    block.set(low, low + 1);
    block.set(high, high + lowFull_.extended(kHalf));
    block.set(lowFull_, low == kBeforeFull);
}

} // namespace marquetry::rtl
