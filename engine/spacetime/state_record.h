// What a search for circuits notes of the states it looks at (state_graph.h). Thread rule: not
// shared.
#pragma once

#include "engine/spacetime/layout_table.h"
#include "engine/spacetime/state_graph.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace marquetry::spacetime {

struct Implementation;
struct Decision;

/// Collects states while a search looks at them. One record for one graph.
class StateRecord {
public:
    /// More ways are not kept, and make the graph incomplete.
    static constexpr std::size_t kMostWays = 50'000;

    StateRecord(const ir::StreamGraph& graph, LayoutTable& layouts)
        : graph_(graph), layouts_(layouts) {}

    const ir::StreamGraph& graph() const { return graph_; }

    void root(ir::StreamNodeId value, LayoutId layout);
    /// A way to produce a value in a layout.
    void way(ir::StreamNodeId value, LayoutId layout,
             const std::vector<std::pair<ir::StreamNodeId, LayoutId>>& operands,
             const device::Resources& area);
    /// The value in a layout, changed to another.
    void change(ir::StreamNodeId value, LayoutId from, LayoutId to);
    /// What the circuit takes is marked, and kept.
    void choose(const Implementation& implementation);

    /// Without classes that no finite term has, or that no root needs.
    StateGraph finish(bool complete) const;

private:
    using Place = std::pair<ir::StreamNodeId, LayoutId>;
    struct Way {
        std::string op;
        std::vector<Place> operands;
        bool operator<(const Way& other) const {
            return std::tie(op, operands) < std::tie(other.op, other.operands);
        }
    };
    struct Kept {
        device::Resources area;
        bool chosen = false;
    };

    bool keep(const Place& place, Way way, const device::Resources& area, bool chosen);
    std::set<Place> finite() const;
    static bool isAmong(const Way& way, const std::set<Place>& known);
    /// What roots need, of finite classes.
    std::set<Place> needed(const std::set<Place>& known) const;
    void chooseChange(ir::StreamNodeId value, LayoutId from, LayoutId to);

    const ir::StreamGraph& graph_;
    LayoutTable& layouts_;
    std::map<Place, std::map<Way, Kept>> ways_;
    std::set<Place> roots_;
    Place chosenRoot_;
    std::size_t count_ = 0;
    bool full_ = false;
};

} // namespace marquetry::spacetime
