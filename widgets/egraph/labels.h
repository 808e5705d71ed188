// Names of e-classes and e-nodes as the e-graph's pictures write them.
//
// Thread rule: pure; measuring needs a QGuiApplication.
#pragma once

#include "widgets/models/snapshot_index.h"
#include "widgets/theme/theme.h"

#include <QFontMetricsF>
#include <QString>

namespace marquetry::widgets {

QFontMetricsF letterMetrics(double pixels, bool bold);

/// "Mv", "TiledMv[288, 576]"; very long names are cut in the middle with "…".
QString enodeLabel(const egraph::FrozenEGraph& view, egraph::ENodeId node);
/// "Mv 64×576 · 8": the unit's name, or that of the chosen or oldest e-node, and how many e-nodes
/// are `shown` of the class, when there are more than one.
QString eclassLabel(const SnapshotIndex& index, egraph::EClassId eclass,
                    std::span<const egraph::ENodeId> shown);

/// The quiet fill of an e-class by its sort.
Role tintOf(const egraph::FrozenEGraph& view, egraph::EClassId eclass);

} // namespace marquetry::widgets
