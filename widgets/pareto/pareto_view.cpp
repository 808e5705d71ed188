#include "widgets/pareto/pareto_view.h"

#include "widgets/canvas/export_menu.h"
#include "widgets/canvas/picture.h"
#include "widgets/text/elided_label.h"
#include "widgets/text/number_text.h"
#include "widgets/text/view_menu.h"
#include "widgets/theme/theme.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QSignalBlocker>
#include <QToolButton>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace marquetry::widgets {

namespace {

constexpr double kReach = 24; ///< pixels around the pointer within which a design is found

// Vermilion, blue, green, grey.
const QColor kFront = categoryColour(5);
const QColor kCurrent = categoryColour(4);
const QColor kPicked = categoryColour(2);
const QColor kDominated = categoryColour(7);
const QColor kSweep = categoryColour(1);

PlotSeries seriesOf(const QString& name, PlotStyle style, const QColor& colour, double size) {
    PlotSeries series;
    series.name = name;
    series.style = style;
    series.colour = colour;
    series.size = size;
    return series;
}

void append(PlotSeries& series, const std::vector<ParetoPoint>& points) {
    series.x.reserve(static_cast<qsizetype>(points.size()));
    series.y.reserve(static_cast<qsizetype>(points.size()));
    for (const ParetoPoint& point : points) {
        series.x.append(point.x);
        series.y.append(point.y);
    }
}

} // namespace

ParetoView::ParetoView(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("paretoView"));
    setAccessibleName(tr("Pareto plot"));
    setAccessibleDescription(
        tr("Designs found: one resource against cycles. Left and Right walk "
           "along the front, Return makes a design the current one, Shift+Return "
           "uses its resources as limits."));
    setFocusPolicy(Qt::StrongFocus);
    plot_ = new Plot(this);
    plot_->setPlaceholder(tr("Every design found appears here: run the search (F5)."));
    createControls();
    connect(plot_, &Plot::hovered, this, &ParetoView::onHovered);
    connect(plot_, &Plot::clicked, this, &ParetoView::onClicked);
    connect(plot_, &Plot::pointerLeft, this, [] { QToolTip::hideText(); });
    applyColours();
    refresh();
}

void ParetoView::createActions() {
    makeCurrent_ = new QAction(tr("Make it the current design"), this);
    connect(makeCurrent_, &QAction::triggered, this, &ParetoView::requestDesign);
    useLimits_ = new QAction(tr("Use its resources as limits"), this);
    connect(useLimits_, &QAction::triggered, this, &ParetoView::requestLimits);
    compare_ = new QAction(tr("Compare the current design with it"), this);
    connect(compare_, &QAction::triggered, this, [this] {
        if (picked_)
            Q_EMIT compareRequested(snapshot_->points[*picked_]);
    });
}

void ParetoView::createControls() {
    axisBox_ = new QComboBox(this);
    axisBox_->setAccessibleName(tr("Resource on the horizontal axis"));
    for (const ParetoAxis axis : {ParetoAxis::Dsp, ParetoAxis::Bram, ParetoAxis::Lut})
        axisBox_->addItem(axisTitle(axis));
    logX_ = new QCheckBox(tr("log x"), this);
    logY_ = new QCheckBox(tr("log y"), this);
    logX_->setAccessibleName(tr("Logarithmic horizontal axis"));
    logY_->setAccessibleName(tr("Logarithmic vertical axis"));
    summary_ = new ElidedLabel(this);
    summary_->setForegroundRole(QPalette::PlaceholderText);
    createActions();
    auto* row = new QHBoxLayout;
    row->setContentsMargins(6, 4, 6, 0);
    for (QWidget* widget : std::initializer_list<QWidget*>{axisBox_, logX_, logY_})
        row->addWidget(widget);
    summary_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    row->addWidget(summary_, 1);
    row->addWidget(menuButton(tr("Sweep"), tr("Sweep beside the designs"), createSweepMenu()));
    row->addWidget(menuButton(tr("Export"), tr("Export the Pareto plot"), createExportMenu()));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addLayout(row);
    layout->addWidget(plot_, 1);

    connect(axisBox_, &QComboBox::currentIndexChanged, this, [this] {
        plot_->fit();
        refresh();
    });
    for (QCheckBox* box : {logX_, logY_})
        connect(box, &QCheckBox::toggled, this, [this] {
            plot_->fit();
            refresh();
        });
}

