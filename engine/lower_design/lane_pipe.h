// Values of a pipeline with the clock at which they stand there: what meets is delayed to meet.
//
// Thread rule: one builder.
#pragma once

#include "engine/rtl/module.h"

#include <string>

namespace marquetry::hdl {

/// A value and the clock, counted from the pipeline's input, at which it stands in a net.
struct Timed {
    rtl::Expr value; ///< of no bits: there is none
    int clock = 0;
    bool steady = false; ///< the same at every clock of a step

    bool exists() const { return value.size() != rtl::Size(0); }
};

class LanePipe {
public:
    LanePipe(rtl::Module& module, rtl::Expr clock) : m_(module), clock_(std::move(clock)) {}

    /// The expression, of operands at `clock`, in a register.
    Timed registered(const std::string& name, const rtl::Expr& value, int clock);
    /// The value at that clock or, without one, unchanged: constants stand at every clock.
    rtl::Expr at(const Timed& value, int clock);

    /// A signed product, of blocks of 25 × 18 bits, each behind registers on both sides.
    Timed product(const std::string& name, const Timed& a, const Timed& b);

    rtl::Module& module() { return m_; }

private:
    Timed sumOf(const std::string& name, std::vector<Timed> parts);

    rtl::Module& m_;
    rtl::Expr clock_;
    int next_ = 0; ///< numbers the names of delays
};

} // namespace marquetry::hdl
