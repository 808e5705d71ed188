#include "engine/session/hardware_fingerprint.h"

#include "engine/design/schedule_json.h"
#include "engine/ir/printer.h"
#include "engine/support/json.h"
#include "engine/support/sha256.h"

namespace marquetry::session {

namespace {

std::string contentsOf(const DesignToBuild& built) {
    if (!built.design || !built.design->schedule)
        return "";
    // Of a stream unit the schedule has the timing alone.
    std::string text = "design\n" + built.design->device + '\n';
    for (const design::DesignUnit& unit : built.design->units)
        text += unit.term + '\n';
    return text + design::toJson(*built.design->schedule).dump();
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
    for (const StreamOperator& op : *item.operators) {
        text += op.name + ' ' + op.text + ' ' + toString(op.type) + ' ' +
                std::to_string(op.starts.value_or(-1)) + ' ' + std::to_string(op.delay) +
                (op.isOutput ? " out" : "");
        for (const std::size_t operand : op.operands)
            text += ' ' + std::to_string(operand);
        text += '\n';
    }
    return text;
}

std::string contentsOf(const MemoryToBuild& built) {
    const MemoryItem& item = *built.memory;
    if (!item.detail)
        return "";
    return "memory\n" + ir::print(*item.program) + '\n' + item.owner + '\n' + built.device.id +
           '\n' + item.detail->priced.scheme.text() + '\n';
}

} // namespace

std::string fingerprintOf(const ToBuild& hardware) {
    const std::string contents =
        std::visit([](const auto& built) { return contentsOf(built); }, hardware);
    return contents.empty() ? "" : sha256(contents);
}

} // namespace marquetry::session
