#include "widgets/streams/streams_view.h"

#include "engine/spacetime/drawing.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/export_menu.h"
#include "widgets/streams/circuit_scene.h"
#include "widgets/text/elided_label.h"
#include "widgets/text/failure_text.h"
#include "widgets/text/number_text.h"
#include "widgets/text/table_text.h"

#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSlider>
#include <QTabWidget>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

namespace marquetry::widgets {

using session::StreamRate;

namespace {

/// Without a name: a legend would hide points.
PlotSeries seriesOf(PlotStyle style, std::size_t category, double size) {
    PlotSeries series;
    series.style = style;
    series.colour = categoryColour(category);
    series.size = size;
    return series;
}

} // namespace

// ---- the snapshot

void StreamsView::setSnapshot(const std::shared_ptr<const session::Snapshot>& snapshot) {
    snapshot_ = snapshot;
    showItems();
    askForSchedule();
    const session::StreamItem* now = item();
    const session::StreamItem before = std::exchange(shown_, now ? *now : session::StreamItem());
    const bool otherItem = before.program != shown_.program;
    const auto rates = [](const session::StreamItem& of) {
        return std::tuple(of.rates.size(), of.rate,
                          std::ranges::count_if(of.rates, &StreamRate::tried), of.sweeping,
                          of.device);
    };
    const bool otherRates = otherItem || rates(before) != rates(shown_);
    const bool otherCircuit = otherItem || before.operators != shown_.operators;
    const bool otherState = before.scheduling != shown_.scheduling ||
                            before.failure.size() != shown_.failure.size() ||
                            before.choice != shown_.choice || before.schedule != shown_.schedule ||
                            before.hardware != shown_.hardware;
    if (otherRates)
        showRates();
    if (otherCircuit)
        showCircuit();
    if (otherCircuit || otherState)
        showFront();
    if (otherRates || otherCircuit || otherState) {
        showPlot();
        showTexts();
    }
}

const session::StreamItem* StreamsView::item() const {
    return snapshot_ && snapshot_->stream < snapshot_->streams.size()
               ? &snapshot_->streams[snapshot_->stream]
               : nullptr;
}

QString StreamsView::itemName() const {
    return nameOf(shown_);
}

/// Items are scheduled when they are looked at; this one is.
void StreamsView::askForSchedule() {
    const session::StreamItem* now = item();
    const bool open = now && !now->schedule && !now->scheduling && now->failure.empty();
    if (!open || asked_ == now->program)
        return;
    asked_ = now->program;
    Q_EMIT showRequested(QString::fromStdString(now->program->name));
}

void StreamsView::showItems() {
    items_->setItems(namesOf(snapshot_->streams), snapshot_->stream);
}

// ---- what is shown

void StreamsView::showRates() {
    const QSignalBlocker quiet(slider_);
    const int count = static_cast<int>(shown_.rates.size());
    slider_->setEnabled(count > 0);
    other_->setEnabled(count > 0);
    slider_->setRange(0, std::max(0, count - 1));
    if (!slider_->isSliderDown())
        slider_->setValue(count - 1 - static_cast<int>(shown_.rate));
    rate_->setText(count > 0 ? rateText(shown_.rates[shown_.rate]) : QString());
}

void StreamsView::showCircuit() {
    const QModelIndex before = circuit_->currentIndex();
    const QString name = before.siblingAtColumn(0).data().toString().section(u' ', 0, 0);
    if (!shown_.operators) {
        if (!shown_.scheduling) {
            fillCircuit(*circuitModel_, {});
            showDrawing();
        }
        return showOperator();
    }
    fillCircuit(*circuitModel_, *shown_.operators);
    showDrawing();
    for (int column = 0; column < circuitModel_->columnCount(); ++column)
        circuit_->resizeColumnToContents(column);
    QModelIndex wanted;
    for (int row = 0; row < circuitModel_->rowCount(); ++row) {
        const QModelIndex index = circuitModel_->index(row, 0);
        const auto place = static_cast<std::size_t>(index.data(kOperatorRole).toULongLong());
        const session::StreamOperator& op = (*shown_.operators)[place];
        if (op.name == name.toStdString() || (op.isOutput && !wanted.isValid()))
            wanted = index;
    }
    circuit_->setCurrentIndex(wanted);
    circuit_->scrollTo(wanted);
    showOperator();
}

void StreamsView::showDrawing() {
    drawing_->setScene(circuitScene(shown_.operators.get(), tr("There is no circuit to draw.")));
}

void StreamsView::pickOperator(quint32 place) {
    const QModelIndexList found = circuitModel_->match(circuitModel_->index(0, 0), kOperatorRole,
                                                       static_cast<qulonglong>(place), 1,
                                                       Qt::MatchExactly | Qt::MatchRecursive);
    if (found.empty())
        return;
    pickedInDrawing_ = true;
    circuit_->setCurrentIndex(found.front());
    pickedInDrawing_ = false;
}

void StreamsView::showOperator() {
    const QModelIndex current = circuit_->currentIndex().siblingAtColumn(0);
    SpaceTimePicture picture;
    const auto place = static_cast<std::size_t>(current.data(kOperatorRole).toULongLong());
    const bool there = shown_.operators && current.isValid() && place < shown_.operators->size();
    Highlights lit;
    if (there)
        lit.selected = static_cast<std::uint32_t>(place);
    drawing_->setHighlights(lit);
    if (there && !pickedInDrawing_)
        drawing_->reveal(lit.selected, true);
    if (there)
        picture = pictureOf(*shown_.operators, place);
    else
        picture.message = shown_.scheduling ? tr("Scheduling …")
                          : shown_.program
                              ? tr("There is no circuit to show.")
                              : tr("The circuit of a stream appears here. Open a file with a "
                                   "stream item, such as examples/streams/camera.");
    picture_->setPicture(std::move(picture));
}

void StreamsView::showFront() {
    frontModel_->clear();
    frontModel_->setHorizontalHeaderLabels({tr(""), tr("LUT"), tr("FF"), tr("block RAM"), tr("DSP"),
                                            tr("delay"), tr("as hardware"), tr("output type")});
    if (!shown_.schedule)
        return;
    const auto& front = shown_.schedule->front;
    for (std::size_t k = 0; k < front.size(); ++k) {
        const device::Resources& area = front[k].area;
        const bool pinned = shown_.scheduledType == shown_.frontTypes[k];
        const QString mark = (k == shown_.chosen ? QStringLiteral("✓") : QString()) +
                             (pinned ? QStringLiteral("⌾") : QString());
        QList<QStandardItem*> row;
        for (const QString& text :
             {mark, amount(area.lut), amount(area.ff), amount(area.bram), amount(area.dsp),
              grouped(front[k].delay), hardwareText(shown_.hardware[k]),
              QString::fromStdString(shown_.frontTypes[k])}) {
            auto* cell = new QStandardItem(text);
            cell->setEditable(false);
            cell->setToolTip(tr("Enter makes it the circuit shown, Space pins its output type"));
            row << cell;
        }
        frontModel_->appendRow(row);
    }
    for (int column = 0; column < frontModel_->columnCount(); ++column)
        front_->resizeColumnToContents(column);
    front_->setCurrentIndex(frontModel_->index(static_cast<int>(shown_.chosen), 0));
}

double StreamsView::resource(const device::Resources& area) const {
    const std::array all{area.lut, area.ff, area.bram, area.dsp};
    return all[static_cast<std::size_t>(axis_->currentIndex())];
}

void StreamsView::showPlot() {
    PlotAxes axes;
    axes.x = tr("elements per clock");
    axes.left = axis_->currentText();
    axes.logX = true;
    plot_->setAxes(axes);
    PlotSeries line = seriesOf(PlotStyle::Line, 4, 1.6);
    for (auto rate = shown_.rates.rbegin(); rate != shown_.rates.rend(); ++rate)
        if (rate->area) {
            line.x.append(elementsPerClock(*rate));
            line.y.append(resource(*rate->area));
        }
    PlotSeries points = line;
    points.style = PlotStyle::Diamonds;
    points.size = 8;
    series_.clear();
    if (!line.x.isEmpty())
        series_ = {line, points};
    if (shown_.schedule) {
        const double x = elementsPerClock(shown_.rates[shown_.rate]);
        PlotSeries others = seriesOf(PlotStyle::Dots, 7, 6);
        for (const auto& design : shown_.schedule->front) {
            others.x.append(x);
            others.y.append(resource(design.area));
        }
        PlotSeries now = seriesOf(PlotStyle::Ring, 5, 15);
        now.x.append(x);
        now.y.append(resource(shown_.schedule->front[shown_.chosen].area));
        series_ << others << now;
    }
    plot_->setSeries(series_);
    if (!plot_->zoomed())
        plot_->fit();
    plot_->replot();
}

QString StreamsView::summary() const {
    return summary_->text();
}

void StreamsView::showTexts() {
    QStringList parts;
    if (shown_.schedule) {
        const auto& design = shown_.schedule->front[shown_.chosen];
        parts << areaText(design.area, design.delay);
        parts << hardwareText(shown_.hardware[shown_.chosen]);
        parts << (shown_.schedule->complete ? tr("the search counts nothing smaller")
                                            : tr("the time ended: a smaller one may exist"));
    } else if (shown_.scheduling) {
        parts << tr("scheduling …");
    }
    if (!shown_.scheduledType.empty())
        parts << tr("⌾ output %1").arg(QString::fromStdString(shown_.scheduledType));
    const auto tried = std::ranges::count_if(shown_.rates, &StreamRate::tried);
    if (tried < std::ssize(shown_.rates))
        parts << tr("%1 of %2 throughputs tried").arg(tried).arg(shown_.rates.size());
    if (snapshot_ && !shown_.device.empty() && shown_.device != snapshot_->device.id)
        parts << tr("areas of %1: %2 has no 6-input LUTs")
                     .arg(QString::fromStdString(shown_.device),
                          QString::fromStdString(snapshot_->device.id));
    summary_->showText(parts.join(QStringLiteral(" · ")));
    verdict_->setText(failureText(shown_.failure));
    verdict_->setVisible(!shown_.failure.empty());
    pin_->setEnabled(shown_.schedule || !shown_.scheduledType.empty());
}

// ---- as text

std::vector<QStringList> StreamsView::rows() const {
    std::vector<QStringList> all{circuitHeader()};
    for (std::size_t k = 0; shown_.operators && k < shown_.operators->size(); ++k)
        all.push_back(circuitTexts(*shown_.operators, k));
    return all;
}

QString StreamsView::toCsv() const {
    return csvText(rows());
}

QString StreamsView::toMarkdown() const {
    return QStringLiteral("## %1\n\n%2 · %3\n\n").arg(itemName(), rate_->text(), summary()) +
           markdownText(rows());
}

QString StreamsView::toText() const {
    QString text = itemName() + u'\n' + rate_->text() + u'\n' + summary() + u'\n';
    for (std::size_t k = 0; shown_.operators && k < shown_.operators->size(); ++k)
        text += QString((*shown_.operators)[k].depth * 2, u' ') +
                circuitTexts(*shown_.operators, k).join(QStringLiteral(" | ")) + u'\n';
    for (const SpaceTimeBand& band : picture_->picture().bands) {
        text += band.caption + u'\n';
        for (const std::string& line : spacetime::draw(band.type))
            text += QString::fromStdString(line) + u'\n';
    }
    return text;
}

Picture StreamsView::exported() const {
    return forms_->currentWidget() == drawing_ ? drawing_->picture(true) : picture_->exported();
}

Status StreamsView::exportTo(const QString& path, double scale) const {
    return saveShown(*this, path, scale);
}

} // namespace marquetry::widgets
