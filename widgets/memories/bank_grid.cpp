#include "widgets/memories/bank_grid.h"

#include "widgets/text/number_text.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace marquetry::widgets {

namespace {

constexpr double kKeyZoom = 1.3;
constexpr double kMinCell = 0.02;
/// Scroll bars count in steps of this many pixels at least, so that any plane fits an int.
constexpr double kMostSteps = 1'000'000'000;

double stepOf(double plane) {
    return std::max(1.0, plane / kMostSteps);
}

QString listed(const banking::Address& address) {
    QStringList parts;
    for (const std::int64_t index : address)
        parts << QString::number(index);
    return parts.join(QStringLiteral(", "));
}

} // namespace

BankGrid::BankGrid(QWidget* parent) : QAbstractScrollArea(parent) {
    setAccessibleName(tr("Banks of the array"));
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(QFrame::NoFrame);
    viewport()->setMouseTracking(true);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    setMinimumSize(200, 140);
}

void BankGrid::setPicture(BankPicture picture, const std::vector<std::int64_t>& dims) {
    const bool other = dims != dims_;
    const auto cursor = picture_.cursor;
    picture_ = std::move(picture);
    dims_ = dims;
    if (other) {
        whole_ = false;
        arrange();
    } else {
        picture_.cursor = cursor;
    }
    updateBars();
    viewport()->update();
}

void BankGrid::setWindow(banking::AccessWindow window) {
    picture_.window = std::move(window);
    viewport()->update();
}

void BankGrid::setProof(std::vector<banking::Address> proof) {
    picture_.proof = std::move(proof);
    viewport()->update();
}

BankView BankGrid::view() const {
    BankView view;
    view.size = viewport()->size();
    view.cell = cell_;
    view.origin = origin_;
    return view;
}

void BankGrid::fit() {
    whole_ = true;
    arrange();
}

void BankGrid::arrange() {
    cell_ = BankView::fitting(picture_.layout, viewport()->size()).cell;
    if (!whole_)
        cell_ = std::max(cell_, BankView::kNumberCell);
    origin_ = {};
    fitted_ = true;
    updateBars();
    viewport()->update();
    Q_EMIT viewChanged();
}

void BankGrid::zoomBy(double factor, QPointF at) {
    const BankView before = view();
    const QPointF inside = at - QPointF(before.left, before.top) + origin_;
    const double cell = std::clamp(cell_ * factor, kMinCell, BankView::kMaxCell);
    const double ratio = cell / cell_;
    cell_ = cell;
    fitted_ = false;
    moveTo(inside * ratio - (at - QPointF(before.left, before.top)));
    Q_EMIT viewChanged();
}

void BankGrid::moveTo(QPointF origin) {
    const BankView now = view();
    const QSizeF plane = now.planeSize(picture_.layout);
    const double right = std::max(0.0, plane.width() + now.left + 2 - now.size.width());
    const double below = std::max(0.0, plane.height() + now.top + 2 - now.size.height());
    origin_ = {std::clamp(origin.x(), 0.0, right), std::clamp(origin.y(), 0.0, below)};
    updateBars();
    viewport()->update();
}

void BankGrid::updateBars() {
    const BankView now = view();
    const QSizeF plane = now.planeSize(picture_.layout);
    updatingBars_ = true;
    const auto show = [](QScrollBar* bar, double extent, double page, double at) {
        const double step = stepOf(extent);
        bar->setRange(0, static_cast<int>(std::max(0.0, extent + 2 - page) / step));
        bar->setPageStep(std::max(1, static_cast<int>(page / step)));
        bar->setSingleStep(std::max(1, static_cast<int>(24 / step)));
        bar->setValue(static_cast<int>(at / step));
    };
    show(horizontalScrollBar(), plane.width(), now.size.width() - now.left, origin_.x());
    show(verticalScrollBar(), plane.height(), now.size.height() - now.top, origin_.y());
    updatingBars_ = false;
}

void BankGrid::scrollContentsBy(int, int) {
    if (updatingBars_)
        return;
    const QSizeF plane = view().planeSize(picture_.layout);
    origin_ = {horizontalScrollBar()->value() * stepOf(plane.width()),
               verticalScrollBar()->value() * stepOf(plane.height())};
    fitted_ = false;
    viewport()->update();
}

void BankGrid::followWindow() {
    const BankView now = view();
    const QRectF seen(now.left, now.top, now.size.width() - now.left, now.size.height() - now.top);
    const banking::LaneAt* first = nullptr;
    for (const banking::LaneAt& lane : picture_.window.lanes) {
        if (!lane.happens)
            continue;
        if (seen.intersects(now.rectOf(picture_.layout, picture_.layout.cellOf(lane.address))))
            return;
        first = first ? first : &lane;
    }
    if (first)
        reveal(picture_.layout.cellOf(first->address));
}

void BankGrid::reveal(BankCell cell) {
    const BankView now = view();
    const QRectF rect = now.rectOf(picture_.layout, cell);
    const QRectF seen(now.left, now.top, now.size.width() - now.left, now.size.height() - now.top);
    if (seen.contains(rect))
        return;
    moveTo(origin_ + rect.center() - seen.center());
}

