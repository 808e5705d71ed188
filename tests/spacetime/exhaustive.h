// An exhaustive scheduler of small programs: the oracle of the search.
//
// It knows nothing of normal forms, tables, bounds or dominance. A layout is a list of slots, one
// for each element; every value tries every layout in turn, every way its operator can be written,
// and the sum of all areas is compared at the end. A branch ends early only when its sum
// of fractions is above that of a complete program. Only the areas of single operators are taken
// from the code under test: they are its data, not its search.
#pragma once

#include "engine/ir/stream_program.h"
#include "engine/spacetime/area.h"

#include <map>
#include <set>

namespace marquetry::spacetime::exhaustive {

using Slot = std::pair<std::int64_t, std::int64_t>; ///< clock, lane
using Place = std::vector<Slot>;                    ///< by element

struct Layout {
    SeqType type; ///< one of those with these slots
    Place place;
};

/// A way to write one layer of n elements: g groups of l, every p clocks of q elements' times.
struct Shape {
    std::int64_t groups, lanes, period, spread;
};

inline Place placeOf(const SeqType& type) {
    if (type.is(SeqType::Kind::Atom))
        return {{0, 0}};
    const Place inner = placeOf(type.element());
    Place place;
    for (std::int64_t k = 0; k < type.length; ++k) {
        for (const auto& [clock, lane] : inner)
            place.push_back(type.is(SeqType::Kind::TSeq)
                                ? Slot{clock + k * clocks(type.element()), lane}
                                : Slot{clock, lane + k * lanes(type.element())});
    }
    return place;
}

inline SeqType written(const Shape& shape, const SeqType& element) {
    return tseq(shape.groups, shape.period - shape.groups,
                sseq(shape.lanes, tseq(1, shape.spread - 1, element)));
}

inline std::vector<Shape> shapes(std::int64_t n, std::int64_t time) {
    std::vector<Shape> all;
    for (std::int64_t groups = 1; groups <= n; ++groups) {
        for (std::int64_t period = groups; period <= time; ++period) {
            if (n % groups == 0 && time % period == 0)
                all.push_back({groups, n / groups, period, time / period});
        }
    }
    return all;
}

/// A sequence type's ways: shape, layout of the element, layout of the whole.
struct Way {
    Shape shape;
    SeqType element;
    SeqType whole;
};

inline std::vector<SeqType> types(const ir::StreamType& type, std::int64_t time);

inline std::vector<Way> ways(const ir::StreamType& type, std::int64_t time) {
    std::vector<Way> all;
    for (std::int64_t own = 1; own <= time; ++own) {
        if (time % own != 0)
            continue;
        for (const Shape& shape : shapes(type.length, own)) {
            for (const SeqType& element : types(type.element(), time / own))
                all.push_back({shape, element, written(shape, element)});
        }
    }
    return all;
}

/// One type for every set of slots.
inline std::vector<SeqType> types(const ir::StreamType& type, std::int64_t time) {
    std::vector<SeqType> all;
    if (ir::isAtom(type)) {
        if (time == 1)
            all.push_back(atomType(type));
        return all;
    }
    std::set<Place> seen;
    if (type.is(ir::StreamType::Kind::STuple)) {
        for (const SeqType& part : types(type.element(), time))
            all.push_back(stuple(type.length, part));
        return all;
    }
    for (const Way& way : ways(type, time)) {
        if (seen.insert(placeOf(way.whole)).second)
            all.push_back(way.whole);
    }
    return all;
}

inline bool same(const SeqType& a, const SeqType& b) {
    return clocks(a) == clocks(b) && lanes(a) == lanes(b) && placeOf(a) == placeOf(b);
}

using Area = device::Resources;
using Wanted = std::map<std::uint32_t, std::vector<SeqType>>;

struct Found {
    std::vector<SeqType> inputs;
    Area area;
};

class Exhaustive {
public:
    Exhaustive(const device::Device& device, std::int64_t limit) : device_(device), limit_(limit) {}

    /// Least (sum of fractions, largest fraction) of a program with a result of one of the types.
    std::pair<double, double> best(const ir::StreamGraph& graph,
                                   const std::vector<SeqType>& results) {
        best_ = {1e300, 1e300};
        top_ = &graph;
        for (const SeqType& type : results) {
            for (const Found& found : all(graph, type))
                best_ = std::min(best_, measure(found.area));
        }
        return best_;
    }