QToolButton* ParetoView::menuButton(const QString& text, const QString& name, QMenu* menu) {
    auto* button = new QToolButton(this);
    button->setText(text);
    button->setAccessibleName(name);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setMenu(menu);
    button->setAutoRaise(true);
    return button;
}

QMenu* ParetoView::createExportMenu() {
    auto* menu = new QMenu(this);
    addExports(menu, this, tr("Export the Pareto plot"), QStringLiteral("pareto"),
               {{tr("PNG…"), "png"},
                {tr("PNG, 2×…"), "png", 2},
                {tr("SVG…"), "svg"},
                {tr("PDF…"), "pdf"},
                {tr("CSV…"), "csv"}});
    menu->addSeparator();
    connect(menu->addAction(tr("Copy as CSV")), &QAction::triggered, this, [this] {
        if (snapshot_)
            QApplication::clipboard()->setText(paretoCsv(snapshot_->points));
    });
    return menu;
}

Status ParetoView::exportTo(const QString& path, double scale) const {
    if (path.endsWith(QStringLiteral(".svg")))
        return saveBytes(plot_->toSvg(), path);
    if (path.endsWith(QStringLiteral(".pdf")))
        return saveBytes(plot_->toPdf(), path);
    if (path.endsWith(QStringLiteral(".png")))
        return savePng(plot_->image(scale), path);
    return saveText(snapshot_ ? paretoCsv(snapshot_->points) : QString(), path);
}

void ParetoView::setSnapshot(const std::shared_ptr<const session::Snapshot>& snapshot) {
    if (picked_ && *picked_ >= snapshot->points.size())
        picked_.reset();
    snapshot_ = snapshot;
    refresh();
}

void ParetoView::setAxis(ParetoAxis axis) {
    axisBox_->setCurrentIndex(static_cast<int>(axis));
}

ParetoAxis ParetoView::axis() const {
    return static_cast<ParetoAxis>(axisBox_->currentIndex());
}

void ParetoView::setLogarithmic(bool x, bool y) {
    logX_->setChecked(x);
    logY_->setChecked(y);
}

void ParetoView::refresh() {
    data_ = snapshot_ ? paretoData(snapshot_->points, axis()) : ParetoData{};
    PlotAxes axes;
    axes.x = axisTitle(axis());
    axes.left = ofSeveralFrames() ? tr("cycles per frame") : tr("cycles");
    axes.logX = logX_->isChecked();
    axes.logLeft = logY_->isChecked();
    plot_->setAxes(axes);
    plot_->setSeries(series());
    plot_->setLimits(limits());
    if (!plot_->zoomed())
        plot_->fit();
    plot_->replot();
    showSummary();
}

