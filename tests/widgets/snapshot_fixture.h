// A snapshot made by hand: a small e-graph of unit terms, calls and buffers, and a design in which
// one unit serves two calls. Everything is fixed, so texts can be compared with goldens.
#pragma once

#include "engine/session/snapshot.h"

#include <memory>

namespace marquetry::test {

struct SnapshotParts {
    std::shared_ptr<session::Snapshot> snapshot; ///< may be changed before it is shown
    egraph::EClassId sharedClass;                ///< Mv 64×576
    egraph::EClassId convClass;                  ///< Conv 8×8×64→64 k3
    egraph::ENodeId sharedMv;                    ///< its chosen e-node
    egraph::ENodeId tiledMv;                     ///< TiledMv[288, 576], not chosen
};

/// With a design, or as it is before extraction.
SnapshotParts makeSnapshot(bool withDesign = true);

/// Another design for the same program: nothing is shared.
std::shared_ptr<session::Snapshot> unshared(const SnapshotParts& parts);

/// An e-graph of `classes` classes in a chain of layers, for sizes.
std::shared_ptr<session::Snapshot> bigSnapshot(std::size_t classes);

} // namespace marquetry::test