    /// False when the limit of states ended the enumeration.
    bool complete() const { return tried_ <= limit_; }

private:
    std::pair<double, double> measure(const Area& area) const {
        return {sumOfFractions(area, device_), largestFraction(area, device_)};
    }

    std::vector<Found> all(const ir::StreamGraph& graph, const SeqType& result) {
        std::vector<Found> found;
        Wanted wanted;
        wanted[graph.outputs[0].node.value()] = {result};
        extend(graph, graph.nodes.size(), std::move(wanted), {}, clocks(result), found);
        return found;
    }

    static bool isRegrouping(ir::StreamOp op) {
        return op == ir::StreamOp::Partition || op == ir::StreamOp::Unpartition ||
               op == ir::StreamOp::TupleToSeq || op == ir::StreamOp::SeqToTuple;
    }

    static void want(Wanted& wanted, ir::StreamNodeId id, const SeqType& type) {
        auto& types = wanted[id.value()];
        for (const SeqType& other : types) {
            if (same(other, type))
                return;
        }
        types.push_back(type);
    }

    /// Nodes `until` and on are done; goes through all ways to produce the one before.
    void extend(const ir::StreamGraph& graph, std::size_t until, Wanted wanted, const Area& area,
                std::int64_t time, std::vector<Found>& found) {
        if (++tried_ > limit_ || (&graph == top_ && measure(area).first > best_.first))
            return;
        while (until > 0 && !wanted.contains(static_cast<std::uint32_t>(until - 1)))
            --until;
        if (until == 0) {
            finish(graph, wanted, area, found);
            return;
        }
        const auto id = static_cast<std::uint32_t>(until - 1);
        const ir::StreamNode& node = graph.nodes[id];
        const std::vector<SeqType> here = wanted[id];
        if (node.op == ir::StreamOp::Input) {
            for (const SeqType& type : here) {
                Wanted next = wanted;
                next[id] = {type};
                extend(graph, until - 1, std::move(next), area + changes(type, here), time, found);
            }
            return;
        }
        wanted.erase(id);
        if (isRegrouping(node.op)) { // wires: what is wanted of the result is wanted of the operand
            for (const SeqType& type : here)
                want(wanted, node.operands[0], type);
            extend(graph, until - 1, std::move(wanted), area, time, found);
            return;
        }
        const auto go = [&](const SeqType& produced, const Area& own,
                            const std::vector<SeqType>& operands) {
            Wanted next = wanted;
            for (std::size_t k = 0; k < operands.size(); ++k)
                want(next, node.operands[k], operands[k]);
            extend(graph, until - 1, std::move(next), area + own + changes(produced, here), time,
                   found);
        };
        produce(graph, node, here, time, go);
    }

    void finish(const ir::StreamGraph& graph, const Wanted& wanted, const Area& area,
                std::vector<Found>& found) {
        Found result{{}, area};
        for (const ir::StreamNodeId input : graph.inputs) {
            if (!wanted.contains(input.value()))
                return; // the generator makes no such program
            result.inputs.push_back(wanted.at(input.value())[0]);
        }
        if (&graph == top_)
            best_ = std::min(best_, measure(area));
        found.push_back(std::move(result));
    }

    Area changes(const SeqType& from, const std::vector<SeqType>& to) const {
        Area sum;
        for (const SeqType& type : to) {
            if (!same(from, type))
                sum += reshapeArea(from, type, device_);
        }
        return sum;
    }

    template <class Go>
    void produce(const ir::StreamGraph& graph, const ir::StreamNode& node,
                 const std::vector<SeqType>& here, std::int64_t time, const Go& go) {
        using ir::StreamOp;
        switch (node.op) {
        case StreamOp::Const:
            return go(here[0], Area(), {});
        case StreamOp::Map:
        case StreamOp::Map2:
            for (const Way& way : ways(node.type, time)) {
                for (const Found& inner : all(*node.function, way.element)) {
                    std::vector<SeqType> operands;
                    for (const SeqType& input : inner.inputs)
                        operands.push_back(written(way.shape, input));
                    go(way.whole, static_cast<double>(way.shape.lanes) * inner.area, operands);
                }
            }
            return;
        case StreamOp::Scan:
            return scan(node, time, go);
        case StreamOp::Shift:
            for (const Way& way : ways(node.type, time))
                go(way.whole, shifted(way, node.params[0]), {way.whole});
            return;
        case StreamOp::Select:
        case StreamOp::Reduce:
            return toOne(graph, node, time, go);
        case StreamOp::Up:
            for (const Way& way : ways(node.type, time)) {
                Area own;
                if (way.shape.groups > 1) {
                    own = held(way.element);
                    own.lut += static_cast<double>(bitsPerClock(way.element));
                }
                go(way.whole, own, {tseq(1, way.shape.period * way.shape.spread - 1, way.element)});
            }
            return;
        case StreamOp::STuple:
            for (const SeqType& part : types(node.type.element(), time))
                go(stuple(2, part), Area(), {part, part});
            return;
        case StreamOp::Append:
            for (const SeqType& part : types(node.type.element(), time))
                go(stuple(node.type.length, part), Area(),
                   {stuple(node.type.length - 1, part), part});
            return;
        default:
            if (time == 1)
                scalar(graph, node, go);
        }
    }

