#include "widgets/progress/progress_view.h"

#include "widgets/text/number_text.h"
#include "widgets/theme/theme.h"

#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QTreeView>
#include <QVBoxLayout>

namespace marquetry::widgets {

using session::Phase;

namespace {

// Orange and sky blue.
const QColor kEnodes = categoryColour(0);
const QColor kEclasses = categoryColour(1);

double secondsOf(const egraph::Iteration& iteration) {
    return iteration.searchSeconds + iteration.applySeconds + iteration.rebuildSeconds;
}

} // namespace

QString phaseText(Phase phase) {
    switch (phase) {
    case Phase::Empty:
        return QObject::tr("no program");
    case Phase::Invalid:
        return QObject::tr("the program has errors");
    case Phase::Loaded:
        return QObject::tr("ready to run");
    case Phase::Saturating:
        return QObject::tr("saturating");
    case Phase::Paused:
        return QObject::tr("paused");
    case Phase::Extracting:
        return QObject::tr("extracting");
    case Phase::Ready:
        return QObject::tr("done");
    case Phase::Exporting:
        return QObject::tr("exporting");
    case Phase::Verifying:
        return QObject::tr("verifying");
    }
    return {};
}

QString outcomeText(egraph::Outcome outcome) {
    switch (outcome) {
    case egraph::Outcome::Saturated:
        return QObject::tr("saturated: nothing new to find");
    case egraph::Outcome::IterationLimit:
        return QObject::tr("stopped by the limit on iterations");
    case egraph::Outcome::NodeLimit:
        return QObject::tr("stopped by the limit on e-nodes");
    case egraph::Outcome::TimeLimit:
        return QObject::tr("stopped by the time limit");
    case egraph::Outcome::MemoryLimit:
        return QObject::tr("stopped by the memory limit");
    case egraph::Outcome::Cancelled:
        return QObject::tr("stopped by you");
    }
    return {};
}

ProgressView::ProgressView(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("progressView"));
    summary_ = new QLabel(this);
    summary_->setAccessibleName(tr("State of the search"));
    summary_->setContentsMargins(6, 4, 6, 0);
    plot_ = new Plot(this);
    plot_->setPlaceholder(tr("E-nodes and e-classes per iteration"));
    plot_->setMinimumWidth(260);
    plot_->setAccessibleName(tr("E-nodes and e-classes per iteration"));
    auto* splitter = new QSplitter(Qt::Horizontal, this);
    splitter->addWidget(plot_);
    splitter->addWidget(createTable());
    splitter->setSizes({420, 560});
    splitter->setChildrenCollapsible(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(summary_);
    layout->addWidget(splitter, 1);
    PlotAxes axes;
    axes.x = tr("iteration");
    axes.left = tr("e-nodes");
    axes.right = tr("e-classes");
    axes.legendLow = true;
    plot_->setAxes(axes);
    applyColours();
    summary_->setText(phaseText(Phase::Empty));
}

QWidget* ProgressView::createTable() {
    model_ = new RuleTableModel(this);
    sorted_ = new QSortFilterProxyModel(this);
    sorted_->setSourceModel(model_);
    sorted_->setSortRole(Qt::UserRole);
    table_ = new QTreeView(this);
    table_->setModel(sorted_);
    table_->setRootIsDecorated(false);
    table_->setUniformRowHeights(true);
    table_->setAlternatingRowColors(true);
    table_->setSortingEnabled(true);
    table_->sortByColumn(RuleTableModel::Applied, Qt::DescendingOrder);
    table_->setAccessibleName(tr("Rules: matches, applications and seconds"));
    table_->setFrameShape(QFrame::NoFrame);
    table_->header()->setStretchLastSection(false);
    table_->header()->setSectionResizeMode(RuleTableModel::Rule, QHeaderView::Stretch);
    for (int column = RuleTableModel::Group; column < RuleTableModel::ColumnCount; ++column)
        table_->header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
    return table_;
}

void ProgressView::setSnapshot(const std::shared_ptr<const session::Snapshot>& snapshot) {
    snapshot_ = snapshot;
    model_->setSnapshot(*snapshot);
    summary_->setText(summary());
    showChart();
}

QString ProgressView::summary() const {
    if (!snapshot_)
        return phaseText(Phase::Empty);
    QStringList parts{phaseText(snapshot_->phase)};
    if (!snapshot_->iterations.empty()) {
        const egraph::Iteration& last = snapshot_->iterations.back();
        double seconds = 0;
        for (const egraph::Iteration& iteration : snapshot_->iterations)
            seconds += secondsOf(iteration);
        parts << tr("iteration %1").arg(last.index)
              << tr("%1 e-nodes").arg(grouped(static_cast<std::int64_t>(last.enodes)))
              << tr("%1 e-classes").arg(grouped(static_cast<std::int64_t>(last.eclasses)))
              << tr("%1 s searching").arg(QString::number(seconds, 'f', 2))
              << tr("%1 MB").arg(QString::number(static_cast<double>(last.bytes) / 1e6, 'f', 1));
    }
    if (snapshot_->outcome)
        parts << outcomeText(*snapshot_->outcome);
    else if (snapshot_->phase == Phase::Saturating)
        parts << tr("how long: unknown");
    return parts.join(QStringLiteral(" · "));
}

void ProgressView::showChart() {
    if (snapshot_->iterations.size() == shownIterations_ && shownIterations_ != 0)
        return;
    shownIterations_ = snapshot_->iterations.size();
    PlotSeries enodes;
    enodes.name = tr("e-nodes");
    enodes.style = PlotStyle::Line;
    enodes.colour = kEnodes;
    enodes.size = 2;
    PlotSeries eclasses = enodes;
    eclasses.name = tr("e-classes");
    eclasses.style = PlotStyle::DashedLine;
    eclasses.side = PlotSide::Right;
    eclasses.colour = kEclasses;
    for (const egraph::Iteration& iteration : snapshot_->iterations) {
        enodes.x.append(iteration.index);
        enodes.y.append(static_cast<double>(iteration.enodes));
        eclasses.x.append(iteration.index);
        eclasses.y.append(static_cast<double>(iteration.eclasses));
    }
    plot_->setSeries(shownIterations_ == 0 ? QVector<PlotSeries>{}
                                           : QVector<PlotSeries>{enodes, eclasses});
    if (!plot_->zoomed())
        plot_->fit();
    plot_->replot();
}

void ProgressView::applyColours() {
    plot_->setColours(plotColours(palette(), kEclasses));
    plot_->replot();
}

void ProgressView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange && plot_)
        applyColours();
    QWidget::changeEvent(event);
}

QString ProgressView::toText() const {
    QString out = summary() + u'\n';
    for (const RuleTableModel::Row& row : model_->rows())
        out += QStringLiteral("%1 [%2] %3 %4\n")
                   .arg(row.rule, row.group)
                   .arg(row.matches)
                   .arg(row.applied);
    return out;
}

} // namespace marquetry::widgets
