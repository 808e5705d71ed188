// Keys of the e-graph's pictures: an e-node's id, or an e-class's id with kClassBit, or with
// kStubBit for the tab that stands for its hidden e-nodes. Frames of the overview, which stand for
// nothing that can be selected, have their number with kGroupBit.
//
// Thread rule: pure.
#pragma once

#include "widgets/canvas/scene.h"
#include "widgets/models/selection.h"

namespace marquetry::widgets {

inline constexpr std::uint32_t kClassBit = 0x80000000u;
inline constexpr std::uint32_t kGroupBit = 0x40000000u;
inline constexpr std::uint32_t kStubBit = 0xC0000000u;

inline std::uint32_t keyOf(egraph::ENodeId id) {
    return id.value();
}
inline std::uint32_t keyOf(egraph::EClassId id) {
    return id.value() | kClassBit;
}
inline std::uint32_t stubKeyOf(egraph::EClassId id) {
    return id.value() | kStubBit;
}
inline bool isStub(std::uint32_t key) {
    return key != kNoKey && (key & kStubBit) == kStubBit;
}

inline bool isGroup(std::uint32_t key) {
    return (key & kStubBit) == kGroupBit;
}

/// The e-node or e-class behind a key; a stub stands for its class, a frame for nothing.
inline Subject subjectOf(std::uint32_t key) {
    if (key == kNoKey || isGroup(key))
        return {};
    if ((key & kClassBit) != 0)
        return egraph::EClassId{static_cast<std::uint32_t>(key & ~kStubBit)};
    return egraph::ENodeId{key};
}

} // namespace marquetry::widgets
