// The counters of a walk (design/move.h) and the address that it visits.
//
// Thread rule: one builder.
#pragma once

#include "engine/design/move.h"
#include "engine/lower_design/design_library.h"

#include <optional>
#include <string>
#include <vector>

namespace marquetry::hdl {

/// What steps of one walk do not have alike: constants of the step.
struct WalkPart {
    Expr start;
    /// Where they repeat the outermost loop differently; of no bits otherwise: they do it once, and
    /// the iteration before its last one.
    Expr once, beforeLast;
};

class WalkCounter {
public:
    /// `bits`: of the address.
    WalkCounter(std::string name, design::Walk walk, int bits)
        : name_(std::move(name)), walk_(std::move(walk)), bits_(bits) {}

    /// Begins where a step says, and not where the walk does.
    void vary(WalkPart part) { part_ = std::move(part); }
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
    bool countsRows() const;

    std::string name_;
    design::Walk walk_;
    int bits_;
    std::vector<Level> levels_; ///< outermost first
    Expr address_, last_;
    std::optional<WalkPart> part_;
};

} // namespace marquetry::hdl
