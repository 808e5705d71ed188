#include "shown_figures.h"

#include "app/exploration_bar.h"
#include "engine/design/cycle_model.h"
#include "engine/design/timetable.h"
#include "engine/design/verify.h"
#include "widgets/hdl/hdl_view.h"
#include "widgets/hdl/verify_panel.h"
#include "widgets/ledger/ledger_view.h"
#include "widgets/pareto/pareto_view.h"
#include "widgets/pins/pins_view.h"
#include "widgets/schedule/schedule_view.h"
#include "widgets/text/code_view.h"
#include "widgets/text/elided_label.h"

#include <QComboBox>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSpinBox>
#include <QTableView>
#include <QTreeView>

#include <algorithm>
#include <cmath>
#include <map>

namespace marquetry::test {

using session::Phase;

namespace {

template <class View>
View* viewIn(app::MainWindow& window) {
    View* const view = window.findChild<View*>();
    return view && view->isVisible() ? view : nullptr;
}

QString textOf(const QAbstractItemModel& model, int row, int column) {
    return model.index(row, column).data().toString();
}

int columnOf(const QAbstractItemModel& model, const QString& title) {
    for (int column = 0; column < model.columnCount(); ++column)
        if (model.headerData(column, Qt::Horizontal).toString() == title)
            return column;
    return -1;
}

/// Of a whole number; "–" is none.
qint64 wholeIn(const QString& text) {
    const auto read = readNumber(text, QString());
    return read ? std::llround(read->value) : 0;
}

} // namespace

bool ReadNumber::standsFor(double wanted) const {
    return std::fabs(value - wanted) <= within * 1.0001;
}

std::optional<ReadNumber> readNumber(const QString& text, const QString& before) {
    const qsizetype at = text.indexOf(before);
    if (at < 0)
        return std::nullopt;
    static const QRegularExpression form(QStringLiteral(
        "(\\d{1,3}(?:\\x{202F}\\d{3})+|\\d+)(\\.\\d+)?(?:\\s([kMGT])(?![a-bd-z]))?"));
    const QRegularExpressionMatch match = form.match(text, at + before.size());
    if (!match.hasMatch())
        return std::nullopt;
    QString digits = match.captured(1);
    digits.remove(QChar(u'\u202F'));
    const QString decimals = match.captured(2);
    static const std::map<QString, double> kScales{{"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}};
    const auto scale = kScales.find(match.captured(3));
    const double factor = scale == kScales.end() ? 1 : scale->second;
    ReadNumber read;
    read.value = (digits + decimals).toDouble() * factor;
    // Behind the point, noughts at the end are left out.
    const double last = factor == 1 && decimals.isEmpty() ? 1
                        : digits.size() >= 3              ? 1
                        : digits.size() == 2              ? 0.1
                                                          : 0.01;
    read.within = 0.5 * last * factor;
    return read;
}

QStringList ShownFigures::faults(app::MainWindow& window, bool resting) {
    faults_.clear();
    const app::SnapshotPtr snapshot = window.bridge().snapshot();
    checkDesign(*snapshot);
    checkStatusLine(window, *snapshot);
    if (resting)
        checkBar(window, *snapshot);
    checkLedger(window, *snapshot);
    checkSchedule(window, *snapshot);
    checkPareto(window, *snapshot);
    checkBadge(window, *snapshot);
    checkHdl(window, *snapshot);
    checkPins(window, *snapshot);
    checkTitle(window, *snapshot);
    return faults_;
}

void ShownFigures::expect(bool so, const QString& fault) {
    if (!so)
        faults_ << fault;
}

void ShownFigures::expectNumber(const QString& text, const QString& before, double wanted) {
    const auto read = readNumber(text, before);
    expect(
        read && read->standsFor(wanted),
        QStringLiteral("“%1”: behind “%2” %3 was to be").arg(text, before).arg(wanted, 0, 'f', 2));
}

/// The design says of itself what its parts say.
void ShownFigures::checkDesign(const session::Snapshot& s) {
    if (!s.design || counted_ == s.design)
        return;
    const design::Design& design = *s.design;
    if (design.schedule)
        expect(design::predictCycles(*design.schedule).total == design.cycles,
               QStringLiteral("the schedule takes other than %1 cycles").arg(design.cycles));
    double dsp = 0;
    for (const design::DesignUnit& unit : design.units)
        dsp += unit.resources.dsp;
    expect(dsp <= design.resources.dsp + 1e-6, QStringLiteral("units have more DSP than all"));
    if (s.ledger && s.ledger->missing.empty()) {
        for (const auto* rows : {&s.ledger->layers, &s.ledger->steps}) {
            std::int64_t cycles = 0;
            for (const design::LedgerRow& row : *rows)
                cycles += row.clocks.cycles();
            expect(cycles == design.cycles, QStringLiteral("the rows of the ledger have %1 of %2")
                                                .arg(cycles)
                                                .arg(design.cycles));
        }
        for (const design::LedgerResource& resource : s.ledger->resources) {
            double used = 0;
            for (const design::ResourceUser& user : resource.users)
                used += user.amount;
            expect(std::fabs(used - resource.used) <= 1e-6 * std::max(1.0, used),
                   QStringLiteral("users of %1").arg(QString::fromStdString(resource.name)));
        }
    }
    if (faults_.isEmpty())
        counted_ = s.design;
}

void ShownFigures::checkStatusLine(app::MainWindow& window, const session::Snapshot& s) {
    const auto* const label = window.findChild<widgets::ElidedLabel*>(QStringLiteral("statusLine"));
    const QString line = label->text();
    expect(label->toolTip() == line, QStringLiteral("the tip of the status line is another"));
    if (!s.program || s.phase == Phase::Empty || s.phase == Phase::Invalid) {
        expect(!line.contains(QStringLiteral("best ")), QStringLiteral("best of nothing: ") + line);
        return;
    }
    if (s.phase == Phase::Loaded && !s.design)
        expect(!line.contains(QStringLiteral(" cycles")), QStringLiteral("of before: ") + line);
    if (s.egraph)
        if (const auto at = line.indexOf(QStringLiteral(" e-nodes")); at >= 0)
            expectNumber(line.left(at).section(QStringLiteral(" · "), -1), QString(),
                         static_cast<double>(s.egraph->enodeCount()));
    if (s.design)
        checkDesignInLine(line, s);
    else
        expect(!line.contains(QStringLiteral(" · best ")) &&
                   !line.contains(QStringLiteral("bound ")),
               QStringLiteral("of no design: ") + line);
}

void ShownFigures::checkDesignInLine(const QString& line, const session::Snapshot& s) {
    const bool chosen = s.foundBy == session::FoundBy::Choice;
    const QString word = chosen ? QStringLiteral("chosen ") : QStringLiteral("best ");
    expectNumber(line, word, s.design->cyclesPerFrame());
    expect(!line.contains(chosen ? QStringLiteral("best ") : QStringLiteral("chosen ")),
           QStringLiteral("both best and chosen: ") + line);
    double fastest = s.design->cyclesPerFrame();
    for (const design::DesignPoint& point : s.points)
        if (point.feasible)
            fastest = std::min(fastest, point.cyclesPerFrame());
    const bool faster = chosen && fastest < s.design->cyclesPerFrame();
    expect(line.contains(QStringLiteral("fastest ")) == faster,
           QStringLiteral("the fastest has %1: ").arg(fastest) + line);
    if (faster)
        expectNumber(line, QStringLiteral("fastest "), fastest);
    expect(line.contains(QStringLiteral("bound ")) == (s.lowerBound > 0),
           QStringLiteral("the bound is %1: ").arg(s.lowerBound) + line);
    if (s.lowerBound <= 0)
        return;
    expectNumber(line, QStringLiteral("bound "), static_cast<double>(s.lowerBound));
    expect(s.lowerBound <= s.design->cycles || s.design->frames > 1,
           QStringLiteral("a design below the bound: ") + line);
    if (s.design->frames == 1)
        expect(std::fabs(s.gap - (static_cast<double>(s.design->cycles - s.lowerBound) /
                                  static_cast<double>(s.design->cycles))) < 1e-6,
               QStringLiteral("the gap is another: %1, ").arg(s.gap) + line);
    for (const auto& [resource, limit] : s.settings.limits)
        expectNumber(line, QString::fromStdString(resource) + QStringLiteral(" ≤ "), limit);
}

void ShownFigures::checkBar(app::MainWindow& window, const session::Snapshot& s) {
    const auto* const bar = window.findChild<app::ExplorationBar*>();
    expect(bar->device()->currentData().toString().toStdString() == s.settings.device,
           QStringLiteral("the bar shows another device"));
    const auto dsp = s.settings.limits.find("dsp");
    const double wanted = dsp == s.settings.limits.end() ? 0 : dsp->second;
    expect(std::fabs(bar->budget()->value() - wanted) <= 0.5,
           QStringLiteral("the bar shows %1 DSP of %2").arg(bar->budget()->value()).arg(wanted));
}

void ShownFigures::checkLedger(app::MainWindow& window, const session::Snapshot& s) {
    auto* const view = viewIn<widgets::LedgerView>(window);
    if (!view)
        return;
    const bool rows = s.ledger && s.ledger->missing.empty();
    expect((view->model()->rowCount() > 0) == rows, QStringLiteral("rows of no ledger"));
    if (!rows)
        return;
    const QString summary = view->summaryText();
    if (s.design && s.design->frames == 1)
        expectNumber(summary, QStringLiteral(": "), static_cast<double>(s.design->cycles));
    checkLedgerRows(window, s);
    const widgets::ResourceModel& resources = *view->resources();
    expect(resources.rowCount() == static_cast<int>(s.ledger->resources.size()),
           QStringLiteral("resources are missing"));
    if (s.design && resources.rowCount() > 0)
        expectNumber(textOf(resources, 0, widgets::ResourceModel::Used), QString(),
                     s.design->resources.dsp);
}

void ShownFigures::checkLedgerRows(app::MainWindow& window, const session::Snapshot& s) {
    const widgets::LedgerModel& model = *viewIn<widgets::LedgerView>(window)->model();
    const int cycles = columnOf(model, QStringLiteral("Cycles"));
    expect(cycles >= 0, QStringLiteral("no column of cycles"));
    qint64 sum = 0;
    qint64 total = -1;
    for (int row = 0; row < model.rowCount(); ++row) {
        const qint64 shown = wholeIn(textOf(model, row, cycles));
        if (model.isTotal(row))
            total = shown;
        else
            sum += shown;
    }
    expect(sum == total, QStringLiteral("the rows have %1 cycles of %2").arg(sum).arg(total));
    if (s.design && !s.heldAtHand)
        expect(total == s.design->cycles, QStringLiteral("the ledger has %1 cycles, the design %2")
                                              .arg(total)
                                              .arg(s.design->cycles));
}

void ShownFigures::checkSchedule(app::MainWindow& window, const session::Snapshot& s) {
    auto* const view = viewIn<widgets::ScheduleView>(window);
    if (!view || !s.design || !s.timetable || !s.timetable->missing.empty())
        return;
    std::int64_t last = 0;
    for (const design::TimedStep& step : s.timetable->steps)
        last = std::max(last, step.end);
    expect(last <= s.design->cycles,
           QStringLiteral("a step ends at %1 of %2").arg(last).arg(s.design->cycles));
}

void ShownFigures::checkPareto(app::MainWindow& window, const session::Snapshot& s) {
    if (s.foundBy == session::FoundBy::Choice && s.design && s.picked) {
        expect(s.picked->cycles == s.design->cycles && s.picked->resources == s.design->resources,
               QStringLiteral("the design at hand is not the one that was chosen"));
        expect(std::ranges::any_of(s.points,
                                   [&](const design::DesignPoint& point) {
                                       return point.cycles == s.picked->cycles &&
                                              point.resources == s.picked->resources;
                                   }),
               QStringLiteral("the plot has no such point as was chosen"));
    }
    auto* const view = viewIn<widgets::ParetoView>(window);
    if (!view)
        return;
    expect(!view->picked() || *view->picked() < s.points.size(),
           QStringLiteral("a point is picked that is not there"));
    for (const design::DesignPoint& point : s.points)
        if (point.onFront && point.feasible)
            expect(std::ranges::none_of(s.points,
                                        [&](const design::DesignPoint& other) {
                                            return other.feasible &&
                                                   other.cyclesPerFrame() <
                                                       point.cyclesPerFrame() &&
                                                   other.resources.dsp < point.resources.dsp &&
                                                   other.resources.bram < point.resources.bram &&
                                                   other.resources.lut < point.resources.lut &&
                                                   other.resources.ff < point.resources.ff;
                                        }),
                   QStringLiteral("a point of the front is beaten in everything"));
}

/// A verdict is of what is shown, or says that it is not.
void ShownFigures::checkBadge(app::MainWindow& window, const session::Snapshot& s) {
    auto* const view = viewIn<widgets::HdlView>(window);
    if (!view)
        return;
    const QString verdict = view->verifyPanel()->verdict();
    const bool verified = verdict.startsWith(u'✓') || verdict.startsWith(u'✕');
    expect(verified == (s.verify.done && !s.verify.ofAnother && !s.verify.running),
           QStringLiteral("the badge says “%1”").arg(verdict));
    if (!verified || !s.verify.item.empty() || !s.design || s.heldAtHand)
        return;
    expect(s.verify.predictedCycles == s.design->cycles,
           QStringLiteral("verified were %1 cycles, the design has %2")
               .arg(s.verify.predictedCycles)
               .arg(s.design->cycles));
    expectNumber(view->verifyPanel()->toText(), QStringLiteral("simulated, "),
                 static_cast<double>(s.design->cycles));
}

void ShownFigures::checkHdl(app::MainWindow& window, const session::Snapshot& s) {
    auto* const view = viewIn<widgets::HdlView>(window);
    if (!view)
        return;
    const QString path = view->currentFile();
    if (!s.hdl) {
        expect(view->code()->toPlainText().isEmpty(), QStringLiteral("Verilog of nothing"));
        return;
    }
    for (const session::HdlFile& file : *s.hdl)
        if (QString::fromStdString(file.path) == path)
            expect(view->code()->toPlainText().toStdString() == file.text,
                   QStringLiteral("the text of %1 is another").arg(path));
}

void ShownFigures::checkPins(app::MainWindow& window, const session::Snapshot& s) {
    auto* const view = viewIn<widgets::PinsView>(window);
    if (!view)
        return;
    const widgets::PinModel& model = *view->model();
    expect(model.rowCount() == static_cast<int>(s.pins.size()), QStringLiteral("pins are missing"));
    for (int row = 0; row < std::min(model.rowCount(), static_cast<int>(s.pins.size())); ++row)
        expect(model.pin(row) == s.pins[static_cast<std::size_t>(row)] &&
                   model.index(row, 0).data(Qt::CheckStateRole).toInt() ==
                       (model.pin(row).enabled ? Qt::Checked : Qt::Unchecked),
               QStringLiteral("pin %1 is another").arg(row));
}

void ShownFigures::checkTitle(app::MainWindow& window, const session::Snapshot& s) {
    if (s.file.empty())
        return;
    const QString title = window.windowTitle();
    expect(title.contains(QStringLiteral(".mqs[*]")) ||
               title.startsWith(QFileInfo(QString::fromStdString(s.file)).fileName()),
           QStringLiteral("the title is “%1”").arg(title));
}

} // namespace marquetry::test
