#include "widgets/progress/progress_view.h"

#include "widgets/progress/metric_rows.h"
#include "widgets/text/elided_label.h"
#include "widgets/text/number_text.h"
#include "widgets/theme/theme.h"

#include <QEvent>
#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QVBoxLayout>

namespace marquetry::widgets {

using session::Phase;

namespace {

// Orange, sky blue, green.
const QColor kEnodes = categoryColour(0);
const QColor kEclasses = categoryColour(1);
const QColor kRebuild = categoryColour(2);

PlotSeries line(const QString& name, const QColor& colour, PlotStyle style = PlotStyle::Line) {
    PlotSeries series;
    series.name = name;
    series.style = style;
    series.colour = colour;
    series.size = 2;
    return series;
}

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
    case Phase::Measuring:
        return QObject::tr("measuring");
    case Phase::Planning:
        return QObject::tr("searching");
    case Phase::Opening:
        return QObject::tr("opening");
    case Phase::Writing:
        return QObject::tr("writing HDL");
    }
    return {};
}

QString outcomeText(egraph::StopReason outcome) {
    switch (outcome) {
    case egraph::StopReason::Saturated:
        return QObject::tr("saturated: nothing new to find");
    case egraph::StopReason::IterationLimit:
        return QObject::tr("stopped by the limit on iterations");
    case egraph::StopReason::NodeLimit:
        return QObject::tr("stopped by the limit on e-nodes");
    case egraph::StopReason::TimeLimit:
        return QObject::tr("stopped by the time limit");
    case egraph::StopReason::MemoryLimit:
        return QObject::tr("stopped by the memory limit");
    case egraph::StopReason::Cancelled:
        return QObject::tr("stopped by you");
    }
    return {};
}

ProgressView::ProgressView(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("progressView"));
    summary_ = new ElidedLabel(this);
    summary_->setAccessibleName(tr("State of the search"));
    summary_->setContentsMargins(6, 4, 6, 0);
    growth_ = createPlot(tr("E-nodes and e-classes per iteration"));
    times_ = createPlot(tr("Milliseconds per iteration"));
    auto* splitter = new QSplitter(Qt::Horizontal, this);
    splitter->addWidget(growth_);
    splitter->addWidget(times_);
    splitter->addWidget(createMetrics());
    splitter->setSizes({400, 320, 260});
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
    growth_->setAxes(axes);
    axes.left = tr("ms");
    axes.legendLow = false;
    times_->setAxes(axes);
    applyColours();
    summary_->showText(phaseText(Phase::Empty));
}

QWidget* ProgressView::createMetrics() {
    metrics_ = new QLabel(this);
    metrics_->setTextFormat(Qt::RichText);
    metrics_->setWordWrap(true);
    metrics_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    metrics_->setContentsMargins(8, 4, 8, 4);
    metrics_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    metrics_->setAccessibleName(tr("Metrics of the design space"));
    auto* scroll = new QScrollArea(this);
    scroll->setWidget(metrics_);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    return scroll;
}

Plot* ProgressView::createPlot(const QString& name) {
    auto* plot = new Plot(this);
    plot->setPlaceholder(name);
    plot->setMinimumWidth(180);
    plot->setAccessibleName(name);
    return plot;
}

void ProgressView::setSnapshot(const std::shared_ptr<const session::Snapshot>& snapshot) {
    snapshot_ = snapshot;
    summary_->showText(summary());
    showMetrics();
    if (snapshot_->iterations.size() == shownIterations_ && shownIterations_ != 0)
        return;
    shownIterations_ = snapshot_->iterations.size();
    showGrowth();
    showTimes();
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
    if (snapshot_->extracting)
        parts << tr("extracting for %1 s, %2 pools tried")
                     .arg(QString::number(snapshot_->extracting->seconds, 'f', 1),
                          grouped(static_cast<std::int64_t>(snapshot_->extracting->poolsTried)));
    if (snapshot_->outcome)
        parts << outcomeText(*snapshot_->outcome);
    else if (snapshot_->phase == Phase::Saturating)
        parts << tr("how long: unknown");
    return parts.join(QStringLiteral(" · "));
}

void ProgressView::showMetrics() {
    QString html = QStringLiteral("<table cellspacing=\"0\" cellpadding=\"2\">");
    const std::vector<MetricRow> rows = metricRows(*snapshot_);
    for (const MetricRow& row : rows)
        html += QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td align=\"right\"><b>%2</b></td></tr>"
                               "<tr><td colspan=\"2\"><small>%3</small></td></tr>")
                    .arg(row.name.toHtmlEscaped(), row.value.toHtmlEscaped(),
                         row.meaning.toHtmlEscaped());
    html += QStringLiteral("</table>");
    if (rows.empty())
        html = tr("Metrics of the design space appear here.");
    if (html != metrics_->text())
        metrics_->setText(html);
}

void ProgressView::showGrowth() {
    PlotSeries enodes = line(tr("e-nodes"), kEnodes);
    PlotSeries eclasses = line(tr("e-classes"), kEclasses, PlotStyle::DashedLine);
    eclasses.side = PlotSide::Right;
    for (const egraph::Iteration& iteration : snapshot_->iterations) {
        enodes.x.append(iteration.index);
        enodes.y.append(static_cast<double>(iteration.enodes));
        eclasses.x.append(iteration.index);
        eclasses.y.append(static_cast<double>(iteration.eclasses));
    }
    draw(growth_, {enodes, eclasses});
}

void ProgressView::showTimes() {
    PlotSeries search = line(tr("search"), kEnodes);
    PlotSeries apply = line(tr("apply"), kEclasses, PlotStyle::DashedLine);
    PlotSeries rebuild = line(tr("rebuild"), kRebuild, PlotStyle::StepLine);
    for (const egraph::Iteration& iteration : snapshot_->iterations) {
        for (PlotSeries* series : {&search, &apply, &rebuild})
            series->x.append(iteration.index);
        search.y.append(1000 * iteration.searchSeconds);
        apply.y.append(1000 * iteration.applySeconds);
        rebuild.y.append(1000 * iteration.rebuildSeconds);
    }
    draw(times_, {search, apply, rebuild});
}

void ProgressView::draw(Plot* plot, const QVector<PlotSeries>& series) {
    plot->setSeries(shownIterations_ == 0 ? QVector<PlotSeries>{} : series);
    if (!plot->zoomed())
        plot->fit();
    plot->replot();
}

void ProgressView::applyColours() {
    for (Plot* plot : {growth_, times_}) {
        plot->setColours(plotColours(palette(), kEclasses));
        plot->replot();
    }
}

void ProgressView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange && times_)
        applyColours();
    QWidget::changeEvent(event);
}

QString ProgressView::toText() const {
    QString out = summary() + u'\n';
    if (snapshot_)
        for (const egraph::Iteration& iteration : snapshot_->iterations)
            out += QStringLiteral("%1 %2 %3\n")
                       .arg(iteration.index)
                       .arg(iteration.enodes)
                       .arg(iteration.eclasses);
    if (snapshot_)
        for (const MetricRow& row : metricRows(*snapshot_))
            out += row.name + QStringLiteral(": ") + row.value + u'\n';
    return out;
}

} // namespace marquetry::widgets
