#include "app/export_item.h"

#include "engine/device/device_file.h"
#include "widgets/streams/circuit_rows.h"
#include "widgets/text/number_text.h"

#include <QObject>

#include <algorithm>

namespace marquetry::app {

namespace {

QString reasonText(const Diagnostics& reasons) {
    const Diagnostic& first = reasons.front();
    QString text = QString::fromStdString(first.message);
    if (!first.hint.empty())
        text += u'\n' + QString::fromStdString(first.hint);
    return text;
}

QString resourcesText(const device::Resources& resources) {
    return QObject::tr("%1 LUT, %2 FF, %3 block RAM, %4 DSP")
        .arg(widgets::amount(resources.lut), widgets::amount(resources.ff),
             widgets::amount(resources.bram), widgets::amount(resources.dsp));
}

QString designFigures(std::int64_t cycles, std::int64_t frames,
                      const device::Resources& resources) {
    return QObject::tr("%1, %2 DSP, %3 block RAM, %4 LUT")
        .arg(widgets::frameCyclesText(cycles, frames), widgets::amount(resources.dsp),
             widgets::amount(resources.bram), widgets::amount(resources.lut));
}

ExportItem memoryItem(const session::MemoryItem& memory, const session::Snapshot& snapshot) {
    ExportItem item;
    item.kind = ExportItem::Kind::Memory;
    item.item = item.name = memory.program->name;
    const QString name = QString::fromStdString(item.name);
    item.title = memory.buffer
                     ? QObject::tr("%1, %2").arg(name, QString::fromStdString(memory.owner))
                     : QObject::tr("memory %1").arg(name);
    item.device = snapshot.device;
    if (memory.ready()) {
        const banking::PricedScheme& priced = memory.detail->priced;
        item.summary = QObject::tr("%1: %2").arg(QString::fromStdString(priced.scheme.text()),
                                                 resourcesText(priced.cost.total));
    } else if (!memory.failure.empty()) {
        item.problem = reasonText(memory.failure);
    } else {
        item.waits = true;
        item.problem = QObject::tr("The banks of %1 are being planned.").arg(name);
    }
    return item;
}

/// The device a stream is priced on, at the clock of the settings.
device::Device streamDevice(const session::StreamItem& stream, const session::Snapshot& snapshot) {
    if (stream.device.empty() || stream.device == snapshot.device.id)
        return snapshot.device;
    const auto priced = device::findDevice(stream.device);
    device::Device chosen = priced ? *priced : snapshot.device;
    chosen.clockMhz = snapshot.settings.clockMhz.value_or(chosen.clockMhz);
    return chosen;
}

ExportItem streamItem(const session::StreamItem& stream, const session::Snapshot& snapshot) {
    ExportItem item;
    item.kind = ExportItem::Kind::Stream;
    item.item = item.name = stream.program->name;
    const QString name = QString::fromStdString(item.name);
    item.title = QObject::tr("stream %1").arg(name);
    item.device = streamDevice(stream, snapshot);
    if (stream.operators) {
        const auto& circuit = stream.schedule->front[stream.chosen];
        item.summary = QObject::tr("%1; %2").arg(widgets::rateText(stream.rates[stream.rate]),
                                                 widgets::areaText(circuit.area, circuit.delay));
    } else if (!stream.failure.empty()) {
        item.problem = reasonText(stream.failure);
    } else {
        item.waits = true;
        item.problem = QObject::tr("A circuit of %1 is being looked for.").arg(name);
    }
    return item;
}

ExportItem designItem(const session::Snapshot& snapshot) {
    ExportItem item;
    item.name = snapshot.program->name;
    item.title = QObject::tr("design %1").arg(QString::fromStdString(item.name));
    item.device = snapshot.device;
    if (!snapshot.design) {
        item.problem = QObject::tr("There is no design of %1: run the exploration first.")
                           .arg(QString::fromStdString(item.name));
        return item;
    }
    const design::Design& design = *snapshot.design;
    item.summary = designFigures(design.cycles, design.frames, design.resources);
    if (!design.schedule)
        item.problem = QObject::tr("This design cannot be exported: %1.\nChoose limits under which "
                                   "everything stays on chip.")
                           .arg(QString::fromStdString(design.notExportable));
    return item;
}

ExportItem heldItem(const session::HeldDesign& held) {
    ExportItem item;
    item.kind = ExportItem::Kind::HeldDesign;
    item.item = held.path;
    item.name = held.program;
    item.title = QObject::tr("design %1, as %2 holds it")
                     .arg(QString::fromStdString(held.program),
                          QString::fromStdString(held.path).section(u'/', -1));
    item.summary = designFigures(held.cycles, held.frames, held.resources);
    item.device = held.device;
    if (!held.problem.empty())
        item.problem = reasonText(held.problem);
    return item;
}

std::string itemAtHand(const session::Snapshot& snapshot) {
    if (snapshot.heldAtHand)
        return snapshot.held->path;
    if (snapshot.design)
        return {};
    if (!snapshot.program && snapshot.stream < snapshot.streams.size())
        return snapshot.streams[snapshot.stream].program->name;
    if (snapshot.memory < snapshot.memories.size())
        return snapshot.memories[snapshot.memory].program->name;
    return {};
}

} // namespace

std::vector<ExportItem> exportItems(const session::Snapshot& snapshot) {
    std::vector<ExportItem> items;
    if (snapshot.program)
        items.push_back(designItem(snapshot));
    if (snapshot.held)
        items.push_back(heldItem(*snapshot.held));
    const auto addMemories = [&](bool buffers) {
        for (const session::MemoryItem& memory : snapshot.memories)
            if (memory.buffer == buffers)
                items.push_back(memoryItem(memory, snapshot));
    };
    for (const session::StreamItem& stream : snapshot.streams)
        items.push_back(streamItem(stream, snapshot));
    addMemories(false);
    addMemories(true);
    return items;
}

std::size_t firstItem(const std::vector<ExportItem>& items, const session::Snapshot& snapshot,
                      const std::string& wanted) {
    const std::string first = wanted.empty() ? itemAtHand(snapshot) : wanted;
    const auto found = std::ranges::find(items, first, &ExportItem::item);
    return found == items.end() ? 0 : static_cast<std::size_t>(found - items.begin());
}

bool hasExportItems(const session::Snapshot& snapshot) {
    const auto mayBe = [](const auto& item) { return item.failure.empty(); };
    return snapshot.design || snapshot.held || std::ranges::any_of(snapshot.streams, mayBe) ||
           std::ranges::any_of(snapshot.memories, mayBe);
}

bool hasHardware(const session::Snapshot& snapshot) {
    return snapshot.design || snapshot.heldAtHand || snapshot.exportedStream() ||
           snapshot.exportedMemory();
}

} // namespace marquetry::app
