// The states of the scheduler as data, in the form of an e-graph: one class for each (value,
// layout) that was looked at, and in it the ways to get the value in that layout. A way is an
// operator on classes of its operands, or `reshape` from the class of the same value in another
// layout. A term of a class is then a circuit.
//
// Only the values of the program itself are classes; a function is part of its map's way. A term
// may produce a value in two layouts, which the search does not, so the least term is at most as
// large as the least circuit. Classes are ordered by value and by the text of the type; every class
// has a way and belongs to a term of a root. Thread rule: value types.
#pragma once

#include "engine/device/resources.h"
#include "engine/ir/stream_program.h"
#include "engine/spacetime/layout_table.h"

#include <set>

namespace marquetry::spacetime {

struct StateClass {
    ir::StreamNodeId value; ///< of the program after its rewrites, but for grouping
    SeqType type;
};

struct StateWay {
    std::size_t ofClass = 0;
    std::string op;                    ///< "map2(add)", "shift 1920", "reshape", "input x"
    std::vector<std::size_t> operands; ///< classes
    device::Resources area;
    bool chosen = false; ///< part of the chosen circuit
};

struct StateGraph {
    std::vector<StateClass> classes;
    std::vector<StateWay> ways;     ///< ascending by class
    std::vector<std::size_t> roots; ///< classes of the output
    std::size_t chosenRoot = 0;     ///< that of the chosen circuit
    bool complete = true;           ///< false: a limit ended the search
};

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
