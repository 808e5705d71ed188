#include "engine/egraph/explanation.h"

#include <algorithm>

namespace marquetry::egraph {

Result<RawProof> ExplanationBuilder::explain(const ChosenTerm& from, const ChosenTerm& to) {
    const LemmaId whole = wanted(from, to);
    std::vector<LemmaId> todo{whole};
    while (!todo.empty() && !failed_) {
        const LemmaId next = todo.back();
        if (lemmas_[next].done) {
            todo.pop_back();
        } else if (!lemmas_[next].expanded) {
            expand(next);
        } else {
            const std::size_t before = todo.size();
            for (const Item& item : lemmas_[next].items)
                if (item.isLemma && !lemmas_[item.index].done)
                    todo.push_back(item.index);
            if (todo.size() == before)
                assemble(next);
        }
    }
    if (failed_)
        return *failed_;
    Lemma& proved = lemmas_[whole];
    return RawProof{proved.start, proved.end, std::move(applications_), std::move(proved.steps),
                    lemmas_.size() - 1};
}

/// From the chosen term to the one its root was made for, over to the other root, and back down.
ExplanationBuilder::LemmaId ExplanationBuilder::wanted(const ChosenTerm& from,
                                                       const ChosenTerm& to) {
    Lemma whole;
    whole.start = bank_.termOf(egraph_, from);
    whole.end = bank_.termOf(egraph_, to);
    if (whole.start != whole.end) {
        std::vector<Replacement> down = choices(from);
        for (std::size_t k = down.size(); k-- > 0;)
            whole.items.push_back(lemmaItem(std::move(down[k].place), down[k].to, down[k].from));
        whole.items.push_back(lemmaItem({}, from.root(), to.root()));
        for (Replacement& r : choices(to))
            whole.items.push_back(lemmaItem(std::move(r.place), r.from, r.to));
    }
    whole.expanded = true;
    lemmas_.push_back(std::move(whole));
    return static_cast<LemmaId>(lemmas_.size() - 1);
}

/// What turns the term the root was made for into the chosen one, outer parts first.
std::vector<Replacement> ExplanationBuilder::choices(const ChosenTerm& term) {
    struct Part {
        std::size_t node;
        Place place;
    };
    std::vector<Replacement> replacements;
    std::vector<Part> todo{{term.nodes.size() - 1, {}}};
    while (!todo.empty()) {
        const Part part = std::move(todo.back());
        todo.pop_back();
        const ChosenTerm::Node& node = term.nodes[part.node];
        for (std::uint32_t k = 0; k < node.children.size(); ++k) {
            const ENodeId made{egraph_.originalChildren(node.enode)[k].value()};
            const ENodeId chosen = term.nodes[node.children[k]].enode;
            todo.push_back({node.children[k], part.place});
            todo.back().place.push_back(k);
            if (made != chosen)
                replacements.push_back({todo.back().place, made, chosen});
        }
        if (!budget_.spend(1)) {
            failOnBudget();
            break;
        }
    }
    return replacements;
}

// ---- lemmas -------------------------------------------------------------------------------------

ExplanationBuilder::LemmaId ExplanationBuilder::lemma(ENodeId a, ENodeId b) {
    const auto ends = std::minmax(a, b);
    const auto [entry, added] =
        lemmaOf_.try_emplace({ends.first, ends.second}, static_cast<LemmaId>(lemmas_.size()));
    if (added) {
        lemmas_.push_back({ends.first,
                           ends.second,
                           bank_.termOf(egraph_, ends.first),
                           bank_.termOf(egraph_, ends.second),
                           false,
                           false,
                           {},
                           {}});
        if (!budget_.spend(1))
            failOnBudget();
    }
    return entry->second;
}

/// A lemma that is nothing but another one further down is passed over: long chains of congruence
/// would otherwise repeat their steps once per level.
ExplanationBuilder::Item ExplanationBuilder::lemmaItem(Place place, ENodeId from, ENodeId to) {
    while (const auto edge = history_.edgeBetween(from, to)) {
        if (egraph_.unionLog()[edge->entry].origin.rule != kCongruence)
            break;
        const ChildSpan left = egraph_.originalChildren(from);
        const ChildSpan right = egraph_.originalChildren(to);
        const auto [leftAt, rightAt] = std::ranges::mismatch(left, right);
        if (leftAt == left.end() || !std::equal(leftAt + 1, left.end(), rightAt + 1, right.end()))
            break;
        place.push_back(static_cast<std::uint32_t>(leftAt - left.begin()));
        from = ENodeId{leftAt->value()};
        to = ENodeId{rightAt->value()};
    }
    return {std::move(place), true, lemma(from, to), from < to};
}

ExplanationBuilder::Item ExplanationBuilder::applicationItem(RuleApplication application) {
    applications_.push_back(std::move(application));
    return {{}, false, static_cast<std::uint32_t>(applications_.size() - 1), true};
}

void ExplanationBuilder::expand(LemmaId id) {
    const ENodeId from = lemmas_[id].from, to = lemmas_[id].to;
    std::vector<Item> items;
    if (lemmas_[id].start != lemmas_[id].end)
        for (const UnionHistory::Edge& edge : history_.path(from, to)) {
            const std::vector<Item>& rightwards = edgeItems(edge.entry);
            if (failed_)
                return;
            const std::size_t first = items.size();
            items.insert(items.end(), rightwards.begin(), rightwards.end());
            if (edge.from == egraph_.unionLog()[edge.entry].left)
                continue;
            std::reverse(items.begin() + static_cast<std::ptrdiff_t>(first), items.end());
            for (std::size_t k = first; k < items.size(); ++k)
                items[k].forward = !items[k].forward;
        }
    lemmas_[id].items = std::move(items);
    lemmas_[id].expanded = true;
}

/// Strings the parts together; a term that comes up again cuts the loop between.
void ExplanationBuilder::assemble(LemmaId id) {
    Lemma& lemma = lemmas_[id];
    ProofTermId now = lemma.start;
    std::unordered_map<ProofTermId, std::size_t> stepsTo{{now, 0}};
    const auto append = [&](std::uint32_t application, bool forward, Place place) {
        const RuleApplication& use = applications_[application];
        const ProofTermId after = bank_.replace(now, place, forward ? use.right : use.left);
        const auto known = stepsTo.find(after);
        if (known != stepsTo.end()) {
            while (lemma.steps.size() > known->second) {
                if (lemma.steps.back().after != after)
                    stepsTo.erase(lemma.steps.back().after);
                lemma.steps.pop_back();
            }
        } else {
            lemma.steps.push_back({application, forward, std::move(place), now, after});
            stepsTo.emplace(after, lemma.steps.size());
        }
        now = after;
    };
    for (const Item& item : lemma.items) {
        if (!item.isLemma) {
            append(item.index, item.forward, item.place);
        } else {
            const std::vector<RawStep>& inner = lemmas_[item.index].steps;
            for (std::size_t k = 0; k < inner.size(); ++k) {
                const RawStep& step = inner[item.forward ? k : inner.size() - 1 - k];
                Place place = item.place;
                place.insert(place.end(), step.place.begin(), step.place.end());
                append(step.application, step.forward == item.forward, std::move(place));
            }
        }
        if (lemma.steps.size() > maxSteps_)
            return fail("proof-limit",
                        "the proof has more than " + std::to_string(maxSteps_) + " steps",
                        "raise maxSteps");
        if (!budget_.spend(1))
            return failOnBudget();
    }
    ENGINE_ASSERT(now == lemma.end, "the steps lead to the other term");
    lemma.done = true;
}

// ---- edges --------------------------------------------------------------------------------------

const std::vector<ExplanationBuilder::Item>&
ExplanationBuilder::edgeItems(UnionHistory::Time entry) {
    const auto known = edgeItems_.find(entry);
    if (known != edgeItems_.end())
        return known->second;
    const UnionEntry& logged = egraph_.unionLog()[entry];
    std::vector<Item> items;
    if (logged.origin.rule == kCongruence)
        items = congruenceItems(logged);
    else if (logged.origin.rule == kGiven)
        items = {applicationItem({kGiven,
                                  {},
                                  {},
                                  bank_.termOf(egraph_, logged.left),
                                  bank_.termOf(egraph_, logged.right)})};
    else
        items = ruleItems(logged, entry);
    return edgeItems_.emplace(entry, std::move(items)).first->second;
}

std::vector<ExplanationBuilder::Item> ExplanationBuilder::congruenceItems(const UnionEntry& entry) {
    const ChildSpan left = egraph_.originalChildren(entry.left);
    const ChildSpan right = egraph_.originalChildren(entry.right);
    std::vector<Item> items;
    for (std::uint32_t k = 0; k < left.size(); ++k)
        if (left[k] != right[k])
            items.push_back(lemmaItem({k}, ENodeId{left[k].value()}, ENodeId{right[k].value()}));
    return items;
}

std::vector<ExplanationBuilder::Item> ExplanationBuilder::ruleItems(const UnionEntry& entry,
                                                                    UnionHistory::Time time) {
    std::vector<Item> items;
    auto edge = matchAgain(entry, time);
    if (failed_)
        return items;
    if (!edge) {
        const bool known = entry.origin.rule.index() < rules_.size();
        fail("proof-gap",
             (known ? "the rule '" + rules_[entry.origin.rule.index()].name + "'"
                    : "rule number " + std::to_string(entry.origin.rule.value())) +
                 " does not give again the equality it gave in iteration " +
                 std::to_string(entry.origin.iteration),
             known ? "its side condition or its right-hand side depends on more than the terms it "
                     "matches"
                   : "give the rules the e-graph was saturated with, in the same order");
        return items;
    }
    for (Replacement& r : edge->left)
        items.push_back(lemmaItem(std::move(r.place), r.from, r.to));
    items.push_back(applicationItem(std::move(edge->application)));
    for (std::size_t k = edge->right.size(); k-- > 0;) {
        Replacement& r = edge->right[k];
        items.push_back(lemmaItem(std::move(r.place), r.to, r.from));
    }
    return items;
}

// ---- failure ------------------------------------------------------------------------------------

void ExplanationBuilder::fail(std::string code, std::string message, std::string hint) {
    if (!failed_)
        failed_ = makeError(std::move(code), std::move(message), std::move(hint));
}

void ExplanationBuilder::failOnBudget() {
    if (budget_.stop.stop_requested())
        fail("cancelled", "the search for a proof was stopped");
    else
        fail("proof-limit",
             "more than " + std::to_string(budget_.used) + " e-nodes were tried for the proof",
             "raise maxCandidates");
}

} // namespace marquetry::egraph
