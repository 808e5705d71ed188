#include "engine/spacetime/search.h"

#include "engine/spacetime/alternatives.h"
#include "engine/spacetime/area.h"
#include "engine/spacetime/match_delays.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace marquetry::spacetime {

using device::Resources;

namespace {

/// Ascending by node, each once.
using Demands = std::vector<Demand>;

struct Partial {
    Resources area;
    std::shared_ptr<const Decision> decisions;
};

/// Sums of fractions in another order differ by less.

using States = std::map<Demands, std::vector<Partial>>;

bool atMost(const Resources& a, const Resources& b) {
    return a.fits(b);
}

/// Keeps areas that no other is at most as large as.
void insert(std::vector<Partial>& partials, Partial partial) {
    for (const Partial& other : partials) {
        if (atMost(other.area, partial.area))
            return;
    }
    std::erase_if(partials, [&](const Partial& other) { return atMost(partial.area, other.area); });
    partials.push_back(std::move(partial));
}

class GraphSearch {
public:
    GraphSearch(Search& search, const ir::StreamGraph& graph, const Surroundings& around,
                double bound)
        : search_(search), graph_(graph), around_(around), bound_(bound) {
        std::size_t nextInput = 0;
        for (const ir::StreamNode& node : graph.nodes)
            constants_.push_back(constantsOf(node, nextInput));
        if (limits().program == &graph)
            designs_ = limits().designs;
    }

    Search::Implementations run(LayoutId output) && {
        const ir::StreamNodeId last = withoutRegrouping(graph_, graph_.outputs[0].node);
        const auto copies = static_cast<double>(around_.copies);
        if (search_.stopped())
            return {};
        const std::vector<LeastArea> least =
            search_.least().within(graph_, search_.layouts().time(output), bound_ / copies);
        for (const LeastArea& area : least) {
            toCome_ += copies * area.each;
            fractionToCome_ += copies * area.fraction;
        }
        const double all = fractionToCome_;
        if (std::isinf(all))
            return {};
        States states;
        states[{{last, output}}] = {Partial{}};
        for (std::size_t k = graph_.nodes.size(); k-- > 0 && !search_.stopped();) {
            toCome_ += -copies * least[k].each;
            fractionToCome_ -= copies * least[k].fraction;
            left_ = bound_ - all + copies * least[k].fraction;
            states = produce(ir::StreamNodeId(k), std::move(states));
        }
        if (search_.stopped())
            return {};
        return collect(output, states);
    }

private:
    const SearchLimits& limits() const { return search_.limits(); }

    double fractions(const Resources& area) const { return sumOfFractions(area, search_.device()); }

    /// Whether nothing that contains `area` is wanted.
    bool hopeless(const Resources& area) const {
        const Resources whole = area + toCome_;
        return fractions(area) + fractionToCome_ > bound_ + kRounding ||
               std::ranges::any_of(designs_,
                                   [&](const Resources& known) { return atMost(known, whole); });
    }

    MaybeConstants constantsOf(const ir::StreamNode& node, std::size_t& nextInput) const {
        if (node.op == ir::StreamOp::Input) {
            const std::size_t k = nextInput++;
            return k < around_.inputs.size() ? around_.inputs[k] : std::nullopt;
        }
        if (node.op != ir::StreamOp::Const)
            return std::nullopt;
        return Constants::ofEach(around_.copies, node.literal);
    }

    /// A state without its demands on the node at hand, and those.
    struct Split {
        std::vector<LayoutId> wanted;
        Demands others;
    };

    static Split splitAt(ir::StreamNodeId id, const Demands& demands) {
        Split split;
        for (const Demand& demand : demands) {
            if (demand.first == id)
                split.wanted.push_back(demand.second);
            else
                split.others.push_back(demand);
        }
        return split;
    }

    /// What is left of the bound for the node at hand in the smallest state that wants the same.
    std::map<std::vector<LayoutId>, double> budgets(ir::StreamNodeId id,
                                                    const States& states) const {
        std::map<std::vector<LayoutId>, double> left;
        for (const auto& [demands, partials] : states) {
            double& most = left.try_emplace(splitAt(id, demands).wanted, -1).first->second;
            for (const Partial& partial : partials)
                most =
                    std::max(most, bound_ + kRounding - fractions(partial.area) - fractionToCome_);
        }
        return left;
    }

