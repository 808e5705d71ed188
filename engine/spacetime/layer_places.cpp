#include "engine/spacetime/layer_places.h"

namespace marquetry::spacetime {

LayerPlaces::LayerPlaces(const SeqType& type)
    : atoms_(atomCount(type)), clocks_(spacetime::clocks(type)) {
    for (const SeqType* t = &type; !t->is(SeqType::Kind::Atom); t = &t->element())
        layers_.push_back({t->is(SeqType::Kind::TSeq), t->length, atomCount(t->element()),
                           spacetime::clocks(t->element())});
}

std::int64_t LayerPlaces::laneOf(std::int64_t k) const {
    std::int64_t lane = 0;
    for (const Layer& layer : layers_) {
        if (!layer.inTime)
            lane = lane * layer.length + k / layer.atoms;
        k %= layer.atoms;
    }
    return lane;
}

std::int64_t LayerPlaces::clockOf(std::int64_t k) const {
    std::int64_t clock = 0;
    for (const Layer& layer : layers_) {
        if (layer.inTime)
            clock += k / layer.atoms * layer.clocks;
        k %= layer.atoms;
    }
    return clock;
}

std::int64_t LayerPlaces::countBefore(std::int64_t clock) const {
    const std::int64_t wave = clock >= 0 ? clock / clocks_ : -((clocks_ - 1 - clock) / clocks_);
    clock -= wave * clocks_;
    std::int64_t count = wave * atoms_;
    std::int64_t lanes = 1;
    for (const Layer& layer : layers_) {
        if (!layer.inTime) {
            lanes *= layer.length;
            continue;
        }
        const std::int64_t whole = clock / layer.clocks;
        if (whole >= layer.length)
            return count + lanes * layer.length * layer.atoms;
        count += lanes * whole * layer.atoms;
        clock -= whole * layer.clocks;
    }
    return count + (clock > 0 ? lanes : 0);
}

} // namespace marquetry::spacetime
