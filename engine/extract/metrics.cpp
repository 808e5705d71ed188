#include "engine/extract/metrics.h"

#include "engine/extract/bounds.h"
#include "engine/extract/toy_front.h"
#include "engine/rules/lowering.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace marquetry::extract {

namespace {

double log10Of(const BigInt& value) {
    if (value <= 0)
        return 0;
    const std::size_t bits = msb(value);
    const std::size_t drop = bits > 60 ? bits - 60 : 0;
    return std::log10(static_cast<double>(static_cast<std::uint64_t>(value >> drop))) +
           static_cast<double>(drop) * std::log10(2.0);
}

/// A sampled design under either cost.
struct Sampled {
    UnitSet units;
    MetricPoint point;
    bool buildable = true;
};

class Sampler {
public:
    Sampler(const rules::Lowered& lowered, const UnitGraph& graph, const MeasureParams& params)
        : graph_(graph), params_(params), calls_(callInfos(lowered, params.frames)) {
        if (!params.model)
            return;
        cost_ =
            makeTermCost(*params.model, params.device, lowered.menu, writeBacksOf(lowered, calls_));
        if (*params.model == design::CostModel::Cycles)
            transfer_ = static_cast<double>(transferCycles(lowered, params.frames));
    }

    Sampled design(const std::vector<std::vector<ParentEdge>>& chains) const {
        Sampled sampled;
        for (const auto& chain : chains)
            sampled.units = withUse(std::move(sampled.units), unitUse(graph_, chain));
        if (cost_)
            price(sampled, chains);
        else
            priceToy(sampled, chains);
        return sampled;
    }

private:
    void priceToy(Sampled& sampled, const std::vector<std::vector<ParentEdge>>& chains) const {
        sampled.point.area = toyArea(graph_, sampled.units);
        for (const auto& chain : chains) {
            const ToyChain priced = toyChain(graph_, chain);
            sampled.point.area += priced.control;
            sampled.point.latency += priced.latency;
        }
    }

    /// A leaf is paid for the call that takes most of it.
    void price(Sampled& sampled, const std::vector<std::vector<ParentEdge>>& chains) const {
        std::map<std::pair<int, int>, double> dsp;
        sampled.point.latency = transfer_;
        for (std::size_t c = 0; c < chains.size(); ++c) {
            const auto term = fold(chains[c]);
            if (!term) {
                sampled.buildable = false;
                return;
            }
            const PathCost cost =
                plainForm(*term, graph_.classes[static_cast<std::size_t>(graph_.roots[c])].shape);
            double& paid = dsp[{chains[c].back().eclass, chains[c].back().node}];
            paid = std::max(paid, cost.dsp);
            sampled.point.latency += cost_->callTime(calls_[c], cost);
        }
        for (const auto& [leaf, blocks] : dsp)
            sampled.point.area += blocks;
        sampled.buildable = sampled.point.area <= params_.dspLimit;
    }

    /// Of one stored word at once, with the most lanes that write.
    PathCost plainForm(const PathCost& term, const ir::UnitShape& shape) const {
        PathCost plain;
        for (const PathCost& form : cost_->forms(term, shape))
            if (form.span == 1)
                plain = form;
        return plain;
    }

    std::optional<PathCost> fold(const std::vector<ParentEdge>& chain) const {
        const auto shape = [&](const ParentEdge& edge) {
            return graph_.classes[static_cast<std::size_t>(edge.eclass)].shape;
        };
        std::optional<PathCost> cost = cost_->leaf(graph_.node(chain.back()), shape(chain.back()));
        for (std::size_t k = chain.size() - 1; k-- > 0 && cost;)
            cost = cost_->wrap(graph_.node(chain[k]), shape(chain[k]), *cost);
        return cost;
    }

    const UnitGraph& graph_;
    const MeasureParams& params_;
    std::vector<CallInfo> calls_;
    std::unique_ptr<TermCost> cost_;
    double transfer_ = 0;
};

bool near(const MetricPoint& point, const std::vector<MetricPoint>& front, double epsilon) {
    return std::ranges::any_of(front, [&](const MetricPoint& best) {
        return point.area <= (1 + epsilon) * best.area &&
               point.latency <= (1 + epsilon) * best.latency;
    });
}

class Measurement {
public:
    Measurement(const rules::Lowered& lowered, const MeasureParams& params, std::stop_token stop)
        : lowered_(lowered),
          params_(params),
          stop_(std::move(stop)),
          graph_(buildUnitGraph(lowered)),
          normal_(buildChains(graph_, Forms::Normal)) {}

