#include "engine/banking/dephasing.h"

#include <algorithm>

namespace marquetry::banking {

namespace {

bool moves(const ir::MemoryLane& lane, std::size_t generator) {
    return std::ranges::any_of(lane.matrix, [&](const auto& row) { return row[generator] != 0; });
}

/// Unknown values that move some lanes of the group and not others.
std::vector<std::size_t> unshared(const ir::UnrolledNest& nest, const Group& group) {
    std::vector<std::size_t> found;
    const ir::MemoryLane& first = nest.lanes[group.lanes[0]];
    for (std::size_t g = 0; g < nest.generators.size(); ++g) {
        const bool differs = std::ranges::any_of(
            group.lanes, [&](std::size_t l) { return moves(nest.lanes[l], g) != moves(first, g); });
        if (nest.generators[g].unknown() && differs)
            found.push_back(g);
    }
    return found;
}

/// Collects causes and the edits that remove them.
class Causes {
public:
    explicit Causes(const ir::MemoryNest& nest) : nest_(nest) {}

    /// Every loop up to j whose end the lanes of a parallel loop do not share.
    void addLoop(std::size_t j) {
        for (std::size_t outer = 0; outer <= j; ++outer) {
            const std::vector<std::size_t> parallel = endDependsOn(nest_, outer);
            if (parallel.empty())
                continue;
            ir::MemoryLoop fixed = nest_.loops[outer];
            fixed.bound.reset();
            const std::string cause = toString(nest_.loops[outer], nest_);
            add(cause, toString(*nest_.loops[outer].bound, nest_), parallel,
                {cause, toString(fixed, nest_)});
        }
    }

    void addSymbol(std::size_t s) {
        ir::MemoryNest shared = nest_;
        std::vector<std::size_t> parallel;
        std::erase_if(shared.symbols[s].loops, [&](std::size_t loop) {
            if (nest_.loops[loop].parallel > 1)
                parallel.push_back(loop);
            return nest_.loops[loop].parallel > 1;
        });
        ir::AffineForm form{0, {}, std::vector<std::int64_t>(nest_.symbols.size())};
        form.symbols[s] = 1;
        const std::string cause = toString(form, nest_);
        add(cause, cause, parallel, {cause, toString(form, shared)});
    }

    std::vector<Dephasing> all() && { return std::move(all_); }

private:
    void add(const std::string& cause, std::string bound, const std::vector<std::size_t>& parallel,
             Edit edit) {
        if (std::ranges::find(all_, cause, &Dephasing::cause) != all_.end())
            return;
        Dephasing dephasing{cause, std::move(bound), "", 1, {std::move(edit)}};
        for (const std::size_t loop : parallel) {
            dephasing.iterator += (dephasing.iterator.empty() ? "" : ", ") + nest_.loops[loop].name;
            dephasing.lanes *= nest_.loops[loop].parallel;
        }
        if (parallel.size() == 1) {
            ir::MemoryLoop serial = nest_.loops[parallel[0]];
            serial.parallel = 1;
            dephasing.edits.push_back(
                {toString(nest_.loops[parallel[0]], nest_), toString(serial, nest_)});
        }
        all_.push_back(std::move(dephasing));
    }

    const ir::MemoryNest& nest_;
    std::vector<Dephasing> all_;
};

std::string dephasingText(const Dephasing& dephasing) {
    const std::string lanes =
        " of " + dephasing.iterator + " (par " + std::to_string(dephasing.lanes) + ")";
    const bool loop = dephasing.cause != dephasing.bound;
    std::string text =
        loop ? "`" + dephasing.cause + "` ends differently in the lanes" + lanes +
                   ", which drift apart"
             : "each lane" + lanes + " has a " + dephasing.bound + " of its own, at any distance";
    text += "; write `" + dephasing.edits[0].to + "` (" +
            (loop ? "lanes past " + dephasing.bound + " idle" : "one value for all lanes") + ")";
    if (dephasing.edits.size() > 1)
        text += " or `" + dephasing.edits[1].to + "`";
    return text + " to restore lockstep";
}

} // namespace

std::vector<Dephasing> dephasingsOf(const ir::MemoryNest& source, const ir::UnrolledNest& nest,
                                    const Group& group) {
    Causes causes(source);
    for (const std::size_t g : unshared(nest, group)) {
        const ir::Generator& generator = nest.generators[g];
        if (generator.most >= 0)
            causes.addLoop(generator.of);
        else if (std::ranges::any_of(source.symbols[generator.of].loops, [&](std::size_t loop) {
                     return source.loops[loop].parallel > 1;
                 }))
            causes.addSymbol(generator.of);
    }
    return std::move(causes).all();
}

std::string lockstepText(const ir::UnrolledNest& nest, const Group& group,
                         const std::vector<Dephasing>& dephasings) {
    if (group.lanes.size() == 1)
        return "one access";
    const auto& first = nest.lanes[group.lanes[0]];
    if (std::ranges::all_of(group.lanes,
                            [&](std::size_t l) { return nest.lanes[l].matrix == first.matrix; }))
        return "in lockstep: all accesses move alike, at constant distances";
    if (dephasings.empty())
        return "not in lockstep: the accesses move by different amounts per iteration";
    std::string all = "dephased by " + nest.generators[unshared(nest, group)[0]].name + ": ";
    for (const Dephasing& dephasing : dephasings)
        all += (&dephasing == &dephasings.front() ? "" : "; and ") + dephasingText(dephasing);
    return all;
}

} // namespace marquetry::banking
