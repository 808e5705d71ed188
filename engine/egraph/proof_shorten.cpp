#include "engine/egraph/proof_shorten.h"

#include <algorithm>
#include <queue>
#include <unordered_set>

namespace marquetry::egraph {

namespace {

/// Places of one term where rules are tried, nearest the root first.
constexpr std::size_t kPlacesPerTerm = 256;
/// A backward step that invents a part says little: 0 = x · 0, or a rule that looks at the shape of
/// a part only, with which any two parts of one shape are two steps apart. It counts as this many.
constexpr std::size_t kInventionCost = 8;
/// Parts of a right-hand side looked through for what a variable stands for.
constexpr std::size_t kPartsSearched = 64;

class Shortener {
public:
    Shortener(RawProof& proof, TermBank& bank, std::span<const Rewrite> rules, std::size_t budget,
              std::stop_token stop)
        : proof_(proof), bank_(bank), rules_(rules), budget_(budget), stop_(std::move(stop)) {
        for (const RawStep& step : proof.steps)
            addStep(step);
        for (std::size_t i = 0; i < rules.size(); ++i) {
            const PatternNode& root = rules[i].lhs.root();
            (root.isVar ? anywhere_ : byOp_[root.op]).push_back(RuleId{i});
        }
    }

    void run(ProofTermId start, ProofTermId end) {
        // First around the proof itself; when that no longer helps, around all terms seen so far.
        bool around = true;
        while (!stopped()) {
            std::vector<ProofTermId> terms{start};
            for (const RawStep& step : around ? proof_.steps : steps_)
                terms.push_back(step.after);
            const std::size_t before = expanded_.size();
            for (ProofTermId term : terms)
                expand(term);
            if (!around && expanded_.size() == before)
                return;
            auto way = cheapestWay(start, end);
            around = costOf(way) < costOf(proof_.steps);
            if (around)
                proof_.steps = std::move(way);
        }
    }

private:
    struct Visit {
        ProofTermId term;
        std::size_t from = 0; ///< visit
        std::size_t step = 0;
        std::size_t cost = 0;
    };

    bool stopped() const { return budget_ == 0 || stop_.stop_requested(); }

    void spend() { budget_ -= budget_ > 0; }

    void addStep(RawStep step) {
        const std::size_t index = steps_.size();
        stepsAt_[step.before].push_back(index);
        stepsAt_[step.after].push_back(index);
        steps_.push_back(std::move(step));
    }

    /// All single steps that lead forwards from a term.
    void expand(ProofTermId term) {
        if (stopped() || !expanded_.insert(term).second)
            return;
        struct Part {
            ProofTermId term;
            Place place;
        };
        std::vector<Part> parts{{term, {}}};
        for (std::size_t i = 0; i < parts.size() && !stopped(); ++i) {
            spend();
            for (const RuleId rule : anywhere_)
                tryRule(rule, term, parts[i].term, parts[i].place);
            if (const auto found = byOp_.find(bank_.op(parts[i].term)); found != byOp_.end())
                for (const RuleId rule : found->second)
                    tryRule(rule, term, parts[i].term, parts[i].place);
            for (std::uint32_t k = 0;
                 k < bank_.arity(parts[i].term) && parts.size() < kPlacesPerTerm; ++k) {
                Place place = parts[i].place;
                place.push_back(k);
                parts.push_back({bank_.child(parts[i].term, k), std::move(place)});
            }
        }
    }

    void tryRule(RuleId id, ProofTermId whole, ProofTermId part, const Place& place) {
        const Rewrite& rule = rules_[id.index()];
        if (!rule.also.empty())
            return; // the left-hand side alone does not say what the right-hand side is
        const auto match = bank_.match(id, rule, part);
        if (!match)
            return;
        for (RuleApplication& result : bank_.apply(rule, *match)) {
            if (result.right == part || stopped())
                continue;
            spend();
            const ProofTermId after = bank_.replace(whole, place, result.right);
            proof_.applications.push_back(std::move(result));
            const auto index = static_cast<std::uint32_t>(proof_.applications.size() - 1);
            addStep({index, true, place, whole, after});
        }
    }

    std::size_t costOf(std::span<const RawStep> steps) {
        std::size_t cost = 0;
        for (const RawStep& step : steps)
            cost += costOf(step.application, step.forward);
        return cost;
    }

    std::size_t costOf(std::uint32_t application, bool forward) {
        for (std::size_t next = keeps_.size(); next <= application; ++next)
            keeps_.push_back(keepsItsParts(proof_.applications[next]));
        return forward || keeps_[application] ? 1 : kInventionCost;
    }

    /// Whether the right-hand side holds everything the variables stand for.
    bool keepsItsParts(const RuleApplication& use) const {
        std::vector<ProofTermId> parts{use.right};
        for (std::size_t i = 0; i < parts.size() && parts.size() < kPartsSearched; ++i)
            for (std::size_t k = 0; k < bank_.arity(parts[i]); ++k)
                parts.push_back(bank_.child(parts[i], k));
        return std::ranges::all_of(use.classes, [&](ProofTermId part) {
            return !part.valid() || std::ranges::find(parts, part) != parts.end();
        });
    }

    /// Dijkstra over all known steps, both ways; among equals the one found first.
    std::vector<RawStep> cheapestWay(ProofTermId start, ProofTermId end) {
        std::vector<Visit> visits{{start, 0, 0, 0}};
        using Entry = std::pair<std::size_t, std::size_t>; // cost, visit
        std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
        open.push({0, 0});
        std::unordered_set<ProofTermId> done;
        while (!open.empty()) {
            const std::size_t at = open.top().second;
            open.pop();
            const Visit visit = visits[at];
            if (visit.term == end)
                return wayTo(visits, at);
            if (!done.insert(visit.term).second)
                continue;
            for (const std::size_t s : stepsAt_.at(visit.term)) {
                const RawStep& step = steps_[s];
                const bool along = step.before == visit.term;
                const ProofTermId next = along ? step.after : step.before;
                const bool forward = along == step.forward;
                if (done.contains(next))
                    continue;
                visits.push_back({next, at, s, visit.cost + costOf(step.application, forward)});
                open.push({visits.back().cost, visits.size() - 1});
            }
        }
        return {proof_.steps};
    }

    std::vector<RawStep> wayTo(const std::vector<Visit>& visits, std::size_t last) const {
        std::vector<RawStep> way;
        for (std::size_t i = last; i != 0; i = visits[i].from) {
            RawStep step = steps_[visits[i].step];
            if (step.after != visits[i].term) {
                std::swap(step.before, step.after);
                step.forward = !step.forward;
            }
            way.push_back(std::move(step));
        }
        std::ranges::reverse(way);
        return way;
    }

    RawProof& proof_;
    TermBank& bank_;
    std::span<const Rewrite> rules_;
    std::size_t budget_;
    std::stop_token stop_;
    std::vector<RuleId> anywhere_; ///< rules whose left-hand side is a bare variable
    std::unordered_map<OpId, std::vector<RuleId>> byOp_;
    std::vector<RawStep> steps_;
    std::unordered_map<ProofTermId, std::vector<std::size_t>> stepsAt_;
    std::unordered_set<ProofTermId> expanded_;
    std::vector<bool> keeps_; ///< by application, as far as asked for
};

} // namespace

void shorten(RawProof& proof, TermBank& bank, std::span<const Rewrite> rules, std::size_t budget,
             std::stop_token stop) {
    if (proof.steps.size() > 1)
        Shortener(proof, bank, rules, budget, std::move(stop)).run(proof.start, proof.end);
}

} // namespace marquetry::egraph
