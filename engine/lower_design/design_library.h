// The modules that the parts of a design share, each made once, and words that come later.
//
// Thread rule: one builder.
#pragma once

#include "engine/lower_design/plan.h"
#include "engine/rtl/module_library.h"

#include <string>
#include <utility>
#include <vector>

namespace marquetry::hdl {

using rtl::Expr;

struct Clocking {
    Expr clock;
    Expr reset; ///< synchronous, low
};

class DesignLibrary : public rtl::ModuleLibrary {
public:
    explicit DesignLibrary(const RtlPlan& plan) : ModuleLibrary(plan.name), plan_(plan) {}

    /// rtl::dualPortMemory.
    rtl::ModulePtr memory(bool lutRam);

    /// A slot: rtl::memoryBanks.
    rtl::ModulePtr buffer(bool lutRam, bool rest);

    /// Multipliers of a row, their adder tree and its accumulator; units of the same types share
    /// it.
    rtl::ModulePtr row(const UnitPlan& unit);
    /// Two rows that share their multipliers (row.h).
    rtl::ModulePtr pairedRows(const UnitPlan& unit);

    /// One lane of a lane unit: its multiplier, if it has one, and its accumulator, likewise.
    rtl::ModulePtr lane(const UnitPlan& unit);

    /// The word `clocks` later; its registers have no reset.
    Expr later(rtl::Module& module, const Clocking& clocking, const std::string& name,
               const Expr& word, int clocks);
    /// Likewise, from a register with a reset, of which no shift register is made: the output of
    /// one comes late in the clock.
    Expr laterFromRegister(rtl::Module& module, const Clocking& clocking, const std::string& name,
                           const Expr& word, int clocks);
    /// A bit that says what is valid, `clocks` later; nothing is valid there soon after a reset.
    Expr validLater(rtl::Module& module, const Clocking& clocking, const std::string& name,
                    const Expr& valid, int clocks);

private:
    const RtlPlan& plan_;
};

/// The value beside the first condition that holds; the last one's condition is not looked at.
using Alternatives = std::vector<std::pair<Expr, Expr>>;
Expr firstOf(const Alternatives& alternatives, const Expr& otherwise);

Expr eitherOf(const std::vector<Expr>& conditions);

/// Bits of a port that nobody reads, so that lint tools do not wonder.
void leaveUnused(rtl::Module& module, const Expr& port);

/// The low `taken` bits of the first `count` elements of a word, each extended to `to` bits.
struct Elements {
    Expr word; ///< a net
    int count = 1;
    int stored = 8; ///< bits per element in the word
    int taken = 8;  ///< low bits that count
    bool isSigned = false;
    int to = 8;
};
/// `name`: of the wire that is made where elements change their width.
Expr elements(rtl::Module& module, const std::string& name, const Elements& e);
/// With zeros for the elements that follow, up to `lanes`.
Expr paddedElements(rtl::Module& module, const std::string& name, const Elements& e, int lanes);

} // namespace marquetry::hdl
