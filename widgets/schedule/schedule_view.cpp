#include "widgets/schedule/schedule_view.h"

#include "engine/design/timetable_table.h"
#include "engine/design/timetable_text.h"
#include "widgets/canvas/export_menu.h"
#include "widgets/models/pin_menu.h"
#include "widgets/schedule/queue_lanes_widget.h"
#include "widgets/schedule/step_details.h"
#include "widgets/schedule/timetable_filter.h"
#include "widgets/schedule/timetable_model.h"
#include "widgets/text/elided_label.h"
#include "widgets/text/number_text.h"
#include "widgets/text/table_text.h"
#include "widgets/text/view_menu.h"

#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QTableView>
#include <QTextBrowser>
#include <QUrl>

#include <algorithm>
#include <ranges>

namespace marquetry::widgets {

namespace {

constexpr const char* kScheduleStart = "schedule\n";
constexpr const char* kJsonStart = "{\n  \"program\": ";

QString shareText(double share) {
    return QStringLiteral("%1 %").arg(100 * share, 0, 'f', 1);
}

/// Steps of the layers that are selected; none where nothing is.
std::vector<std::size_t> stepsOf(const design::Timetable& timetable, const SelectionModel& now) {
    std::vector<std::size_t> steps;
    if (isEmpty(now.subject()))
        return steps;
    const auto& layers = now.linked().layers;
    for (std::size_t s = 0; s < timetable.steps.size(); ++s)
        if (!timetable.steps[s].isTransfer() &&
            std::ranges::find(layers, timetable.steps[s].name) != layers.end())
            steps.push_back(s);
    return steps;
}

} // namespace

void ScheduleView::setSnapshot(const std::shared_ptr<const session::Snapshot>& snapshot) {
    if (!snapshot)
        return;
    selection_->setSnapshot(snapshot);
    if (timetable_ == snapshot->timetable)
        return;
    timetable_ = snapshot->timetable;
    showTimetable();
}

void ScheduleView::showTimetable() {
    following_ = true; // rows that come and go are no choice of the user's
    step_.reset();
    selected_.reset();
    model_->setTimetable(timetable_);
    following_ = false;
    lanes_->setLanes(timetable_);
    for (int column = 0; column < model_->columnCount(); ++column)
        table_->setColumnHidden(column, column > 1 && !model_->isUsed(column));
    summary_->setText(summaryText());
    count_->showText(countText());
    onSelection();
}

QString ScheduleView::countText() const {
    return tr("showing %1 of %2 steps").arg(filter_->rowCount()).arg(model_->rowCount());
}

QString ScheduleView::summaryText() const {
    if (!timetable_)
        return tr("No design yet. The steps of its schedule are shown here when extraction has "
                  "found one.");
    if (!timetable_->missing.empty())
        return tr("There is no schedule of this design: %1")
            .arg(QString::fromStdString(timetable_->missing));
    const QString cycles = frameCyclesText(timetable_->cycles, timetable_->frames);
    QStringList queues;
    for (const QueueLane& lane : lanes_->lanes().lanes) {
        const QString share = shareText(lane.busy);
        const QString name = lane.fullest ? tr("%1, the fullest queue,").arg(lane.name) : lane.name;
        queues << (lane.waits ? tr("the list waits for queues for %1").arg(share)
                              : tr("%1 run for %2").arg(name, share));
    }
    return tr("%1: %2 in %3 steps. Of these clocks %4.")
        .arg(QString::fromStdString(timetable_->program), cycles)
        .arg(timetable_->steps.size())
        .arg(queues.join(QStringLiteral(", ")));
}

void ScheduleView::onCurrentRow(const QModelIndex& current) {
    const QModelIndex source = filter_->mapToSource(current);
    if (!following_ && source.isValid())
        pick(static_cast<std::size_t>(source.row()));
}

void ScheduleView::pick(std::size_t step) {
    if (!timetable_ || step >= timetable_->steps.size())
        return; // of a design that is gone
    const design::TimedStep& timed = timetable_->steps[step];
    step_ = step;
    following_ = true;
    selection_->select(timed.isTransfer() ? Subject{} : Subject(LayerName{timed.name}));
    following_ = false;
    selected_ = stepsOf(*timetable_, *selection_);
    showStep();
    if (timed.isTransfer())
        Q_EMIT valuePicked(QString::fromStdString(timed.name));
}

/// Of several steps of a layer the one at hand stays.
void ScheduleView::onSelection() {
    if (following_)
        return;
    const auto steps = timetable_ ? stepsOf(*timetable_, *selection_) : std::vector<std::size_t>();
    if (selected_ == steps)
        return; // the step at hand, and what is in sight, stay
    selected_ = steps;
    if (steps.empty())
        step_.reset();
    else if (!step_ || !std::ranges::binary_search(steps, *step_))
        step_ = steps.front();
    showStep();
}

void ScheduleView::showStep() {
    LaneMarks marks;
    if (timetable_)
        marks = {stepsOf(*timetable_, *selection_), step_};
    lanes_->setMarks(std::move(marks));
    details_->setHtml(step_ ? stepHtml(*timetable_, *step_)
                            : tr("Pick a step, above or in the table, to see its loops, what it "
                                 "reads and writes, and what it waits for."));
    following_ = true;
    const QModelIndex wanted =
        step_ ? filter_->mapFromSource(model_->index(static_cast<int>(*step_), 0)) : QModelIndex();
    if (wanted.isValid()) {
        table_->selectRow(wanted.row());
        table_->scrollTo(wanted.siblingAtColumn(0));
    } else {
        table_->clearSelection();
        table_->setCurrentIndex({});
    }
    following_ = false;
}

void ScheduleView::onLink(const QUrl& link) {
    if (const auto step =
            timetable_ ? linkedStep(*timetable_, link.toString()) : std::optional<std::size_t>())
        pick(*step);
}

void ScheduleView::askForSource() {
    if (step_)
        Q_EMIT sourceRequested(QString::fromStdString(timetable_->steps[*step_].name));
}

/// What was selected meanwhile may be out of sight.
void ScheduleView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    QMetaObject::invokeMethod(this, &ScheduleView::onSelection, Qt::QueuedConnection);
}

