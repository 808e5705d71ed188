#include "engine/control/shell_watch.h"

#include "engine/control/watchdog.h"
#include "engine/control/whole_instance.h"

namespace marquetry::hdl {

using rtl::bits;
using rtl::constant;
using rtl::Expr;

namespace {

/// Whether any stream has its valid and ready so.
Expr someStream(const std::vector<rtl::AxisPorts>& streams, bool valid, bool ready) {
    Expr some = constant(0, 1);
    for (const rtl::AxisPorts& port : streams)
        some = some | ((valid ? port.tvalid : ~port.tvalid) & (ready ? port.tready : ~port.tready));
    return some;
}

/// Whether a counter of the core has counted, a clock before.
Expr counted(rtl::Module& m, const WatchJoints& joints, const std::string& name,
             const Expr& count) {
    if (count.size() == rtl::Size(0))
        return constant(0, 1);
    const Expr before = m.reg(name + "_before");
    m.clocked(joints.clock, [&](rtl::Block& b) { b.set(before, count.bit(0)); });
    return m.wire(name + "_goes_on", before ^ count.bit(0));
}

} // namespace

Expr joinWatchdog(rtl::Module& m, const WatchJoints& joints) {
    m.blank();
    const Expr weights = counted(m, joints, "waits", joints.waits);
    Expr moves = someStream(joints.ports.sources, true, true) |
                 someStream(joints.ports.sinks, true, true) |
                 (counted(m, joints, "work", joints.work) & ~weights);
    if (joints.ports.memory)
        moves = moves | joints.ports.memory->rvalid;
    if (const auto& writes = joints.ports.writes)
        moves = moves | (writes->wvalid & writes->wready) | writes->bvalid;
    // Before its first step the core counts nothing while it reads the weights that stay.
    const Expr forWeights = joints.ports.memory ? weights | joints.owes : weights;
    m.lint("lint_off UNUSEDSIGNAL");
    const Expr waiting = m.wire("waiting", bits(kWaitingBits));
    m.lint("lint_on UNUSEDSIGNAL");
    wholeInstance(
        m, watchdog(joints.name + "_watchdog"), "watch",
        {{"aclk", joints.clock},
         {"aresetn", joints.reset},
         {"watches", joints.watches},
         {"moves", moves},
         {"limit", joints.limit},
         {"clear", joints.clear},
         {"waits", rtl::join({someStream(joints.ports.sinks, true, false),
                              someStream(joints.ports.sources, false, true), forWeights})},
         {"expired", joints.expired},
         {"waiting", waiting}});
    return waiting;
}

} // namespace marquetry::hdl