    States produce(ir::StreamNodeId id, States states) {
        States next;
        const auto left = budgets(id, states);
        std::map<std::vector<LayoutId>, std::vector<LayoutAlternative>> known;
        for (auto& [demands, partials] : states) {
            if (search_.stopped())
                return {};
            const Split split = splitAt(id, demands);
            if (split.wanted.empty()) {
                for (Partial& partial : partials)
                    insert(next[demands], std::move(partial));
                continue;
            }
            const auto [entry, fresh] = known.try_emplace(split.wanted);
            if (fresh)
                entry->second =
                    alternatives(search_, graph_, id, split.wanted, constants_, around_.copies,
                                 {left.at(split.wanted), left_ + kRounding});
            if (fresh && limits().record && limits().program == &graph_)
                record(id, split.wanted, entry->second);
            for (const LayoutAlternative& alternative : entry->second)
                extend(next, split.others, partials, alternative);
        }
        dropDominated(next);
        search_.countStates(next.size());
        return next;
    }

    /// The area of an alternative holds the changes to all layouts that are wanted.
    void record(ir::StreamNodeId id, const std::vector<LayoutId>& wanted,
                const std::vector<LayoutAlternative>& found) {
        StateRecord& record = *limits().record;
        for (const LayoutAlternative& alternative : found) {
            const bool isInput = graph_.node(id).op == ir::StreamOp::Input;
            const bool generated = !isInput && !alternative.decision.node.valid();
            for (const LayoutId layout : wanted) {
                if (generated)
                    record.way(id, layout, {}, alternative.area);
            }
            if (generated)
                continue;
            const LayoutId layout =
                isInput ? alternative.demands[0].second : alternative.decision.layout;
            Resources own = alternative.area;
            for (const LayoutId other : wanted) {
                own += -1.0 * search_.layouts().change(layout, other);
                record.change(id, layout, other);
            }
            record.way(id, layout, isInput ? Demands() : alternative.demands, own);
        }
    }

    void extend(States& next, const Demands& others, const std::vector<Partial>& partials,
                const LayoutAlternative& alternative) const {
        Demands demands = others;
        demands.insert(demands.end(), alternative.demands.begin(), alternative.demands.end());
        std::ranges::sort(demands);
        const auto repeated = std::ranges::unique(demands);
        demands.erase(repeated.begin(), repeated.end());
        std::vector<Partial>* target = nullptr;
        for (const Partial& partial : partials) {
            const Resources area = partial.area + alternative.area;
            if (hopeless(area))
                continue;
            std::shared_ptr<const Decision> decisions = partial.decisions;
            if (alternative.decision.node.valid()) {
                auto decision = std::make_shared<Decision>(alternative.decision);
                decision->later = std::move(decisions);
                decisions = std::move(decision);
            }
            target = target ? target : &next[demands];
            insert(*target, {area, std::move(decisions)});
        }
    }

    /// Drops what is no smaller than another state with the changes that lead from it to there.
    void dropDominated(States& states) {
        std::map<std::vector<ir::StreamNodeId>, std::vector<States::iterator>> groups;
        for (auto state = states.begin(); state != states.end(); ++state)
            groups[nodesOf(state->first)].push_back(state);
        for (auto& [nodes, group] : groups) {
            for (const auto& state : group) {
                if (search_.stopped())
                    return;
                for (const auto& other : group) {
                    if (state != other && !state->second.empty() && !other->second.empty())
                        dropDominated(*state, *other);
                }
            }
        }
        std::erase_if(states, [](const auto& state) { return state.second.empty(); });
    }

    static std::vector<ir::StreamNodeId> nodesOf(const Demands& demands) {
        std::vector<ir::StreamNodeId> nodes;
        for (const Demand& demand : demands) {
            if (nodes.empty() || nodes.back() != demand.first)
                nodes.push_back(demand.first);
        }
        return nodes;
    }

    void dropDominated(States::value_type& state, const States::value_type& other) {
        double most = -1; // that the changes may take
        for (const Partial& partial : state.second) {
            for (const Partial& p : other.second) {
                if (atMost(p.area, partial.area))
                    most = std::max(most, fractions(partial.area) - fractions(p.area));
            }
        }
        if (most < 0 || leastChanges(state.first, other.first) > most + kRounding)
            return;
        const Resources extra = changes(state.first, other.first);
        std::erase_if(state.second, [&](const Partial& partial) {
            return std::ranges::any_of(other.second, [&](const Partial& p) {
                return atMost(p.area + extra, partial.area);
            });
        });
    }

    /// Calls look(wanted, sources) for the layouts that a state wants, and those that another wants
    /// of the same value.
    template <class Look>
    void forChanges(const Demands& from, const Demands& to, const Look& look) {
        for (const Demand& demand : to) {
            const auto first = std::ranges::lower_bound(from, Demand{demand.first, LayoutId(0)});
            look(demand, std::span(first, std::ranges::find_if(first, from.end(), [&](auto& d) {
                                       return d.first != demand.first;
                                   })));
        }
    }