QVector<PlotSeries> ParetoView::series() const {
    QVector<PlotSeries> all;
    if (!sweep_.empty()) {
        PlotSeries sweep = seriesOf(tr("sweep of %1").arg(sweepName_), PlotStyle::Dots, kSweep, 6);
        for (const SweepPoint& point : sweep_) {
            sweep.x.append(resourceOf(point.resources, axis()));
            sweep.y.append(point.cycles);
        }
        all.append(sweep);
    }
    if (!snapshot_)
        return all;
    PlotSeries dominated = seriesOf(tr("dominated"), PlotStyle::Dots, kDominated, 4);
    append(dominated, data_.dominated);
    PlotSeries over = seriesOf(tr("over a limit"), PlotStyle::Crosses, kDominated, 5);
    append(over, data_.infeasible);
    PlotSeries stair = seriesOf(tr("front"), PlotStyle::StepLine, kFront, 1.8);
    append(stair, data_.stair);
    PlotSeries front = seriesOf({}, PlotStyle::Diamonds, kFront, 8);
    append(front, data_.front);
    for (const PlotSeries& s : {dominated, over, stair, front})
        if (!s.x.isEmpty())
            all.append(s);
    if (snapshot_->design) {
        PlotSeries current = seriesOf(tr("current"), PlotStyle::Ring, kCurrent, 13);
        current.x.append(resourceOf(snapshot_->design->resources, axis()));
        current.y.append(snapshot_->design->cyclesPerFrame());
        all.append(current);
    }
    if (picked_) {
        const design::DesignPoint& point = snapshot_->points[*picked_];
        PlotSeries picked = seriesOf(tr("picked"), PlotStyle::Ring, kPicked, 19);
        picked.x.append(resourceOf(point.resources, axis()));
        picked.y.append(point.cyclesPerFrame());
        all.append(picked);
    }
    return all;
}

bool ParetoView::ofSeveralFrames() const {
    return snapshot_ &&
           std::ranges::any_of(snapshot_->points,
                               [](const design::DesignPoint& point) { return point.frames > 1; });
}

QVector<PlotLimit> ParetoView::limits() const {
    QVector<PlotLimit> all;
    if (!snapshot_)
        return all;
    const double limit = resourceOf(snapshot_->limits, axis());
    if (limit > 0)
        all.append({Qt::Vertical, limit, tr("limit %1").arg(amount(limit))});
    const auto cycles = snapshot_->settings.limits.find("cycles"); // of a run
    if (cycles != snapshot_->settings.limits.end() && !ofSeveralFrames())
        all.append({Qt::Horizontal, cycles->second, tr("limit %1").arg(amount(cycles->second))});
    return all;
}

void ParetoView::showSummary() {
    if (data_.total == 0) {
        summary_->showText(tr("no designs yet"));
        return;
    }
    const auto count = [](std::size_t n) { return grouped(static_cast<std::int64_t>(n)); };
    const std::size_t drawn = data_.dominated.size() + data_.infeasible.size() + data_.front.size();
    QString text = tr("showing %1 of %2 designs · %3 on the front")
                       .arg(count(drawn), count(data_.total), count(data_.front.size()));
    const int leftOut = plot_->leftOut();
    if (leftOut > 0)
        text += tr(" · %1 at or below 0 not on a log axis").arg(leftOut);
    summary_->showText(text);
}

void ParetoView::applyColours() {
    plot_->setColours(plotColours(palette(), kDominated));
    plot_->replot();
}

void ParetoView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange && plot_)
        applyColours();
    QWidget::changeEvent(event);
}

std::optional<std::size_t> ParetoView::pointAt(QPointF pixel) const {
    std::optional<std::size_t> nearest;
    double best = kReach * kReach;
    // The front comes first: of two designs equally near it wins.
    for (const auto* list : {&data_.front, &data_.dominated, &data_.infeasible})
        for (const ParetoPoint& point : *list) {
            const QPointF away = plot_->toPixel({point.x, point.y}) - pixel;
            const double distance = QPointF::dotProduct(away, away);
            if (distance < best) {
                best = distance;
                nearest = point.index;
            }
        }
    return nearest;
}

QString ParetoView::textAt(QPointF pixel) const {
    if (const std::optional<std::size_t> index = pointAt(pixel))
        return pointText(snapshot_->points[*index]);
    QString text;
    double best = kReach * kReach;
    for (const SweepPoint& point : sweep_) {
        const QPointF at(resourceOf(point.resources, axis()), point.cycles);
        const QPointF away = plot_->toPixel(at) - pixel;
        const double distance = QPointF::dotProduct(away, away);
        if (distance < best) {
            best = distance;
            text = pointText(point);
        }
    }
    return text;
}

