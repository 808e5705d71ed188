// Search in an e-graph, as far as filters let it through.
//
// "n40" and "c12" are ids. Any other text is looked for in the names of e-nodes (operator and
// parameters), in those of units and of layers, without regard to case.
// Complexity: O(e-nodes · length of a name). Thread rule: pure.
#pragma once

#include "widgets/egraph/shown_part.h"

#include <QString>

#include <cstdint>
#include <vector>

namespace marquetry::widgets {

struct Hit {
    std::uint32_t key = 0; ///< subject_key.h
    QString text{};        ///< what was found, and where
    bool operator==(const Hit&) const = default;
};

struct Hits {
    static constexpr std::size_t kListed = 500;

    std::vector<std::uint32_t> keys; ///< all, by class, then by age
    std::vector<Hit> listed;         ///< the first kListed of them
    std::size_t enodes = 0;
    std::size_t eclasses = 0; ///< that hold a hit
    bool operator==(const Hits&) const = default;
};

Hits findIn(const SnapshotIndex& index, const EGraphFilter& filter, const QString& text);

/// "12 e-nodes in 3 e-classes"; says when the list is not whole.
QString countText(const Hits& hits);

} // namespace marquetry::widgets