    Area held(const SeqType& type) const {
        return storeArea(bitsPerClock(type), validClocks(type), device_);
    }

    /// Lane j of the result is lane (j − r) mod l, so many groups later.
    Area shifted(const Way& way, std::int64_t distance) const {
        if (way.shape.groups == 1)
            return {};
        std::map<std::int64_t, std::int64_t> lanesOfWait;
        for (std::int64_t lane = 0; lane < way.shape.lanes; ++lane) {
            std::int64_t wait = 0;
            while (lane - distance + wait * way.shape.lanes < 0)
                ++wait;
            ++lanesOfWait[wait];
        }
        Area sum;
        for (const auto& [wait, lanes] : lanesOfWait) {
            if (wait >= way.shape.groups)
                continue; // nothing of the sequence comes back
            sum += storeArea(lanes * bitsPerClock(way.element), wait * validClocks(way.element),
                             device_);
        }
        return sum;
    }

    template <class Go>
    void toOne(const ir::StreamGraph& graph, const ir::StreamNode& node, std::int64_t time,
               const Go& go) {
        const ir::StreamType& operand = graph.node(node.operands[0]).type;
        for (const Way& way : ways(operand, time)) {
            const std::int64_t own = way.shape.period * way.shape.spread;
            const SeqType whole = tseq(1, own - 1, way.element);
            if (node.op == ir::StreamOp::Select) {
                go(whole, Area(), {way.whole});
                continue;
            }
            for (const Found& inner : all(*node.function, way.element)) {
                if (!same(inner.inputs[0], way.element) || !same(inner.inputs[1], way.element))
                    continue;
                Area sum;
                if (way.shape.lanes > 1)
                    sum +=
                        static_cast<double>(way.shape.lanes - 1) * inner.area + held(way.element);
                if (way.shape.groups > 1)
                    sum += inner.area + held(way.element);
                go(whole, sum, {way.whole});
            }
        }
    }

    /// Where states come back, all operators between two of them fit into the time; the loops of
    /// the tests are far from its end.
    template <class Go>
    void scan(const ir::StreamNode& node, std::int64_t time, const Go& go) {
        for (const Way& way : ways(node.type, time)) {
            for (const Found& inner : all(*node.function, way.element)) {
                if (!same(inner.inputs[0], way.element))
                    continue;
                Area own = static_cast<double>(way.shape.lanes) * inner.area;
                if (way.shape.groups > 1)
                    own += held(way.element);
                go(way.whole, own, {written(way.shape, inner.inputs[1])});
            }
        }
    }

    template <class Go>
    void scalar(const ir::StreamGraph& graph, const ir::StreamNode& node, const Go& go) {
        std::vector<SeqType> operands;
        Graph one;
        Node atom{Op::Atom, {}, {}, node.op};
        atom.table = node.table;
        std::vector<MaybeConstants> known;
        for (const ir::StreamNodeId id : node.operands) {
            operands.push_back(atomType(graph.node(id).type));
            atom.operands.push_back(one.add({Op::Input, {}, {}, {}, operands.back()}));
            one.inputs.push_back(atom.operands.back());
            const bool constant = graph.node(id).op == ir::StreamOp::Const;
            known.push_back(constant ? MaybeConstants({1, 1, graph.node(id).literal})
                                     : std::nullopt);
        }
        one.output = one.add(std::move(atom));
        go(atomType(node.type), area(one, device_, 1, known), operands);
    }

    const device::Device& device_;
    const ir::StreamGraph* top_ = nullptr;
    std::pair<double, double> best_;
    std::int64_t limit_;
    std::int64_t tried_ = 0;
};

} // namespace marquetry::spacetime::exhaustive