    /// A lower bound of their sum of fractions.
    double leastChanges(const Demands& from, const Demands& to) {
        double sum = 0;
        forChanges(from, to, [&](const Demand& demand, std::span<const Demand> sources) {
            double least = std::numeric_limits<double>::infinity();
            for (const Demand& source : sources)
                least =
                    std::min(least, search_.layouts().leastFraction(source.second, demand.second));
            sum += static_cast<double>(around_.copies) * least;
        });
        return sum;
    }

    /// Their area.
    Resources changes(const Demands& from, const Demands& to) {
        Resources sum;
        forChanges(from, to, [&](const Demand& demand, std::span<const Demand> sources) {
            const Resources* least = nullptr;
            for (const Demand& source : sources) {
                const Resources& change = search_.layouts().change(source.second, demand.second);
                if (!least || fractions(change) < fractions(*least))
                    least = &change;
            }
            sum += static_cast<double>(around_.copies) * *least;
        });
        return sum;
    }

    /// At the end only inputs are asked for.
    Search::Implementations collect(LayoutId output, const States& states) {
        Search::Implementations all;
        for (const auto& [demands, partials] : states) {
            std::vector<LayoutId> inputs;
            for (const ir::StreamNodeId input : graph_.inputs) {
                const auto demand = std::ranges::find(demands, input, &Demand::first);
                inputs.push_back(demand != demands.end() ? demand->second : unused(input, output));
            }
            for (const Partial& partial : partials)
                all.push_back(std::make_shared<Implementation>(
                    Implementation{&graph_, output, inputs, partial.area, partial.decisions}));
        }
        std::erase_if(all, [](const auto& i) {
            return std::ranges::any_of(i->inputs, [](LayoutId l) { return !l.valid(); });
        });
        return all;
    }

    /// The narrowest layout of an input that nothing reads.
    LayoutId unused(ir::StreamNodeId input, LayoutId output) {
        LayoutTable& layouts = search_.layouts();
        LayoutId narrowest;
        for (const LayoutId layout : layouts.layouts(graph_.node(input).type, layouts.time(output),
                                                     std::numeric_limits<std::int64_t>::max())) {
            if (!narrowest.valid() || layouts.width(layout) < layouts.width(narrowest))
                narrowest = layout;
        }
        return narrowest;
    }

    Search& search_;
    const ir::StreamGraph& graph_;
    const Surroundings& around_;
    const double bound_;
    double left_ = 0; ///< of the bound for the node at hand, by what the others need at least
    std::vector<MaybeConstants> constants_;
    std::vector<Resources> designs_; ///< known, of this graph
    Resources toCome_;               ///< at least, of each, from the nodes not met yet
    double fractionToCome_ = 0;      ///< at least, in sum
};

} // namespace

const Search::Implementations& Search::implementations(const ir::StreamGraph& graph,
                                                       LayoutId output, const Surroundings& around,
                                                       double bound) {
    const auto [entry, fresh] = known_.try_emplace({&graph, output, around, bound});
    if (fresh)
        entry->second =
            GraphSearch(*this, graph, std::get<Surroundings>(entry->first), bound).run(output);
    return entry->second;
}

bool Search::closes(const ir::StreamNode& scan, const Decision& decision) {
    const LayerShape& shape = decision.shape;
    if (shape.groups == 1)
        return true; // no state comes back
    const std::int64_t clocks = shape.spread * layouts_.time(decision.element);
    const auto [entry, fresh] =
        loops_.try_emplace({decision.function.get(), shape.lanes}, LoopLength());
    if (fresh) {
        const auto matched = matchScanned(circuitOf(*decision.function, layouts_), limits_.stop);
        entry->second = matched ? loopLength(*matched, shape.lanes, loopLimit(device_))
                                : LoopLength{0, std::numeric_limits<std::int64_t>::max()};
    }
    if (entry->second.ps == 0)
        return entry->second.clocks <= clocks;
    const LongLoop loop{entry->second, clocks, shape.lanes, scan.place};
    if (loop.length.clocks <= clocks)
        return true;
    const auto size = [](const LongLoop& l) {
        return std::pair(l.lanes, l.length.clocks - l.clocks);
    };
    if (!longLoop_ || size(loop) < size(*longLoop_))
        longLoop_ = loop;
    return false;
}

bool Search::stopped() const {
    return limits_.until().isReached();
}

} // namespace marquetry::spacetime
