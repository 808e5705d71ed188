// Where the elements of a value are: their lanes and clocks, by arithmetic on the layers of its
// type. Complexity: of each question linear in the depth. Thread rule: value types, pure.
#pragma once

#include "engine/spacetime/seq_type.h"

namespace marquetry::spacetime {

class LayerPlaces {
public:
    explicit LayerPlaces(const SeqType& type);

    std::int64_t atoms() const { return atoms_; }
    std::int64_t clocks() const { return clocks_; }

    /// Of element `k`, one word for each atom.
    std::int64_t laneOf(std::int64_t k) const;
    std::int64_t clockOf(std::int64_t k) const;
    /// Elements before `clock`, also of values that follow each other without end, also those
    /// before clock 0.
    std::int64_t countBefore(std::int64_t clock) const;

private:
    struct Layer {
        bool inTime;
        std::int64_t length;
        std::int64_t atoms;  ///< of an element
        std::int64_t clocks; ///< of an element
    };
    std::vector<Layer> layers_; ///< outermost first
    std::int64_t atoms_ = 1;
    std::int64_t clocks_ = 1;
};

} // namespace marquetry::spacetime
