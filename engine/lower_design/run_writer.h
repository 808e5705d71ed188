// Runs of lanes as words of a slot: the address at which each lies, the word that is being filled,
// and the banks that are written when it is full or a run of its tensor ends.
//
// Thread rule: one builder.
#pragma once

#include "engine/lower_design/run_target.h"
#include "engine/lower_design/walk_counter.h"

namespace marquetry::hdl {

class RunWriter {
public:
    RunWriter(RunTarget target, Clocking clocking, Expr setup)
        : target_(std::move(target)),
          clocking_(std::move(clocking)),
          setup_(std::move(setup)),
          to_("to", target_.side.walk, target_.side.addressBits()) {}

    /// we (a bit for each bank), waddr, wdata.
    void ports(rtl::Module& m);
    /// Before it is written: the walk of steps that are not all alike.
    void vary(WalkPart part) { to_.vary(std::move(part)); }
    /// The next run; it is written two clocks after `valid`, in which it is there.
    void write(rtl::Module& m, const Expr& valid, const Expr& run);

private:
    Expr place() const;
    Expr fills() const;
    Expr beginning(rtl::Module& m, const Expr& valid) const;
    void fill(rtl::Module& m, const Expr& valid, const Expr& run);
    void enables(rtl::Module& m, const Expr& valid, const Expr& writes);
    void enableRows(rtl::Module& m, const Expr& writes);

    RunTarget target_;
    Clocking clocking_;
    Expr setup_;
    WalkCounter to_;
    Expr we_, waddr_, wdata_;
};

} // namespace marquetry::hdl
