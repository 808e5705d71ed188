#include "engine/session/snapshot.h"

namespace marquetry::session {

std::string toString(Phase phase) {
    switch (phase) {
    case Phase::Empty:
        return "empty";
    case Phase::Invalid:
        return "invalid";
    case Phase::Loaded:
        return "loaded";
    case Phase::Saturating:
        return "saturating";
    case Phase::Paused:
        return "paused";
    case Phase::Extracting:
        return "extracting";
    case Phase::Ready:
        return "ready";
    case Phase::Exporting:
        return "exporting";
    case Phase::Verifying:
        return "verifying";
    case Phase::Measuring:
        return "measuring";
    case Phase::Planning:
        return "planning";
    case Phase::Opening:
        return "opening";
    case Phase::Writing:
        return "writing";
    }
    return "empty";
}

const MemoryItem* Snapshot::exportedMemory(const std::string& name) const {
    if (name.empty() && (program || !streams.empty()))
        return nullptr;
    for (std::size_t k = 0; k < memories.size(); ++k)
        if (name.empty() ? k == memory : memories[k].program->name == name)
            return memories[k].ready() ? &memories[k] : nullptr;
    return nullptr;
}

} // namespace marquetry::session
