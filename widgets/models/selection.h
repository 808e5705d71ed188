// Selection: the one thing the user points at, in ids, never in rows or pixels.
//
// A Subject is a value: it can be compared, put into a link ("unit:3") and read back. Ids of
// e-nodes and e-classes stay valid while an e-graph grows (an absorbed class answers to its
// canonical one); units, calls and buffers are those of one design, and SelectionModel carries them
// over to the next one by name.
// Errors: parseLink returns nullopt for text that is no link. Thread rule: value types.
#pragma once

#include "engine/session/snapshot.h"

#include <QString>

#include <optional>
#include <string>
#include <variant>

namespace marquetry::widgets {

struct LayerName {
    std::string name;
    bool operator==(const LayerName&) const = default;
};

/// A rewrite rule; it stands for the e-nodes that it made.
struct RuleName {
    std::string name;
    bool operator==(const RuleName&) const = default;
};

using Subject = std::variant<std::monostate, LayerName, design::UnitId, design::CallId,
                             egraph::EClassId, egraph::ENodeId, design::BufferId, RuleName>;

inline bool isEmpty(const Subject& subject) {
    return std::holds_alternative<std::monostate>(subject);
}

/// Ids of one e-graph mean something in the other: both are of the same, or both are null.
bool sameEGraph(const std::shared_ptr<const egraph::FrozenEGraph>& a,
                const std::shared_ptr<const egraph::FrozenEGraph>& b);

/// "layer:conv1", "unit:3", "call:1", "class:12", "node:40", "buffer:2", "rule:R-TILE-MV";
/// empty for nothing.
QString toLink(const Subject& subject);
std::optional<Subject> parseLink(const QString& link);

/// What a user reads: "unit Mv 64×576", "e-class c12", "e-node n40 TiledMv[288, 576]".
QString describe(const Subject& subject, const session::Snapshot& snapshot);

/// "TiledMv[288, 576]": an e-node as terms are printed and pins name them; its children are left
/// out.
std::string termName(const egraph::FrozenEGraph& view, egraph::ENodeId node);

/// "R-TILE-MV, iteration 3", "as written", "congruence, iteration 2".
QString originText(const session::Snapshot& snapshot, const egraph::Origin& origin);

} // namespace marquetry::widgets
