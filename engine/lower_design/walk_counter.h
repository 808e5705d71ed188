// The counters of a walk (design/move.h) and the address that it visits.
//
// Thread rule: one builder.
#pragma once

#include "engine/design/move.h"
#include "engine/lower_design/design_library.h"

#include <string>
#include <vector>

namespace marquetry::hdl {

class WalkCounter {
public:
    /// `bits`: of the address.
    WalkCounter(std::string name, design::Walk walk, int bits)
        : name_(std::move(name)), walk_(std::move(walk)), bits_(bits) {}

    /// `ends`: last() is asked for.
    void declare(rtl::Module& m, bool ends);
    void start(rtl::Block& b) const;
    void advance(rtl::Block& b) const;

    const Expr& address() const { return address_; }
    /// The last iteration.
    const Expr& last() const { return last_; }
    /// The next iteration does not visit the neighbour.
    Expr runEnds() const;

private:
    struct Level {
        Expr counter;
        Expr last; ///< a register: the counter is at its last iteration
        Expr step; ///< every loop inside it is at its end
    };
    std::int64_t delta(std::size_t level) const;

    std::string name_;
    design::Walk walk_;
    int bits_;
    std::vector<Level> levels_; ///< outermost first
    Expr address_, last_;
};

} // namespace marquetry::hdl