/// Links have the colour of the theme in which their text was set.
void ScheduleView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        showStep();
}

void ScheduleView::showMenu(QWidget* over, QPoint place) {
    ViewMenu::show(createMenu(), over, over->mapToGlobal(place));
}

QMenu* ScheduleView::createMenu() {
    auto* menu = new QMenu(this);
    QAction* const source = menu->addAction(tr("Show in the Source"));
    source->setEnabled(step_.has_value());
    connect(source, &QAction::triggered, this, &ScheduleView::askForSource);
    const auto awaited = step_ ? timetable_->steps[*step_].awaited : std::optional<std::size_t>();
    QAction* const before = menu->addAction(tr("Go to the Step by Which It Begins"));
    before->setEnabled(awaited.has_value());
    connect(before, &QAction::triggered, this, [this, awaited, of = timetable_] {
        if (of == timetable_) // the search may have found another meanwhile
            pick(*awaited);
    });
    menu->addSeparator();
    const Subject subject = selection_->subject();
    addPinActions(menu, this, *selection_->index(), subject);
    if (!isEmpty(subject)) {
        connect(menu->addAction(tr("Show in the e-graph")), &QAction::triggered, this,
                [this, subject] { Q_EMIT focusRequested(subject); });
        addCopyId(menu, subject);
    }
    return menu;
}

Picture ScheduleView::exported() const {
    const QueueLanes lanes = lanes_->lanes();
    LanesView view = lanes_->view();
    view.size = QSizeF(std::max(lanes_->width(), 480), lanesHeight(lanes));
    const Theme theme = themeOf(palette());
    return {view.size, tr("Queues over time"),
            [lanes, view, theme](QPainter& painter) { paintLanes(painter, lanes, view, theme); }};
}

/// The header and what the filter lets through, in the order shown; all columns.
std::vector<QStringList> ScheduleView::tableRows(int role) const {
    std::vector<QStringList> rows(static_cast<std::size_t>(filter_->rowCount()) + 1);
    rows[0] = TimetableModel::titles();
    for (int row = 0; row < filter_->rowCount(); ++row)
        for (int column = 0; column < model_->columnCount(); ++column)
            rows[static_cast<std::size_t>(row) + 1]
                << filter_->index(row, column).data(role).toString();
    return rows;
}

bool ScheduleView::isText(std::string_view bytes) {
    const std::vector<QStringList> header{TimetableModel::titles()};
    return bytes.starts_with(kScheduleStart) || bytes.starts_with(csvText(header).toStdString()) ||
           bytes.starts_with(markdownText(header).toStdString()) ||
           (bytes.starts_with(kJsonStart) && bytes.find("\n  \"steps\": [") != bytes.npos);
}

QString ScheduleView::toText() const {
    QString text = QString::fromLatin1(kScheduleStart) + summaryText() + QLatin1Char('\n') +
                   countText() + QLatin1Char('\n');
    for (const QStringList& row : tableRows(Qt::DisplayRole) | std::views::drop(1))
        text += row.join(QStringLiteral(" | ")) + QLatin1Char('\n');
    return text;
}

/// Numbers as they are, not as they are read.
QString ScheduleView::toCsv() const {
    return csvText(tableRows(TimetableModel::PlainRole));
}

QString ScheduleView::toMarkdown() const {
    return markdownText(tableRows(Qt::DisplayRole));
}

Status ScheduleView::exportTo(const QString& path, double scale) const {
    if (QFileInfo(path).suffix() == QLatin1String("json"))
        return saveText(
            QString::fromStdString(timetableJson(timetable_ ? *timetable_ : design::Timetable{})) +
                u'\n',
            path);
    return saveShown(*this, path, scale);
}

} // namespace marquetry::widgets
