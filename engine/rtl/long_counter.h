// A counter of 64 bits, exact in every clock, as fast as one of 32: whether its low half is full is
// a register of its own, so that no carry passes from one half to the other within a clock.
//
// Thread rule: one builder.
#pragma once

#include "engine/rtl/module.h"

namespace marquetry::rtl {

class LongCounter {
public:
    /// Declares the register beside `count`, a register or output register of 64 bits.
    LongCounter(Module& module, std::string name, Expr count);

    void clear(Block& block) const;
    void increment(Block& block) const;

private:
    Expr count_;
    Expr lowFull_; ///< the low half is all ones
};

} // namespace marquetry::rtl