void ParetoView::pick(std::size_t index) {
    if (!snapshot_ || index >= snapshot_->points.size())
        return;
    picked_ = index;
    refresh();
    Q_EMIT pointPicked(index);
}

void ParetoView::onHovered(QPointF pixel) {
    const QString text = textAt(pixel);
    if (text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(plot_->mapToGlobal(pixel.toPoint()), text, plot_);
}

void ParetoView::onClicked(QPointF pixel) {
    setFocus(Qt::MouseFocusReason);
    if (const std::optional<std::size_t> index = pointAt(pixel)) {
        pick(*index);
        requestDesign();
    }
}

void ParetoView::walkFront(int step) {
    if (data_.front.empty())
        return;
    const auto at = std::find_if(data_.front.begin(), data_.front.end(),
                                 [this](const ParetoPoint& p) { return p.index == picked_; });
    auto position = at == data_.front.end() ? (step > 0 ? 0 : std::ssize(data_.front) - 1)
                                            : at - data_.front.begin() + step;
    position = std::clamp<std::ptrdiff_t>(position, 0, std::ssize(data_.front) - 1);
    pick(data_.front[static_cast<std::size_t>(position)].index);
}

/// Designs over a limit are only looked at.
void ParetoView::requestDesign() {
    if (picked_ && snapshot_->points[*picked_].feasible)
        Q_EMIT designRequested(snapshot_->points[*picked_]);
}

void ParetoView::requestLimits() {
    if (picked_)
        Q_EMIT limitsRequested(snapshot_->points[*picked_].resources);
}

void ParetoView::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Left:
        walkFront(-1);
        break;
    case Qt::Key_Right:
        walkFront(1);
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (event->modifiers().testFlag(Qt::ShiftModifier))
            requestLimits();
        else
            requestDesign();
        break;
    case Qt::Key_F:
        plot_->fit();
        plot_->replot();
        break;
    default:
        QWidget::keyPressEvent(event);
    }
}

void ParetoView::contextMenuEvent(QContextMenuEvent* event) {
    const QPointF pixel = plot_->mapFrom(this, event->pos());
    const bool byMouse = event->reason() == QContextMenuEvent::Mouse;
    if (const auto index = byMouse ? pointAt(pixel) : std::nullopt)
        pick(*index);
    useLimits_->setEnabled(picked_.has_value());
    compare_->setEnabled(picked_ && snapshot_->design && snapshot_->points[*picked_].feasible);
    makeCurrent_->setEnabled(picked_ && snapshot_->points[*picked_].feasible);
    auto* const menu = new QMenu(this);
    menu->addAction(makeCurrent_);
    menu->addAction(useLimits_);
    menu->addAction(compare_);
    connect(menu->addAction(tr("Show everything")), &QAction::triggered, this, [this] {
        plot_->fit();
        plot_->replot();
    });
    ViewMenu::show(menu, this, event->globalPos());
}

QString ParetoView::toText() const {
    QString out = QStringLiteral("axis %1\n").arg(axisTitle(axis()));
    for (const ParetoPoint& point : data_.front)
        out += QStringLiteral("front %1 %2\n").arg(amount(point.x), grouped(qRound64(point.y)));
    if (snapshot_ && snapshot_->design)
        out += QStringLiteral("current %1 %2\n")
                   .arg(amount(resourceOf(snapshot_->design->resources, axis())),
                        amount(snapshot_->design->cyclesPerFrame()));
    for (const SweepPoint& point : sweep_)
        out +=
            QStringLiteral("sweep %1 %2\n")
                .arg(amount(resourceOf(point.resources, axis())), grouped(qRound64(point.cycles)));
    return out + summary_->text() + u'\n';
}

} // namespace marquetry::widgets
