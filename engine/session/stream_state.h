// What a session knows of the streams of a file: its items, the throughputs on offer with the area
// of the least circuit at each, and the circuit of the throughput at hand. Areas are those of what
// is built (lower_stream/schedule_as_built.h). Part of a snapshot; every pointer is to something
// immutable.
//
// Units: clocks; areas as in device::Resources. Thread rule: values.
#pragma once

#include "engine/cost/kernel_estimate.h"
#include "engine/egraph/frozen_egraph.h"
#include "engine/spacetime/stream_schedule.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace marquetry::session {

/// A circuit of the front at one throughput, by what makes it that one.
struct CircuitName {
    device::Resources area;
    std::int64_t delay = 0;
    bool operator==(const CircuitName&) const = default;
};

/// What the user decided at one throughput.
struct CircuitChoice {
    std::string outputType;            ///< pinned, as toString writes it; empty: any
    std::optional<CircuitName> chosen; ///< of the front; nothing: its first
    bool operator==(const CircuitChoice&) const = default;
};

/// What the user decided about one stream; everything free: one element per clock, or near.
struct StreamChoice {
    std::int64_t clocks = 0;                        ///< of the output; 0: nobody chose
    std::map<std::int64_t, CircuitChoice> circuits; ///< by clocks
    bool operator==(const StreamChoice&) const = default;

    bool pinned() const {
        for (const auto& [at, circuit] : circuits)
            if (!circuit.outputType.empty())
                return true;
        return false;
    }
};
using StreamChoices = std::map<std::string, StreamChoice>; ///< by the item's name

/// A throughput some type of the output meets, with the least circuit there is at it.
struct StreamRate {
    std::int64_t clocks = 1; ///< of the whole output
    spacetime::Throughput throughput;
    bool tried = false;
    std::optional<device::Resources> area; ///< nothing: not tried yet, or no circuit
    std::int64_t delay = 0;
    bool proved = false; ///< the search ended by itself: it counts nothing smaller
};

/// A node of a circuit, or of the function of one, in the order of the text: functions follow
/// their operator, one level deeper.
struct StreamOperator {
    std::string name;                  ///< "%5" at the top, "%5.2" in a function
    std::string text;                  ///< "map_t 4 0"
    std::vector<std::size_t> operands; ///< places in this list
    spacetime::SeqType type;
    int depth = 0;
    std::optional<std::int64_t> starts; ///< clocks after the first slot of its graph's inputs;
                                        ///< nothing: starts when its users need it
    std::int64_t delay = 0;             ///< of the operator itself
    bool isOutput = false;
};

/// The scheduler's states as an e-graph (stream_states), those of circuits near the least one.
struct StreamStates {
    std::shared_ptr<const egraph::FrozenEGraph> egraph;
    std::vector<egraph::ENodeId> chosen; ///< of the least circuit
};

struct StreamItem {
    std::shared_ptr<const ir::StreamProgram> program; ///< its outputs joined
    StreamChoice choice;
    std::string device;            ///< the areas are of it
    std::vector<StreamRate> rates; ///< fewest clocks first
    std::size_t rate = 0;          ///< at hand
    bool scheduling = false;       ///< a circuit at `rate` is wanted and not there yet
    bool sweeping = false;         ///< the other rates are being tried
    std::shared_ptr<const spacetime::StreamSchedule> schedule; ///< at `rate`
    /// Of each circuit of the front, written as the scheduler's candidate.
    std::vector<std::string> frontTypes;
    std::vector<cost::SharedEstimate> hardware;                   ///< of each circuit of the front
    std::string scheduledType;                                    ///< of the output; empty: any
    std::size_t chosen = 0;                                       ///< index in its front
    std::shared_ptr<const std::vector<StreamOperator>> operators; ///< of the chosen circuit
    std::shared_ptr<const StreamStates> states;                   ///< of the schedule; null without
    Diagnostics failure;                                          ///< why there is no schedule
};

} // namespace marquetry::session
