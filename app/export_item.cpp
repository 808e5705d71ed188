#include "app/export_item.h"

#include "engine/device/device_file.h"
#include "widgets/streams/circuit_rows.h"
#include "widgets/text/number_text.h"

#include <QObject>

#include <algorithm>

namespace marquetry::app {

namespace {

ExportItem memoryItem(const session::MemoryItem& memory, const session::Snapshot& snapshot) {
    const banking::PricedScheme& priced = memory.detail->priced;
    ExportItem item;
    item.name = memory.program->name;
    item.title = memory.buffer ? QObject::tr("%1, %2").arg(QString::fromStdString(item.name),
                                                           QString::fromStdString(memory.owner))
                               : QObject::tr("memory %1").arg(QString::fromStdString(item.name));
    item.summary =
        QObject::tr("%1: %2 LUT, %3 FF, %4 block RAM, %5 DSP")
            .arg(QString::fromStdString(priced.scheme.text()),
                 widgets::amount(priced.cost.total.lut), widgets::amount(priced.cost.total.ff),
                 widgets::amount(priced.cost.total.bram), widgets::amount(priced.cost.total.dsp));
    item.device = snapshot.device;
    item.hasStreams = false;
    return item;
}

/// The device a stream is priced on, at the clock of the settings.
device::Device streamDevice(const session::StreamItem& stream, const session::Snapshot& snapshot) {
    if (stream.device == snapshot.device.id)
        return snapshot.device;
    const auto priced = device::findDevice(stream.device);
    device::Device chosen = priced ? *priced : snapshot.device;
    chosen.clockMhz = snapshot.settings.clockMhz.value_or(chosen.clockMhz);
    return chosen;
}

ExportItem streamItem(const session::StreamItem& stream, const session::Snapshot& snapshot) {
    const auto& circuit = stream.schedule->front[stream.chosen];
    ExportItem item;
    item.name = stream.program->name;
    item.title = QObject::tr("stream %1").arg(QString::fromStdString(item.name));
    item.summary = QObject::tr("%1; %2").arg(widgets::rateText(stream.rates[stream.rate]),
                                             widgets::areaText(circuit.area, circuit.delay));
    item.device = streamDevice(stream, snapshot);
    return item;
}

ExportItem designItem(const session::Snapshot& snapshot) {
    const design::Design& design = *snapshot.design;
    ExportItem item;
    item.name = design.program;
    item.title = QObject::tr("design %1").arg(QString::fromStdString(item.name));
    item.summary =
        QObject::tr("%1 cycles, %2 DSP, %3 block RAM, %4 LUT")
            .arg(widgets::grouped(design.cycles), widgets::amount(design.resources.dsp),
                 widgets::amount(design.resources.bram), widgets::amount(design.resources.lut));
    item.device = snapshot.device;
    if (!design.schedule)
        item.problem = QObject::tr("This design cannot be exported: %1.\nChoose limits under which "
                                   "everything stays on chip.")
                           .arg(QString::fromStdString(design.notExportable));
    return item;
}

std::optional<ExportItem> itemAtHand(const session::Snapshot& snapshot) {
    if (const session::MemoryItem* memory = snapshot.exportedMemory())
        return memoryItem(*memory, snapshot);
    if (const session::StreamItem* stream = snapshot.exportedStream())
        return streamItem(*stream, snapshot);
    if (snapshot.design)
        return designItem(snapshot);
    return std::nullopt;
}

} // namespace

std::vector<ExportItem> exportItems(const session::Snapshot& snapshot, const std::string& wanted) {
    std::vector<ExportItem> items;
    const session::MemoryItem* const atHand = snapshot.exportedMemory();
    if (auto first = itemAtHand(snapshot)) {
        if (atHand && wanted == first->name)
            first->memory = wanted;
        items.push_back(*std::move(first));
    }
    for (const session::MemoryItem& memory : snapshot.memories) {
        if (!memory.ready() || &memory == atHand)
            continue;
        items.push_back(memoryItem(memory, snapshot));
        items.back().memory = memory.program->name;
    }
    return items;
}

std::size_t firstItem(const std::vector<ExportItem>& items, const session::Snapshot& snapshot,
                      const std::string& wanted) {
    std::string first = wanted;
    if (wanted.empty() && !itemAtHand(snapshot) && snapshot.memory < snapshot.memories.size())
        first = snapshot.memories[snapshot.memory].program->name;
    const auto found = std::ranges::find(items, first, &ExportItem::memory);
    return found == items.end() ? 0 : static_cast<std::size_t>(found - items.begin());
}

bool hasExportItems(const session::Snapshot& snapshot) {
    return snapshot.design || snapshot.exportedStream() || snapshot.exportedMemory() ||
           std::ranges::any_of(snapshot.memories, &session::MemoryItem::ready);
}

} // namespace marquetry::app
