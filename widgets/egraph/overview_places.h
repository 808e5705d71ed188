// Where the e-classes of the overview lie: cells of one size, in groups, kept while the e-graph
// grows.
//
// Parts of the program fill rows at the top, in order; families of what rules made follow below.
// In a group the classes lie in reading order, oldest first, and one that is merged into another
// leaves its cell empty. A group has room to grow. A part of the program that needs more room lets
// everything be placed anew, a family all families; otherwise a class that stays in its group stays
// in its place.
// Complexity: O(classes · log). Deterministic. Thread rule: a value.
#pragma once

#include "widgets/egraph/overview_groups.h"

#include <QPointF>
#include <QRectF>

#include <map>

namespace marquetry::widgets {

inline constexpr QSizeF kCell{132, 24}; ///< scene units

class OverviewPlaces {
public:
    struct Group {
        std::string name;
        bool written = false;
        std::size_t columns = 1;
        std::size_t capacity = 0;
        std::size_t used = 0; ///< cells that have been given out
        QRectF frame{};
    };

    /// Places what is new in `groups`, the whole e-graph's.
    void follow(const std::vector<OverviewGroup>& groups);
    /// In the order of the groups they were made for.
    const std::vector<Group>& groups() const { return groups_; }
    QRectF cell(egraph::EClassId id) const;

private:
    struct Place {
        std::size_t group = 0;
        std::size_t cell = 0;
    };

    bool fits(const OverviewGroup& group, std::size_t number) const;
    void restart(std::size_t from);
    void fill(const OverviewGroup& from, std::size_t number);
    void arrange();

    std::vector<Group> groups_;
    std::map<egraph::EClassId, Place> places_;
    double width_ = 0; ///< of the rows of groups
};

} // namespace marquetry::widgets
