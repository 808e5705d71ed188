#include "widgets/streams/space_time.h"

#include "engine/spacetime/drawing.h"
#include "widgets/text/number_text.h"

#include <QCoreApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <limits>

namespace marquetry::widgets {

namespace {

using spacetime::SeqType;

constexpr double kLeft = 70; ///< of the cells: lane names before it
constexpr double kAxis = 22; ///< clock numbers
constexpr double kCell = 46; ///< width of a clock
constexpr double kLane = 22; ///< height of a lane
constexpr double kCaption = 22;
constexpr double kWave = 26;
constexpr double kGap = 12;

std::int64_t drawnLanes(const SeqType& type) {
    return std::min(lanes(type), SpaceTimePicture::kMostLanes);
}

double bandHeight(const SpaceTimeBand& band) {
    const bool more = lanes(band.type) > SpaceTimePicture::kMostLanes;
    return kCaption + static_cast<double>(drawnLanes(band.type) + (more ? 1 : 0)) * kLane + kWave +
           kGap;
}

struct Slot {
    std::int64_t frame = 0;
    std::int64_t element = -1; ///< −1: nothing is valid
};

/// `clock` on the shared axis; before its first slot a band has nothing.
Slot slotAt(const SpaceTimeBand& band, std::int64_t clock, std::int64_t lane) {
    const std::int64_t own = clock - band.starts;
    if (own < 0)
        return {};
    const std::int64_t period = clocks(band.type);
    return {own / period, spacetime::elementAt(band.type, own % period, lane)};
}

class Painting {
public:
    Painting(QPainter& painter, const SpaceTimePicture& picture, QSizeF size, const Theme& theme)
        : painter_(painter), picture_(picture), size_(size), theme_(theme) {}

    void paint() {
        painter_.setRenderHint(QPainter::Antialiasing);
        painter_.fillRect(QRectF(QPointF(0, 0), size_), theme_[Role::Background]);
        painter_.setFont(textFont(9));
        if (picture_.bands.empty()) {
            painter_.setPen(theme_[Role::Muted]);
            painter_.drawText(QRectF(QPointF(0, 0), size_), Qt::AlignCenter | Qt::TextWordWrap,
                              picture_.message);
            return;
        }
        paintAxis();
        double y = kAxis;
        for (const SpaceTimeBand& band : picture_.bands) {
            paintBand(band, y);
            y += bandHeight(band);
        }
    }

private:
    double left(std::int64_t clock) const {
        return kLeft + static_cast<double>(clock - picture_.first) * kCell;
    }
    std::int64_t last() const { return picture_.first + clocksIn(size_.width()); }

    void paintAxis() {
        painter_.setPen(theme_[Role::Muted]);
        painter_.drawText(QRectF(0, 0, kLeft - 8, kAxis), Qt::AlignRight | Qt::AlignVCenter,
                          QObject::tr("clock"));
        for (std::int64_t clock = picture_.first; clock <= last(); ++clock)
            painter_.drawText(QRectF(left(clock), 0, kCell, kAxis), Qt::AlignCenter,
                              grouped(clock));
    }

    void paintBand(const SpaceTimeBand& band, double y) {
        painter_.setPen(theme_[Role::Ink]);
        const QRectF caption(8, y, size_.width() - 16, kCaption);
        painter_.drawText(caption, Qt::AlignVCenter,
                          painter_.fontMetrics().elidedText(band.caption, Qt::ElideRight,
                                                            static_cast<int>(caption.width())));
        y += kCaption;
        for (std::int64_t lane = 0; lane < drawnLanes(band.type); ++lane, y += kLane) {
            label(QObject::tr("lane %1").arg(lane), y, kLane);
            for (std::int64_t clock = picture_.first; clock <= last(); ++clock)
                paintSlot(slotAt(band, clock, lane),
                          QRectF(left(clock) + 1, y + 1, kCell - 2, kLane - 2));
        }
        if (lanes(band.type) > drawnLanes(band.type)) {
            painter_.setPen(theme_[Role::Muted]);
            painter_.drawText(QRectF(kLeft, y, size_.width() - kLeft, kLane), Qt::AlignVCenter,
                              QObject::tr("… showing %1 of %2 lanes")
                                  .arg(grouped(drawnLanes(band.type)), grouped(lanes(band.type))));
            y += kLane;
        }
        label(QObject::tr("valid"), y, kWave);
        paintWave(band, y);
    }

    void label(const QString& text, double y, double height) {
        painter_.setPen(theme_[Role::Muted]);
        painter_.drawText(QRectF(0, y, kLeft - 8, height), Qt::AlignRight | Qt::AlignVCenter, text);
    }

    void paintSlot(const Slot& slot, const QRectF& cell) {
        painter_.setPen(theme_[Role::Grid]);
        if (slot.element < 0) {
            painter_.setBrush(theme_[Role::Paper]);
            painter_.drawRect(cell);
            painter_.setBrush(QBrush(theme_[Role::Line], Qt::BDiagPattern));
            painter_.drawRect(cell);
            return;
        }
        const QColor fill = categoryColour(slot.frame % 2 == 0 ? 1 : 0);
        painter_.setBrush(fill);
        painter_.drawRect(cell);
        painter_.setPen(inkOn(fill));
        painter_.drawText(cell, Qt::AlignCenter, grouped(slot.element));
    }

    void paintWave(const SpaceTimeBand& band, double y) {
        const double high = y + 6;
        const double low = y + kWave - 5;
        QPolygonF wave;
        for (std::int64_t clock = picture_.first; clock <= last(); ++clock) {
            const double level = slotAt(band, clock, 0).element >= 0 ? high : low;
            wave << QPointF(left(clock), level) << QPointF(left(clock) + kCell, level);
        }
        painter_.setPen(QPen(theme_[Role::Ink], 1.6));
        painter_.setBrush(Qt::NoBrush);
        painter_.drawPolyline(wave);
    }

