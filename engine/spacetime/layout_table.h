// The layouts that a search meets: normal forms of space-time types, numbered.
//
// A layout says which element is in which slot; types with equal layouts are connected by wires.
// So a value that a stream program computes has a layout, and operators look at the ways to write
// it with layers. The table lists the layouts of a type of L_seq in a given time, and what it
// takes to change one into another. Ids are given in the order of first use.
//
// Complexity: interning is linear in the type; lists and changes are computed once. Changes have
// the complexity of regroupingCost. Thread rule: not shared.
#pragma once

#include "engine/device/device.h"
#include "engine/spacetime/layer_shape.h"
#include "engine/support/strong_id.h"
#include "engine/support/until.h"

#include <map>
#include <unordered_map>

namespace marquetry::spacetime {

using LayoutId = StrongId<struct LayoutTag>;

/// A layout of Seq n t as one layer around a layout of t.
struct LayeredLayout {
    LayerShape shape;
    LayoutId element;
    LayoutId whole;
};

class LayoutTable {
public:
    explicit LayoutTable(const device::Device& device, Until until = {})
        : device_(device), until_(std::move(until)) {}

    LayoutId intern(const SeqType& type);
    const SeqType& type(LayoutId id) const { return types_[id.index()]; }
    std::int64_t time(LayoutId id) const { return times_[id.index()]; }
    std::int64_t width(LayoutId id) const { return widths_[id.index()]; } ///< lanes
    std::size_t size() const { return types_.size(); }

    LayoutId around(const LayerShape& shape, LayoutId element);

    /// The layouts of a type in `time` clocks, at most `maxLanes` wide, in ascending order. Not all
    /// of them once `until` is reached.
    const std::vector<LayoutId>& layouts(const ir::StreamType& type, std::int64_t time,
                                         std::int64_t maxLanes);
    /// The same of a sequence, with every way to write its outermost layer.
    const std::vector<LayeredLayout>& layered(const ir::StreamType& type, std::int64_t time,
                                              std::int64_t maxLanes);

    /// Area of a change of layout; none between equal ones.
    const device::Resources& change(LayoutId from, LayoutId to);
    /// A lower bound of its sum of fractions of the device, at little cost.
    double leastFraction(LayoutId from, LayoutId to);

private:
    using Key = std::tuple<ir::StreamType, std::int64_t, std::int64_t>;
    struct Hash {
        std::size_t operator()(const SeqType& type) const;
    };

    const device::Device& device_;
    const Until until_;
    std::vector<SeqType> types_;
    std::vector<std::int64_t> times_;
    std::vector<std::int64_t> widths_;
    std::unordered_map<SeqType, LayoutId, Hash> ids_;
    using Layered = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t, LayoutId>;
    struct LayeredHash {
        std::size_t operator()(const Layered& layered) const;
    };

    std::unordered_map<Layered, LayoutId, LayeredHash> around_;
    std::map<Key, std::vector<LayoutId>> layouts_;
    std::map<Key, std::vector<LayeredLayout>> layered_;
    std::unordered_map<std::uint64_t, device::Resources> changes_;
    std::unordered_map<std::uint64_t, device::Resources> innerChanges_; ///< without common layers
    std::unordered_map<std::uint64_t, double> fractions_;
};

} // namespace marquetry::spacetime
