#include "engine/session/hardware_fingerprint.h"

#include "engine/design/schedule_json.h"
#include "engine/support/json.h"
#include "engine/support/sha256.h"

namespace marquetry::session {

namespace {

std::string contentsOf(const DesignToBuild& built) {
    const bool there = built.design && built.design->schedule;
    return there ? "design\n" + design::toJson(*built.design->schedule).dump() : "";
}

std::string contentsOf(const HeldToBuild& built) {
    return "held\n" + built.design->path + '\n' + built.design->text;
}

/// Kernels are timed for a clock of a device.
std::string contentsOf(const StreamToBuild& built) {
    const StreamItem& item = *built.stream;
    if (!item.operators)
        return "";
    std::string text = "stream\n" + item.program->name + '\n' + built.device.id + '\n' +
                       std::to_string(built.device.clockMhz) + '\n';
    for (const StreamOperator& op : *item.operators)
        text += op.name + ' ' + op.text + ' ' + std::to_string(op.starts.value_or(-1)) + '\n';
    return text;
}

/// Where the memory is a buffer, its accesses are those of what it is a buffer of: `options` has
/// the design's.
std::string contentsOf(const MemoryToBuild& built) {
    const MemoryItem& item = *built.memory;
    if (!item.detail)
        return "";
    return "memory\n" + item.program->name + '\n' + item.owner + '\n' + item.options + '\n' +
           built.device.id + '\n' + item.detail->priced.scheme.text() + '\n';
}

} // namespace

std::string fingerprintOf(const ToBuild& hardware) {
    const std::string contents =
        std::visit([](const auto& built) { return contentsOf(built); }, hardware);
    return contents.empty() ? "" : sha256(contents);
}

} // namespace marquetry::session
