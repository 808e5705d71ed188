#include "engine/egraph/serialize.h"
#include "engine/session/streams.h"
#include "engine/stream_states/states_egraph.h"
#include "engine/support/assert.h"

namespace marquetry::session {

StreamStates statesOf(const spacetime::StateGraph& states, const device::Device& device) {
    const auto serialized = stream_states::serialize(states, device);
    const auto imported = egraph::importGraph(serialized, egraph::languageOf(serialized));
    ENGINE_ASSERT(imported, "every state stands for a circuit");
    StreamStates result{imported->egraph.view(), {}};
    for (std::size_t k = 0; k < states.ways.size(); ++k) // serialized first, in this order
        if (states.ways[k].chosen)
            result.chosen.push_back(imported->nodeOf[k]);
    return result;
}

} // namespace marquetry::session