    Metrics run() {
        metrics_.unitEclasses = graph_.classes.size();
        for (const UnitClass& eclass : graph_.classes)
            metrics_.unitEnodes += eclass.nodes.size();
        const auto terms = countTerms(lowered_, stop_);
        const ChainCounts counts(normal_, stop_);
        if (!terms || !counts.complete())
            return std::move(metrics_);
        metrics_.terms = *terms;
        metrics_.normalForms = counts.program().str();
        findFront();
        drawSamples(counts);
        countSets();
        metrics_.complete = !stop_.stop_requested();
        return std::move(metrics_);
    }

private:
    void findFront() {
        if (params_.model) {
            metrics_.front = undominated(params_.front);
        } else {
            ToyFront found =
                toyFront(graph_, buildChains(graph_, Forms::All), params_.maxSets, stop_);
            metrics_.front = std::move(found.points);
            metrics_.frontExact = found.exact;
        }
        metrics_.hypervolume = hypervolume(metrics_.front);
    }

    void drawSamples(const ChainCounts& counts) {
        if (normal_.roots.empty())
            return;
        const Sampler sampler(lowered_, graph_, params_);
        SplitMix64 rng(params_.seed);
        std::size_t good = 0;
        for (; metrics_.samples < params_.samples && !stop_.stop_requested(); ++metrics_.samples) {
            std::vector<std::vector<ParentEdge>> chains;
            for (int root : normal_.roots)
                chains.push_back(counts.sample(root, rng));
            const Sampled sampled = sampler.design(chains);
            ++seen_[sampled.units];
            if (sampled.buildable && near(sampled.point, metrics_.front, params_.epsilon))
                ++good;
        }
        if (metrics_.samples > 0)
            metrics_.density = static_cast<double>(good) / static_cast<double>(metrics_.samples);
    }

    void countSets() {
        std::map<int, std::vector<UnitUse>> known;
        std::vector<std::vector<UnitUse>> uses;
        for (int root : normal_.roots) {
            auto [entry, added] = known.try_emplace(root);
            if (added)
                entry->second = unitUses(graph_, normal_, root, stop_);
            uses.push_back(entry->second);
        }
        if (const auto sets = unitSets(uses, params_.maxSets, stop_)) {
            metrics_.unitSets = static_cast<double>(sets->size());
            return;
        }
        metrics_.unitSetsExact = false;
        std::vector<std::size_t> often;
        for (const auto& [set, times] : seen_)
            often.push_back(times);
        // The estimate is a lower bound, and more than maxSets were listed.
        metrics_.unitSets = std::max(chao1(often), static_cast<double>(params_.maxSets));
    }

    const rules::Lowered& lowered_;
    const MeasureParams& params_;
    std::stop_token stop_;
    UnitGraph graph_;
    ChainGraph normal_;
    std::map<UnitSet, std::size_t> seen_;
    Metrics metrics_;
};

} // namespace

std::optional<TermCount> countTerms(const rules::Lowered& lowered, std::stop_token stop) {
    const UnitGraph graph = buildUnitGraph(lowered);
    const ChainGraph chains = buildChains(graph, Forms::All);
    const ChainCounts counts(chains, std::move(stop));
    if (!counts.complete())
        return std::nullopt;
    const BigInt terms = counts.program();
    return TermCount{terms.str(), log10Of(terms), chains.maxHeight, chains.cyclic};
}

Metrics measure(const rules::Lowered& lowered, const MeasureParams& params, std::stop_token stop) {
    return Measurement(lowered, params, std::move(stop)).run();
}

std::vector<MetricPoint> undominated(std::vector<MetricPoint> points) {
    std::ranges::sort(points);
    std::vector<MetricPoint> kept;
    for (const MetricPoint& point : points)
        if (kept.empty() || point.latency < kept.back().latency)
            kept.push_back(point);
    return kept;
}

double hypervolume(const std::vector<MetricPoint>& front) {
    if (front.empty())
        return 0;
    const auto scale = [](double value) { return std::log(std::max(value, 1.0)); };
    const double margin = std::log(1.1);
    const double right = scale(front.back().area) + margin;
    double top = scale(front.front().latency) + margin;
    double volume = 0;
    for (const MetricPoint& point : front) {
        volume += (right - scale(point.area)) * (top - scale(point.latency));
        top = scale(point.latency);
    }
    return volume;
}

double chao1(const std::vector<std::size_t>& seen) {
    const auto times = [&](std::size_t n) {
        return static_cast<double>(std::ranges::count(seen, n));
    };
    const double once = times(1);
    const double twice = times(2);
    const double unseen = twice > 0 ? once * once / (2 * twice) : once * (once - 1) / 2;
    return static_cast<double>(seen.size()) + unseen;
}

} // namespace marquetry::extract
