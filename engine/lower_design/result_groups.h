// The results of a reduction in a register, from which they leave a group after the other.
//
// The first group is there in the clock after the results, and one more in each clock that follows.
// The next results may come in the clock of the last group at the earliest.
// Thread rule: one builder.
#pragma once

#include "engine/lower_design/design_library.h"

namespace marquetry::hdl {

class ResultGroups {
public:
    /// `count` groups, two or more, of the results that are there when `reduced` says so.
    ResultGroups(rtl::Module& m, const Clocking& clocking, std::int64_t count, const Expr& reduced,
                 const Expr& results);

    Expr valid() const { return busy_; }
    Expr number() const { return number_; }
    Expr group() const; ///< the results of it
    /// What it was when the results came.
    Expr with(const std::string& name, const Expr& word);
    /// Likewise of the first group, and one more for each that follows. `clock`: another pulse than
    /// that of the results begins it.
    Expr address(const std::string& name, const Expr& first, const Expr& begins);
    Expr address(const std::string& name, const Expr& first) {
        return address(name, first, reduced_);
    }

private:
    rtl::Module& m_;
    Clocking clocking_;
    std::int64_t count_;
    Expr reduced_, busy_, number_, held_;
};

/// What is added to a group of `groupBits` bits, a clock after its word was read from the address:
/// the word is a register, and the part of it that belongs to the group is chosen behind that.
Expr addendOfGroup(rtl::Module& m, const Clocking& clocking, const Expr& word, const Expr& address,
                   int numberBits, int groupBits);

} // namespace marquetry::hdl
