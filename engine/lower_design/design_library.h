// The modules that the parts of a design share, each made once, and words that come later.
//
// Thread rule: one builder.
#pragma once

#include "engine/lower_design/plan.h"
#include "engine/rtl/module.h"

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace marquetry::hdl {

using rtl::Expr;

struct Clocking {
    Expr clock;
    Expr reset; ///< synchronous, low
};

class DesignLibrary {
public:
    explicit DesignLibrary(const RtlPlan& plan) : plan_(plan) {}

    /// Whether it made the module: no part has it for itself.
    bool made(const rtl::ModulePtr& module) const;

    /// rtl::dualPortMemory.
    rtl::ModulePtr memory(bool lutRam);

    /// A slot: BANKS, MEMORIES, WIDTH, DEPTH, ADDRESS, with `rest` also REST: aclk, re, raddr, q,
    /// we (a bit for each bank), waddr, wdata. A bank is MEMORIES of WIDTH bits and, with `rest`,
    /// one of REST bits, side by side.
    rtl::ModulePtr buffer(bool lutRam, bool rest);

    /// Multipliers of a row, their adder tree and its accumulator; units of the same types share
    /// it.
    rtl::ModulePtr row(const UnitPlan& unit);

    /// The word `clocks` later; its registers have no reset.
    Expr later(rtl::Module& module, const Clocking& clocking, const std::string& name,
               const Expr& word, int clocks);
    /// A bit that says what is valid, `clocks` later; nothing is valid there soon after a reset.
    Expr validLater(rtl::Module& module, const Clocking& clocking, const std::string& name,
                    const Expr& valid, int clocks);

private:
    rtl::ModulePtr once(const std::string& name,
                        const std::function<rtl::ModulePtr(const std::string&)>& make);

    const RtlPlan& plan_;
    std::map<std::string, rtl::ModulePtr> made_;
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
