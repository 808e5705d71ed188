#include "engine/artefact/memory_paths.h"

#include "engine/artefact/signal_arrival.h"
#include "engine/cost/clock_cells.h"
#include "engine/rtl/netlist.h"
#include "engine/support/checked_math.h"

namespace marquetry::hdl {

namespace {

using cost::ClockPath;
using cost::PathEnd;
using cost::PathStart;
using rtl::Expr;

/// Words of a memory in LUTs that one LUT of six inputs holds.
constexpr std::int64_t kLutWords = 64;

class PathFinder {
public:
    PathFinder(const BankedMemory& memory, const rtl::Module& module, const std::string& family)
        : memory_(memory),
          module_(module),
          arrival_(module, family, cost::clockCells(family)->lutInputs) {}

    std::vector<ClockPath> paths() && {
        for (const rtl::Item& item : module_.items())
            if (const auto* const instance = std::get_if<rtl::Instance>(&item.is))
                start(*instance);
        for (const rtl::Item& item : module_.items()) {
            if (const auto* const instance = std::get_if<rtl::Instance>(&item.is))
                end(*instance);
            else if (const auto* const process = std::get_if<rtl::Process>(&item.is))
                registers(process->statements, {});
        }
        for (const rtl::NetPtr& port : module_.ports())
            if (port->kind == rtl::Net::Kind::Output)
                add(arrival_.at(rtl::wordOf(port)), cat("what ", port->wanted, " gives"),
                    PathEnd::Register);
        return std::move(paths_);
    }

private:
    void add(ClockPath path, std::string what, PathEnd end) {
        path.what = std::move(what);
        path.end = end;
        paths_.push_back(std::move(path));
    }

    static Expr portOf(const rtl::Instance& instance, const char* name) {
        for (std::size_t k = 0; k < instance.ports.size(); ++k)
            if (instance.module->ports()[k]->wanted == name)
                return instance.ports[k];
        return {};
    }

    static bool isBank(const rtl::Instance& instance) {
        return portOf(instance, "q").size() != rtl::Size(0);
    }

    bool inBlocks() const { return memory_.plan.blockRam; }

    void start(const rtl::Instance& instance) {
        const Expr out = portOf(instance, isBank(instance) ? "q" : "second");
        arrival_.startAt(out, isBank(instance) && inBlocks() ? PathStart::BlockRam
                                                             : PathStart::Register);
    }

    void end(const rtl::Instance& instance) {
        if (isBank(instance))
            return bank(instance);
        // Of two writers, the last: a bit for each word.
        const std::string name = instance.name->wanted;
        ClockPath read = arrival_.at(portOf(instance, "raddr"));
        read.logic.push_back(static_cast<int>(memory_.scheme.depth) +
                             portOf(instance, "raddr").width());
        add(std::move(read), "the read of " + name, PathEnd::Register);
        for (const auto& [enable, address] : {std::pair{"we0", "waddr0"}, {"we1", "waddr1"}})
            add(arrival_.through({portOf(instance, enable), portOf(instance, address)}),
                "what is noted in " + name, PathEnd::Control);
    }

    void bank(const rtl::Instance& instance) {
        const std::string& name = instance.name->wanted;
        const bool deep = !inBlocks() && memory_.scheme.depth > kLutWords;
        const std::int64_t luts = ceilDiv(memory_.scheme.depth, kLutWords);
        ClockPath read = arrival_.at(portOf(instance, "raddr"));
        if (!inBlocks())
            add({.what = {}, .start = PathStart::LutRam}, "the word read from " + name,
                PathEnd::Register);
        add(std::move(read), "the read address of " + name,
            inBlocks() ? PathEnd::RamAddress : PathEnd::LutRamRead);
        if (deep)
            paths_.back().logic.push_back(static_cast<int>(luts) + bitsFor(luts));
        add(arrival_.at(portOf(instance, "re")), "the reading of " + name, PathEnd::Control);
        const PathEnd write = inBlocks() ? PathEnd::RamAddress : PathEnd::LutRamWrite;
        add(arrival_.at(portOf(instance, "waddr")), "the write address of " + name, write);
        add(deep ? arrival_.through({portOf(instance, "we"), portOf(instance, "waddr")})
                 : arrival_.at(portOf(instance, "we")),
            "the writing of " + name, write);
        add(arrival_.at(portOf(instance, "wdata")), "what is written to " + name,
            inBlocks() ? PathEnd::RamData : PathEnd::LutRamWrite);
    }

    /// Registers, with the conditions under which they are set.
    void registers(const std::vector<rtl::Statement>& statements,
                   const std::vector<Expr>& conditions) {
        for (const rtl::Statement& statement : statements) {
            if (statement.kind == rtl::Statement::Kind::Set) {
                const rtl::NetPtr& net = statement.target.node().net;
                const std::string name = net ? net->wanted : std::string("a counter");
                add(arrival_.at(statement.value), "the next " + name, PathEnd::Register);
                add(arrival_.through(conditions), "the step of " + name, PathEnd::Control);
            }
            // A reset has a pin of its own: the branches in front of one are no inputs of it.
            for (const rtl::Branch& branch : statement.branches) {
                std::vector<Expr> all = conditions;
                all.push_back(branch.condition);
                registers(branch.statements, all);
            }
        }
    }

    const BankedMemory& memory_;
    const rtl::Module& module_;
    SignalArrival arrival_;
    std::vector<ClockPath> paths_;
};

} // namespace

std::vector<ClockPath> memoryPaths(const BankedMemory& memory, const rtl::Module& module,
                                   const std::string& family) {
    if (!cost::clockCells(family))
        return {};
    return PathFinder(memory, module, family).paths();
}

} // namespace marquetry::hdl
