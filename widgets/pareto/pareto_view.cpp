#include "widgets/pareto/pareto_view.h"

#include "widgets/canvas/picture.h"
#include "widgets/text/elided_label.h"
#include "widgets/text/number_text.h"
#include "widgets/theme/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QSplitter>
#include <QTableView>
#include <QToolButton>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace marquetry::widgets {

namespace {

constexpr double kReach = 24; ///< pixels around the pointer within which a design is found

} // namespace

ParetoView::ParetoView(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("paretoView"));
    setAccessibleName(tr("Pareto plot"));
    setAccessibleDescription(
        tr("Designs found: one resource against cycles. Left and Right walk "
           "along the front, Return makes a design the current one, Shift+Return "
           "uses its resources as limits, Escape takes the marked range away."));
    setFocusPolicy(Qt::StrongFocus);
    plot_ = new Plot(this);
    plot_->setPlaceholder(tr("Every design found appears here: run the search (F5)."));
    createList();
    createControls();
    connect(plot_, &Plot::brushed, this, &ParetoView::setRange);
    connect(plot_, &Plot::brushCleared, this, [this] { setRange(std::nullopt); });
    connect(plot_, &Plot::hovered, this, &ParetoView::onHovered);
    connect(plot_, &Plot::clicked, this, &ParetoView::onClicked);
    connect(plot_, &Plot::pointerLeft, this, [] { QToolTip::hideText(); });
    applyColours();
    refresh();
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
    createEarlier();
    auto* row = new QHBoxLayout;
    row->setContentsMargins(6, 4, 6, 0);
    for (QWidget* widget : std::initializer_list<QWidget*>{axisBox_, logX_, logY_, earlier_})
        row->addWidget(widget);
    summary_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    row->addWidget(summary_, 1);
    row->addWidget(listButton_);
    row->addWidget(menuButton(tr("Sweep"), tr("Sweep beside the designs"), createSweepMenu()));
    row->addWidget(menuButton(tr("Export"), tr("Export the Pareto plot"), createExportMenu()));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addLayout(row);
    auto* parts = new QSplitter(this);
    parts->addWidget(plot_);
    parts->addWidget(list_);
    parts->setStretchFactor(0, 3);
    parts->setStretchFactor(1, 2);
    parts->setCollapsible(0, false);
    layout->addWidget(parts, 1);
    connectAxes();
}

void ParetoView::createEarlier() {
    earlier_ = new QCheckBox(tr("earlier fronts"), this);
    earlier_->setAccessibleName(tr("Show the fronts of earlier searches"));
    earlier_->setToolTip(tr("What searches with other settings or pins have found since the "
                            "program was opened"));
    earlier_->setChecked(true);
    earlier_->hide(); // until there are some
    connect(earlier_, &QCheckBox::toggled, this, &ParetoView::refresh);
}

void ParetoView::connectAxes() {
    connect(axisBox_, &QComboBox::currentIndexChanged, this, [this] {
        range_.reset(); // of another resource
        listed_ = {};
        plot_->fit();
        refresh();
    });
    for (QCheckBox* box : {logX_, logY_})
        connect(box, &QCheckBox::toggled, this, [this] {
            plot_->fit();
            refresh();
        });
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
    history_.follow(*snapshot);
    earlier_->setVisible(!history_.earlier().empty());
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
    plot_->setLabels(labels());
    plot_->setBrush(range_);
    if (!plot_->zoomed())
        plot_->fit();
    plot_->replot();
    showList();
    showSummary();
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
    if (range_)
        text += tr(" · %1 in the range")
                    .arg(count(pointsWithin(snapshot_->points, axis(), range_).size()));
    const int leftOut = plot_->leftOut();
    if (leftOut > 0)
        text += tr(" · %1 at or below 0 not on a log axis").arg(leftOut);
    summary_->showText(text);
}

void ParetoView::applyColours() {
    plot_->setColours(plotColours(palette(), categoryColour(7)));
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
    if (const auto earlier = earlierAt(pixel))
        return tr("before: %1").arg(settingsThen(history_.earlier()[earlier->first], *snapshot_)) +
               u'\n' + pointText(earlier->second);
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
    showPickedRow();
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
    case Qt::Key_Escape:
        if (!range_)
            return QWidget::keyPressEvent(event);
        setRange(std::nullopt);
        break;
    case Qt::Key_F:
        plot_->fit();
        plot_->replot();
        break;
    default:
        QWidget::keyPressEvent(event);
    }
}

QString ParetoView::toText() const {
    QString out = QStringLiteral("axis %1\n").arg(axisTitle(axis()));
    for (const ParetoPoint& point : data_.front)
        out += QStringLiteral("front %1 %2\n").arg(amount(point.x), grouped(qRound64(point.y)));
    if (snapshot_ && snapshot_->design)
        out += QStringLiteral("current %1 %2\n")
                   .arg(amount(resourceOf(snapshot_->design->resources, axis())),
                        amount(snapshot_->design->cyclesPerFrame()));
    for (const EarlierFront& front : history_.earlier())
        out += QStringLiteral("before %1: %2 designs\n")
                   .arg(settingsThen(front, *snapshot_))
                   .arg(front.points.size());
    for (const SweepPoint& point : sweep_)
        out +=
            QStringLiteral("sweep %1 %2\n")
                .arg(amount(resourceOf(point.resources, axis())), grouped(qRound64(point.cycles)));
    return out + summary_->text() + u'\n';
}

} // namespace marquetry::widgets
