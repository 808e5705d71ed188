#include "widgets/streams/circuit_rows.h"

#include "widgets/text/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace marquetry::widgets {

using session::StreamOperator;

namespace {

constexpr std::size_t kMostOperands = 3;

QString startText(const StreamOperator& op) {
    return op.starts ? grouped(*op.starts) : QObject::tr("when used");
}

QString operandText(const std::vector<StreamOperator>& operators, const StreamOperator& op) {
    QStringList names;
    for (const std::size_t operand : op.operands)
        names << QString::fromStdString(operators[operand].name);
    return names.join(QStringLiteral(", "));
}

} // namespace

QStringList circuitHeader() {
    return {QObject::tr("operator"), QObject::tr("takes"), QObject::tr("type in space and time"),
            QObject::tr("starts"), QObject::tr("delay")};
}

QStringList circuitTexts(const std::vector<StreamOperator>& operators, std::size_t place) {
    const StreamOperator& op = operators[place];
    return {QString::fromStdString(op.name + "  " + op.text) +
                (op.isOutput ? QStringLiteral("  →") : QString()),
            operandText(operators, op), QString::fromStdString(toString(op.type)), startText(op),
            grouped(op.delay)};
}

void fillCircuit(QStandardItemModel& model, const std::vector<StreamOperator>& operators) {
    model.clear();
    model.setHorizontalHeaderLabels(circuitHeader());
    std::vector<QStandardItem*> parents{model.invisibleRootItem()};
    for (std::size_t k = 0; k < operators.size(); ++k) {
        QList<QStandardItem*> row;
        for (const QString& text : circuitTexts(operators, k)) {
            auto* cell = new QStandardItem(text);
            cell->setEditable(false);
            cell->setToolTip(typeText(operators[k].type) + u'\n' + whyOf(operators[k]));
            row << cell;
        }
        row.front()->setData(static_cast<qulonglong>(k), kOperatorRole);
        for (const int number : {3, 4})
            row[number]->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        const auto depth = static_cast<std::size_t>(operators[k].depth);
        parents.resize(depth + 1);
        parents[depth]->appendRow(row);
        parents.push_back(row.front());
    }
}

QString whyOf(const StreamOperator& op) {
    static const std::array<std::pair<const char*, const char*>, 10> kReasons{{
        {"fifo", QT_TRANSLATE_NOOP("QObject", "Holds its value back until the others of its user "
                                              "are there: operands meet in one clock.")},
        {"reshape", QT_TRANSLATE_NOOP("QObject", "Changes the layout: each element waits until its "
                                                 "slot in the new one has come.")},
        {"shift", QT_TRANSLATE_NOOP("QObject", "Stores elements until they are that many places "
                                               "late: a line buffer when there are many.")},
        {"scan", QT_TRANSLATE_NOOP("QObject", "Its function in a loop: the state behind an element "
                                              "is there when the next one comes, and starts anew "
                                              "with the sequence.")},
        {"const", QT_TRANSLATE_NOOP("QObject", "Starts when its users need it, so nothing has to "
                                               "wait for it.")},
        {"counter", QT_TRANSLATE_NOOP("QObject", "Starts when its users need it, so nothing has to "
                                                 "wait for it.")},
        {"map_s", QT_TRANSLATE_NOOP("QObject", "One copy of its function for each lane.")},
        {"map2_s", QT_TRANSLATE_NOOP("QObject", "One copy of its function for each lane.")},
        {"map_t", QT_TRANSLATE_NOOP("QObject", "One copy of its function, used clock by clock.")},
        {"map2_t", QT_TRANSLATE_NOOP("QObject", "One copy of its function, used clock by clock.")},
    }};
    for (const auto& [start, reason] : kReasons)
        if (op.text.starts_with(start))
            return QObject::tr(reason);
    return {};
}

SpaceTimePicture pictureOf(const std::vector<StreamOperator>& operators, std::size_t place) {
    SpaceTimePicture picture;
    const StreamOperator& op = operators[place];
    const std::int64_t own = op.starts.value_or(0);
    std::vector<std::size_t> shown;
    for (const std::size_t operand : op.operands) {
        if (std::ranges::find(shown, operand) != shown.end() || shown.size() == kMostOperands)
            continue;
        shown.push_back(operand);
        const StreamOperator& producer = operators[operand];
        picture.bands.push_back(
            {QObject::tr("takes %1: %2")
                 .arg(QString::fromStdString(producer.name), typeText(producer.type)),
             producer.type, producer.starts.value_or(own - op.delay)});
    }
    picture.bands.push_back(
        {QObject::tr("gives %1: %2").arg(QString::fromStdString(op.name), typeText(op.type)),
         op.type, own});
    return picture;
}

QString typeText(const spacetime::SeqType& type) {
    const std::int64_t all = clocks(type);
    const std::int64_t valid = validClocks(type);
    return QObject::tr("%1 · %2 lanes · %3 clocks, %4")
        .arg(QString::fromStdString(toString(type)), grouped(lanes(type)), grouped(all),
             all == valid ? QObject::tr("all valid") : QObject::tr("%1 valid").arg(grouped(valid)));
}

double elementsPerClock(const session::StreamRate& rate) {
    return static_cast<double>(rate.throughput.atoms) / static_cast<double>(rate.throughput.clocks);
}

QString rateText(const session::StreamRate& rate) {
    const QString elements = rate.throughput.clocks == 1 ? grouped(rate.throughput.atoms)
                                                         : grouped(rate.throughput.atoms) + u'/' +
                                                               grouped(rate.throughput.clocks);
    return QObject::tr("%1 per clock · %2 clocks").arg(elements, grouped(rate.clocks));
}

QString areaText(const device::Resources& area, std::int64_t delay) {
    return QObject::tr("%1 LUT, %2 FF, %3 block RAM, %4 DSP, delay %5")
        .arg(amount(area.lut), amount(area.ff), amount(area.bram), amount(area.dsp),
             grouped(delay));
}

QString hardwareText(const cost::SharedEstimate& hardware) {
    if (!*hardware)
        return QObject::tr("counted by the search: %1")
            .arg(QString::fromStdString(hardware->error().front().message));
    const cost::KernelEstimate& kernel = **hardware;
    return QObject::tr("latency %1, %2 ns")
        .arg(grouped(kernel.latency * kernel.unit),
             QString::number(kernel.pathDelay / 1000, 'f', 2));
}

} // namespace marquetry::widgets