// ---- what a cell is

QString BankGrid::tipOf(BankCell cell) const {
    const auto address = picture_.layout.addressOf(cell);
    if (!address || picture_.empty())
        return {};
    const std::int64_t bank = picture_.scheme.bank(*address);
    QString text = tr("%1[%2]: bank %3, offset %4")
                       .arg(name_, listed(*address))
                       .arg(bank)
                       .arg(picture_.scheme.offset(*address));
    for (std::size_t m = 0; m < picture_.scheme.maps.size(); ++m) {
        const ir::FlatMap& map = picture_.scheme.maps[m];
        const std::int64_t u = map.sum(*address);
        if (map.form == ir::MapForm::Parity) {
            text += tr("\n%1 ones under %2: %3").arg(u).arg(listed(map.alpha)).arg(map.bankOf(u));
            continue;
        }
        text +=
            tr("\n⌊%1 / %2⌋ mod %3 = %4").arg(u).arg(map.block).arg(map.banks).arg(map.bankOf(u));
    }
    int here = 0;
    int conflicting = 0;
    for (const banking::LaneAt& lane : picture_.window.lanes) {
        const bool at = lane.happens && lane.address == *address;
        here += at ? 1 : 0;
        conflicting += at && lane.conflict ? 1 : 0;
    }
    if (here > 0)
        text += tr("\naccessed in this cycle");
    if (conflicting > 0)
        text += tr(", with another access to bank %1: they conflict").arg(bank);
    return text;
}

void BankGrid::setCursorCell(BankCell cell) {
    if (!picture_.layout.addressOf(cell))
        return;
    picture_.cursor = cell;
    reveal(cell);
    viewport()->update();
    const QString text = tipOf(cell).section(u'\n', 0, 0);
    setAccessibleDescription(text);
    Q_EMIT cursorMoved(text);
}

void BankGrid::moveCursor(std::int64_t rows, std::int64_t columns) {
    BankCell cell = picture_.cursor.value_or(BankCell{0, 0});
    if (picture_.cursor)
        cell = {cell.row + rows, cell.column + columns};
    setCursorCell(cell);
}

// ---- events

bool BankGrid::viewportEvent(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QAbstractScrollArea::viewportEvent(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), tipOf(view().cellAt(picture_.layout, help->pos())),
                       viewport());
    return true;
}

void BankGrid::paintEvent(QPaintEvent*) {
    QPainter painter(viewport());
    paintBanks(painter, picture_, view(), themeOf(palette()));
    if (hasFocus()) {
        painter.setPen(palette().color(QPalette::Highlight));
        painter.drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
    }
}

void BankGrid::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    if (fitted_)
        arrange();
    else
        moveTo(origin_);
}

void BankGrid::wheelEvent(QWheelEvent* event) {
    if (!(event->modifiers() & Qt::ControlModifier)) {
        QAbstractScrollArea::wheelEvent(event);
        return;
    }
    zoomBy(zoomOf(*event), event->position());
    event->accept();
}

void BankGrid::mousePressEvent(QMouseEvent* event) {
    drag_.press(*event);
}

void BankGrid::mouseMoveEvent(QMouseEvent* event) {
    if (!(event->buttons() & Qt::LeftButton))
        return;
    if (const auto way = drag_.move(*event)) {
        fitted_ = false;
        moveTo(origin_ - *way);
    }
}

void BankGrid::mouseReleaseEvent(QMouseEvent* event) {
    if (!drag_.release() && event->button() == Qt::LeftButton)
        setCursorCell(view().cellAt(picture_.layout, event->position()));
}

void BankGrid::keyPressEvent(QKeyEvent* event) {
    if (const auto zoom = zoomOf(*event, kKeyZoom))
        return zoomBy(*zoom, {viewport()->width() / 2.0, viewport()->height() / 2.0});
    switch (event->key()) {
    case Qt::Key_F:
        fit();
        return;
    case Qt::Key_Left:
    case Qt::Key_Right:
        moveCursor(0, event->key() == Qt::Key_Right ? 1 : -1);
        return;
    case Qt::Key_Up:
    case Qt::Key_Down:
        moveCursor(event->key() == Qt::Key_Down ? 1 : -1, 0);
        return;
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

void BankGrid::contextMenuEvent(QContextMenuEvent* event) {
    Q_EMIT menuRequested(event->globalPos());
}

/// The whole array while its numbers fit a page, else what is seen.
Picture BankGrid::exported() const {
    BankView shown = view();
    shown.cell = 44;
    const QSizeF whole = shown.planeSize(picture_.layout);
    constexpr double kPage = 2400;
    if (whole.width() <= kPage && whole.height() <= kPage) {
        shown.origin = {};
        shown.size = whole + QSizeF(shown.left + 4, shown.top + 4);
    } else {
        shown = view();
    }
    const BankPicture picture = picture_;
    const Theme theme = themeOf(palette());
    return {shown.size, tr("Banks of %1").arg(name_), [picture, shown, theme](QPainter& painter) {
                paintBanks(painter, picture, shown, theme);
            }};
}

} // namespace marquetry::widgets