    QPainter& painter_;
    const SpaceTimePicture& picture_;
    QSizeF size_;
    const Theme& theme_;
};

} // namespace

std::int64_t endOf(const SpaceTimePicture& picture) {
    std::int64_t end = 0;
    for (const SpaceTimeBand& band : picture.bands)
        end = std::max(end, band.starts + clocks(band.type));
    return end;
}

std::int64_t clocksIn(double width) {
    return std::max<std::int64_t>(1, static_cast<std::int64_t>((width - kLeft) / kCell));
}

double heightOf(const SpaceTimePicture& picture) {
    double height = kAxis;
    for (const SpaceTimeBand& band : picture.bands)
        height += bandHeight(band);
    return height;
}

void paintSpaceTime(QPainter& painter, const SpaceTimePicture& picture, QSizeF size,
                    const Theme& theme) {
    Painting(painter, picture, size, theme).paint();
}

QString slotText(const SpaceTimePicture& picture, QPointF pixel) {
    if (pixel.x() < kLeft)
        return {};
    const std::int64_t clock =
        picture.first + static_cast<std::int64_t>((pixel.x() - kLeft) / kCell);
    double y = kAxis;
    for (const SpaceTimeBand& band : picture.bands) {
        const double inside = pixel.y() - y - kCaption;
        y += bandHeight(band);
        if (inside < 0 || pixel.y() >= y)
            continue;
        const auto lane = static_cast<std::int64_t>(inside / kLane);
        if (lane >= drawnLanes(band.type))
            return band.caption;
        const Slot slot = slotAt(band, clock, lane);
        if (clock < band.starts)
            return QObject::tr("clock %1, lane %2: before the first slot of this value")
                .arg(grouped(clock), grouped(lane));
        return slot.element < 0 ? QObject::tr("clock %1, lane %2: idle, nothing is valid here")
                                      .arg(grouped(clock), grouped(lane))
                                : QObject::tr("clock %1, lane %2: element %3 of frame %4")
                                      .arg(grouped(clock), grouped(lane), grouped(slot.element),
                                           grouped(slot.frame));
    }
    return {};
}

SpaceTimeWidget::SpaceTimeWidget(QWidget* parent) : QAbstractScrollArea(parent) {
    setAccessibleName(tr("Types in space and time"));
    setAccessibleDescription(tr("Lanes and clocks of the selected operator: what it takes and what "
                                "it gives. Left, Right, Home and End move along the clocks."));
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(QFrame::NoFrame);
    viewport()->setMouseTracking(true);
}

void SpaceTimeWidget::setPicture(SpaceTimePicture picture) {
    picture_ = std::move(picture);
    updateBars();
    viewport()->update();
}

void SpaceTimeWidget::updateBars() {
    const std::int64_t shown = clocksIn(viewport()->width());
    const std::int64_t most = std::max<std::int64_t>(0, endOf(picture_) - shown);
    horizontalScrollBar()->setRange(
        0, static_cast<int>(std::min<std::int64_t>(most, std::numeric_limits<int>::max())));
    horizontalScrollBar()->setPageStep(
        static_cast<int>(std::min<std::int64_t>(shown, std::numeric_limits<int>::max())));
    const int tall = static_cast<int>(heightOf(picture_));
    verticalScrollBar()->setRange(0, std::max(0, tall - viewport()->height()));
    verticalScrollBar()->setPageStep(viewport()->height());
    picture_.first = horizontalScrollBar()->value();
}

Picture SpaceTimeWidget::exported() const {
    const QSizeF size(viewport()->width(), std::max(heightOf(picture_), 80.0));
    return {size, tr("Types in space and time"),
            [picture = picture_, size, theme = &themeOf(palette())](QPainter& painter) {
                paintSpaceTime(painter, picture, size, *theme);
            }};
}

bool SpaceTimeWidget::viewportEvent(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QAbstractScrollArea::viewportEvent(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QPointF pixel = help->pos() + QPoint(0, verticalScrollBar()->value());
    QToolTip::showText(help->globalPos(), slotText(picture_, pixel), this);
    return true;
}

void SpaceTimeWidget::paintEvent(QPaintEvent*) {
    QPainter painter(viewport());
    const int down = verticalScrollBar()->value();
    painter.translate(0, -down);
    paintSpaceTime(painter, picture_, viewport()->size() + QSize(0, down), themeOf(palette()));
}

void SpaceTimeWidget::resizeEvent(QResizeEvent*) {
    updateBars();
}

void SpaceTimeWidget::scrollContentsBy(int, int) {
    picture_.first = horizontalScrollBar()->value();
    viewport()->update();
}

void SpaceTimeWidget::wheelEvent(QWheelEvent* event) {
    const bool sideways = event->modifiers().testFlag(Qt::ShiftModifier) ||
                          verticalScrollBar()->maximum() == 0 || event->angleDelta().y() == 0;
    QCoreApplication::sendEvent(sideways ? horizontalScrollBar() : verticalScrollBar(), event);
}

void SpaceTimeWidget::keyPressEvent(QKeyEvent* event) {
    QScrollBar* bar = horizontalScrollBar();
    switch (event->key()) {
    case Qt::Key_Left:
        bar->setValue(bar->value() - 1);
        break;
    case Qt::Key_Right:
        bar->setValue(bar->value() + 1);
        break;
    case Qt::Key_Home:
        bar->setValue(bar->minimum());
        break;
    case Qt::Key_End:
        bar->setValue(bar->maximum());
        break;
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

} // namespace marquetry::widgets
