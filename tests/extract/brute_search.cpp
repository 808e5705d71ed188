// The pools the slow oracle tries.
#include "tests/extract/brute_force.h"

#include <algorithm>
#include <limits>

namespace marquetry::test {

using egraph::EClassId;
using egraph::ENodeId;
using rules::Skeleton;

/// `unit` or something it is made of without a loop or a pad.
bool BruteForce::isMadeOf(EClassId unit, EClassId part) const {
    if (unit == part)
        return true;
    return std::ranges::any_of(lowered_.egraph->enodes(unit), [&](ENodeId node) {
        const Skeleton s = *lowered_.terms.skeletonOf(lowered_.egraph->op(node));
        const bool inside = s == Skeleton::Conv || s == Skeleton::Mv || s == Skeleton::WindowConv ||
                            s == Skeleton::LaneDwConv || s == Skeleton::ParallelConv ||
                            s == Skeleton::MergePartialSum;
        return inside && isMadeOf(lowered_.egraph->find(lowered_.egraph->children(node)[0]), part);
    });
}

bool BruteForce::isNamed(EClassId eclass, design::PinKind kind) const {
    const std::string name = toString(*lowered_.facts->unitShape(*lowered_.egraph, eclass));
    return std::ranges::any_of(params_.pins, [&](const design::Pin& pin) {
        return pin.kind == kind && pin.target == name;
    });
}

bool BruteForce::mayShare(EClassId eclass) const {
    return std::ranges::none_of(lowered_.egraph->eclasses(), [&](EClassId id) {
        return lowered_.facts->unitShape(*lowered_.egraph, id) != nullptr &&
               isNamed(id, design::PinKind::NeverShare) && isMadeOf(id, eclass);
    });
}

bool BruteForce::accepted(std::size_t call, std::uint32_t pins) const {
    const std::string& layer = lowered_.plan.layers[lowered_.calls[call].layer].name;
    for (std::size_t k = 0; k < params_.pins.size(); ++k) {
        const design::Pin& pin = params_.pins[k];
        const bool has = (pins >> k & 1U) != 0;
        if (!pin.layer.empty() && pin.layer != layer)
            continue;
        if ((pin.kind == design::PinKind::ForceTerm && !has) ||
            (pin.kind == design::PinKind::ForbidTerm && has))
            return false;
    }
    return true;
}

/// A call or a body that goes through `above` into an outlined unit.
BruteForce::Piece BruteForce::use(const Piece& above, const Piece& body) const {
    Piece whole = body;
    whole.time = above.factor * (body.time + 5);
    whole.dsp = 0;
    whole.convs = above.convs;
    whole.pins |= above.pins;
    return whole;
}

std::vector<BruteForce::Entry> BruteForce::entries() const {
    std::vector<Entry> list;
    for (const auto& [eclass, pieces] : bodies_) {
        const ir::UnitShape& shape = *lowered_.facts->unitShape(*lowered_.egraph, eclass);
        int reach = 0;
        for (const rules::CallSite& call : lowered_.calls)
            reach += between_.at(lowered_.egraph->find(call.unit)).contains(eclass) ? 1 : 0;
        if (shape.function == ir::UnitFunction::Map || reach < 2 || !mayShare(eclass))
            continue;
        std::vector<Entry> units;
        for (const Piece& body : pieces)
            if (body.dsp <= params_.dspLimit)
                units.push_back(entryOf(eclass, {}, body));
        dropWorse(units);
        list.insert(list.end(), units.begin(), units.end());
    }
    return list;
}

/// Of units of one class those that another one replaces for every call, at no more cost.
void BruteForce::dropWorse(std::vector<Entry>& list) {
    const auto replaces = [](const Entry& a, const Entry& b) {
        bool all = a.body.dsp <= b.body.dsp && a.body.convs <= b.body.convs;
        for (std::size_t call = 0; call < a.via.size() && all; ++call)
            all = std::ranges::all_of(b.via[call], [&](const BrutePoint& point) {
                return std::ranges::any_of(a.via[call], [&](const BrutePoint& other) {
                    return other.time <= point.time && other.convs <= point.convs;
                });
            });
        return all;
    };
    std::vector<Entry> kept;
    for (Entry& entry : list) {
        if (std::ranges::any_of(kept, [&](const Entry& other) { return replaces(other, entry); }))
            continue;
        std::erase_if(kept, [&](const Entry& other) { return replaces(entry, other); });
        kept.push_back(std::move(entry));
    }
    list = std::move(kept);
}

BruteForce::Entry BruteForce::entryOf(EClassId eclass, EClassId base, const Piece& body) const {
    Entry entry{eclass, base, body, {}};
    for (std::size_t call = 0; call < lowered_.calls.size(); ++call) {
        const EClassId root = lowered_.egraph->find(lowered_.calls[call].unit);
        std::vector<BrutePoint> points;
        if (const auto found = between_.at(root).find(eclass); found != between_.at(root).end())
            for (const Piece& above : found->second) {
                if (above.parallel * above.pixelParallel > 1 || above.neverBuilt)
                    continue; // calls of one unit never overlap
                const Piece whole = use(above, body);
                if (accepted(call, whole.pins) && serves(call, whole))
                    points.push_back({callTime(call, whole), 0, above.convs});
            }
        entry.via.push_back(undominated(std::move(points)));
    }
    return entry;
}

std::vector<BrutePoint> BruteForce::privateOptions(std::size_t call) const {
    std::vector<BrutePoint> points;
    for (const Piece& body : bodies_.at(lowered_.egraph->find(lowered_.calls[call].unit)))
        if (accepted(call, body.pins) && serves(call, body) && body.dsp <= params_.dspLimit)
            points.push_back({callTime(call, body), body.dsp, body.convs});
    return undominated(std::move(points));
}

/// Every way to serve the calls from `call` on, but those that the fastest choice of every call
/// left cannot make the best.
void BruteForce::serve(Attempt& attempt, std::size_t call, const BrutePoint& sum) const {
    const Pool& pool = *attempt.pool;
    if (!fits(sum) || (*attempt.best && sum.time + attempt.rest[call] >= **attempt.best))
        return;
    if (call == lowered_.calls.size()) {
        for (std::size_t e = 0; e < pool.size(); ++e)
            if (isNamed(pool[e]->eclass, design::PinKind::Share) && attempt.uses[e] < 2)
                return;
        *attempt.best = sum.time;
        return;
    }
    const auto add = [&](const BrutePoint& option) {
        serve(attempt, call + 1,
              {sum.time + option.time, sum.dsp + option.dsp, sum.convs + option.convs});
    };
    std::ranges::for_each(private_[call], add);
    for (std::size_t e = 0; e < pool.size(); ++e) {
        ++attempt.uses[e];
        std::ranges::for_each(pool[e]->via[call], add);
        --attempt.uses[e];
    }
}

/// Times of the fastest choices from each call on.
std::vector<double> BruteForce::restTimes(const Pool& pool) const {
    std::vector<double> rest(lowered_.calls.size() + 1, 0);
    for (std::size_t call = lowered_.calls.size(); call-- > 0;) {
        double least = std::numeric_limits<double>::infinity();
        if (!private_[call].empty())
            least = private_[call].front().time;
        for (const Entry* entry : pool)
            if (!entry->via[call].empty())
                least = std::min(least, entry->via[call].front().time);
        rest[call] = rest[call + 1] + least;
    }
    return rest;
}

bool BruteForce::fits(const BrutePoint& sum) const {
    return sum.dsp <= params_.dspLimit &&
           (params_.model != design::CostModel::Published || sum.convs <= 1);
}

void BruteForce::tryPool(const Pool& pool, std::optional<double>& best) const {
    BrutePoint fixed;
    for (const Entry* entry : pool) {
        fixed.dsp += entry->base.valid() ? 0 : entry->body.dsp;
        fixed.convs += entry->body.convs;
    }
    for (const design::Pin& pin : params_.pins)
        if (pin.kind == design::PinKind::Share &&
            std::ranges::none_of(pool, [&](const Entry* entry) {
                return toString(*lowered_.facts->unitShape(*lowered_.egraph, entry->eclass)) ==
                       pin.target;
            }))
            return;
    Attempt attempt{&pool, restTimes(pool), std::vector<int>(pool.size(), 0), &best};
    if (attempt.rest.front() < std::numeric_limits<double>::infinity())
        serve(attempt, 0, fixed);
}

/// Units whose body calls `base`.
std::vector<BruteForce::Entry> BruteForce::nestedOn(const Entry& base) const {
    std::vector<Entry> list;
    for (const auto& [eclass, below] : between_) {
        const auto found = below.find(base.eclass);
        if (eclass == base.eclass || found == below.end() || !mayShare(eclass))
            continue;
        Pieces nested;
        for (const Piece& above : found->second)
            if (above.parallel * above.pixelParallel == 1 && !above.neverBuilt)
                nested.push_back(use(above, base.body));
        for (const Piece& body : kept(nested, true))
            list.push_back(entryOf(eclass, base.eclass, body));
    }
    return list;
}

/// Adds to the pool one or two units that call one of its units. A second one, or one beside two
/// units, pays only where a pin asks for it or convolutions count.
void BruteForce::nest(const Pool& pool, std::optional<double>& best) const {
    const std::size_t plain =
        std::ranges::count_if(pool, [](const Entry* entry) { return !entry->base.valid(); });
    if (pool.size() - plain == 2)
        return;
    for (std::size_t k = 0; k < plain; ++k)
        for (const Entry& nested : nested_.at(pool[k])) {
            const bool known = std::ranges::any_of(
                pool, [&](const Entry* entry) { return entry->eclass == nested.eclass; });
            const bool counts = isNamed(nested.eclass, design::PinKind::Share) ||
                                (params_.model == design::CostModel::Published &&
                                 nested.body.convs > 0 && !params_.pins.empty());
            if (known || (pool.size() > 1 && !counts))
                continue;
            Pool larger = pool;
            larger.push_back(&nested);
            tryPool(larger, best);
            if (!params_.pins.empty())
                nest(larger, best);
        }
}

std::optional<double> BruteForce::leastTime() {
    for (std::size_t call = 0; call < lowered_.calls.size(); ++call)
        private_.push_back(privateOptions(call));
    std::optional<double> best;
    tryPool({}, best);
    if (!params_.sharing)
        return best;
    const std::vector<Entry> all = entries();
    for (const Entry& entry : all)
        nested_.emplace(&entry, nestedOn(entry));
    // A unit that a pin asks for has one body, and so have those of the published costs.
    const bool several = !published() && std::ranges::none_of(params_.pins, [](const auto& pin) {
        return pin.kind == design::PinKind::Share;
    });
    for (std::size_t a = 0; a < all.size(); ++a) {
        tryPool({&all[a]}, best);
        nest({&all[a]}, best);
        for (std::size_t b = a + 1; b < all.size(); ++b)
            if (several || all[b].eclass != all[a].eclass) {
                tryPool({&all[a], &all[b]}, best);
                if (!params_.pins.empty())
                    nest({&all[a], &all[b]}, best);
            }
    }
    return best;
}

} // namespace marquetry::test
