#include "tests/oracles/invariants.h"

#include <algorithm>
#include <map>

namespace marquetry::egraph {

namespace {

using Key = std::tuple<OpId, std::vector<Param>, std::vector<EClassId>>;

Key canonicalKey(const EGraph& g, ENodeId n) {
    const ParamSpan params = g.params(n);
    Key key{g.op(n), {params.begin(), params.end()}, {}};
    for (EClassId child : g.children(n))
        std::get<2>(key).push_back(g.find(child));
    return key;
}

std::string name(ENodeId n) {
    return "e-node " + std::to_string(n.value());
}

std::string name(EClassId c) {
    return "e-class " + std::to_string(c.value());
}

class InvariantChecker {
public:
    explicit InvariantChecker(const EGraph& g) : g_(g) {}

    std::vector<std::string> run() {
        require(g_.clean(), "the e-graph is not rebuilt");
        if (!faults_.empty())
            return faults_;
        checkNodes();
        checkClassLists();
        checkParents();
        checkOperatorIndex();
        checkUnionLog();
        if (g_.analysis())
            checkFacts();
        return faults_;
    }

private:
    void require(bool condition, const std::string& fault) {
        if (!condition)
            faults_.push_back(fault);
    }

    ENodeId end() const { return ENodeId{g_.totalEnodes()}; }
    static ENodeId next(ENodeId n) { return ENodeId{n.value() + 1}; }

    void checkNodes() {
        std::map<Key, ENodeId> seen;
        std::size_t live = 0;
        for (ENodeId n{0}; n < end(); n = next(n)) {
            if (!g_.live(n))
                continue;
            ++live;
            const Key key = canonicalKey(g_, n);
            require(std::ranges::equal(std::get<2>(key), g_.children(n)),
                    name(n) + " has a child that is not canonical");
            const auto [twin, fresh] = seen.emplace(key, n);
            require(fresh, name(n) + " is congruent to live " + name(twin->second));
            require(g_.lookupNode(g_.op(n), g_.params(n), g_.children(n)) == n,
                    name(n) + " is not found by the hash-cons");
            checkSorts(n);
            checkTerm(n);
        }
        require(live == g_.enodeCount(), "the count of live e-nodes is wrong");
        for (ENodeId n{0}; n < end(); n = next(n)) {
            if (g_.live(n))
                continue;
            const auto twin = seen.find(canonicalKey(g_, n));
            require(twin != seen.end() && twin->second < n &&
                        g_.eclassOf(twin->second) == g_.eclassOf(n),
                    "subsumed " + name(n) + " has no older live twin in its class");
        }
    }

    void checkSorts(ENodeId n) {
        const Language& language = g_.language();
        require(language.result(g_.op(n)) == g_.sort(g_.eclassOf(n)),
                name(n) + " is not of its class's sort");
        const ChildSpan children = g_.children(n);
        for (std::size_t i = 0; i < children.size(); ++i)
            require(g_.sort(children[i]) == language.childSort(g_.op(n), i),
                    name(n) + " has a child of a wrong sort");
    }

    void checkTerm(ENodeId n) {
        const ChildSpan now = g_.children(n), then = g_.originalChildren(n);
        bool equal = now.size() == then.size();
        for (std::size_t i = 0; equal && i < now.size(); ++i)
            equal = then[i].value() < n.value() && g_.find(then[i]) == now[i];
        require(equal, name(n) + " does not equal the term it was made for");
    }

    void checkClassLists() {
        const auto classes = g_.eclasses();
        require(classes.size() == g_.eclassCount(), "the count of e-classes is wrong");
        require(std::ranges::is_sorted(classes), "e-class ids do not increase");
        std::size_t listed = 0;
        for (EClassId id : classes) {
            const auto members = g_.enodes(id);
            listed += members.size();
            require(!members.empty(), name(id) + " is empty");
            require(std::ranges::adjacent_find(members, std::greater_equal<>{}) == members.end(),
                    name(id) + " does not list its e-nodes in insertion order");
            for (ENodeId n : members)
                require(g_.live(n) && g_.eclassOf(n) == id,
                        name(n) + " is listed in the wrong e-class");
        }
        require(listed == g_.enodeCount(), "class lists and live e-nodes differ");
        for (ENodeId n{0}; n < end(); n = next(n))
            require(g_.eclassOf(n).value() <= n.value(), name(n) + " has a class younger than it");
    }

    void checkParents() {
        std::map<EClassId, std::vector<ENodeId>> expected;
        for (ENodeId n{0}; n < end(); n = next(n))
            for (EClassId child : g_.live(n) ? g_.children(n) : ChildSpan{})
                if (auto& users = expected[child]; users.empty() || users.back() != n)
                    users.push_back(n);
        for (EClassId id : g_.eclasses())
            require(std::ranges::equal(g_.parents(id), expected[id]),
                    "the parents of " + name(id) + " are wrong");
    }

    void checkOperatorIndex() {
        std::vector<std::vector<ENodeId>> expected(g_.language().opCount());
        for (ENodeId n{0}; n < end(); n = next(n))
            if (g_.live(n))
                expected[g_.op(n).index()].push_back(n);
        for (std::size_t i = 0; i < expected.size(); ++i)
            require(std::ranges::equal(g_.nodesWithOp(OpId{i}), expected[i]),
                    "the index of operator " + g_.language().name(OpId{i}) + " is wrong");
    }

    void checkUnionLog() {
        require(g_.unionCount() + g_.eclassCount() == g_.totalEnodes(),
                "unions, e-classes and e-nodes do not add up");
        for (const UnionEntry& entry : g_.unionLog())
            require(entry.left != entry.right &&
                        g_.eclassOf(entry.left) == g_.eclassOf(entry.right),
                    "a logged union of " + name(entry.right) + " does not hold");
    }

    void checkFacts() {
        std::vector<FactId> facts;
        for (ENodeId n{0}; n < end(); n = next(n)) {
            if (!g_.live(n) || g_.hasConflict(g_.eclassOf(n)))
                continue;
            facts.clear();
            for (EClassId child : g_.children(n))
                facts.push_back(g_.fact(child));
            const FactId made = g_.analysis()->make(g_, g_.op(n), g_.params(n), facts);
            const FactId held = g_.fact(g_.eclassOf(n));
            require(made == held || g_.analysis()->merge(held, made) == held,
                    "the fact of the class of " + name(n) + " does not include it");
        }
    }

    const EGraph& g_;
    std::vector<std::string> faults_;
};

} // namespace

std::vector<std::string> checkInvariants(const EGraph& egraph) {
    return InvariantChecker(egraph).run();
}

} // namespace marquetry::egraph
