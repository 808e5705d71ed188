#include "engine/spacetime/layout_table.h"

#include "engine/spacetime/area.h"
#include "engine/support/hash.h"

#include <algorithm>

namespace marquetry::spacetime {

using Kind = SeqType::Kind;

namespace {

std::uint64_t hashOf(const ir::StreamType& type) {
    std::uint64_t hash =
        combine(static_cast<std::uint64_t>(type.kind), static_cast<std::uint64_t>(type.scalar));
    for (const ir::StreamType& part : type.parts)
        hash = combine(hash, hashOf(part));
    return hash;
}

} // namespace

std::size_t LayoutTable::Hash::operator()(const SeqType& type) const {
    if (type.is(Kind::Atom))
        return hashOf(type.atom);
    std::uint64_t hash = combine(static_cast<std::uint64_t>(type.kind), (*this)(type.element()));
    hash = combine(hash, static_cast<std::uint64_t>(type.length));
    return combine(hash, static_cast<std::uint64_t>(type.idle));
}

std::size_t LayoutTable::LayeredHash::operator()(const Layered& layered) const {
    const auto& [groups, period, lanes, spread, element] = layered;
    std::uint64_t hash = element.value();
    for (const std::int64_t part : {groups, period, lanes, spread})
        hash = combine(hash, static_cast<std::uint64_t>(part));
    return hash;
}

LayoutId LayoutTable::intern(const SeqType& type) {
    SeqType normal = normalize(type);
    const auto [entry, fresh] = ids_.try_emplace(normal, LayoutId(types_.size()));
    if (fresh) {
        times_.push_back(clocks(normal));
        widths_.push_back(lanes(normal));
        types_.push_back(std::move(normal));
    }
    return entry->second;
}

LayoutId LayoutTable::around(const LayerShape& shape, LayoutId element) {
    const auto [entry, fresh] =
        around_.try_emplace({shape.groups, shape.period, shape.lanes, shape.spread, element});
    if (fresh)
        entry->second = intern(spacetime::around(shape, type(element)));
    return entry->second;
}

const std::vector<LayoutId>& LayoutTable::layouts(const ir::StreamType& type, std::int64_t time,
                                                  std::int64_t maxLanes) {
    const Key key{type, time, maxLanes};
    if (const auto known = layouts_.find(key); known != layouts_.end())
        return known->second;
    std::vector<LayoutId> found;
    if (ir::isAtom(type)) {
        if (time == 1)
            found.push_back(intern(atomType(type)));
    } else if (type.is(ir::StreamType::Kind::STuple)) {
        for (const LayoutId part : layouts(type.element(), time, maxLanes / type.length))
            found.push_back(intern(stuple(type.length, this->type(part))));
    } else {
        for (const LayeredLayout& way : layered(type, time, maxLanes))
            found.push_back(way.whole);
    }
    std::ranges::sort(found);
    const auto repeated = std::ranges::unique(found);
    found.erase(repeated.begin(), repeated.end());
    return layouts_.emplace(key, std::move(found)).first->second;
}

const std::vector<LayeredLayout>& LayoutTable::layered(const ir::StreamType& type,
                                                       std::int64_t time, std::int64_t maxLanes) {
    const Key key{type, time, maxLanes};
    if (const auto known = layered_.find(key); known != layered_.end())
        return known->second;
    std::vector<LayeredLayout> found;
    for (const std::int64_t own : divisors(time)) {
        if (until_.isReached())
            break;
        if (ir::isAtom(type.element()) && own != time) // an atom takes one clock
            continue;
        for (const LayerShape& shape : layerShapes(type.length, own, maxLanes)) {
            for (const LayoutId element :
                 layouts(type.element(), time / own, maxLanes / shape.lanes))
                found.push_back({shape, element, around(shape, element)});
        }
    }
    return layered_.emplace(key, std::move(found)).first->second;
}

namespace {

std::uint64_t keyOf(LayoutId from, LayoutId to) {
    return (std::uint64_t{from.value()} << 32) | to.value();
}

} // namespace

const device::Resources& LayoutTable::change(LayoutId from, LayoutId to) {
    const auto [entry, fresh] = changes_.try_emplace(keyOf(from, to));
    if (fresh && from != to) {
        const Regrouping inner = withoutCommonLayers(type(from), type(to));
        const std::uint64_t key = combine(keyOf(intern(inner.from), intern(inner.to)),
                                          static_cast<std::uint64_t>(inner.copies));
        const auto known = innerChanges_.find(key);
        entry->second = known != innerChanges_.end() ? known->second : reshapeArea(inner, device_);
        innerChanges_.try_emplace(key, entry->second);
    }
    return entry->second;
}

double LayoutTable::leastFraction(LayoutId from, LayoutId to) {
    const auto [entry, fresh] = fractions_.try_emplace(keyOf(from, to));
    if (fresh && from != to)
        entry->second = leastReshapeFraction(withoutCommonLayers(type(from), type(to)), device_);
    return entry->second;
}

} // namespace marquetry::spacetime
