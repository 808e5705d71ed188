#include "widgets/canvas/canvas_view.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <limits>

namespace marquetry::widgets {

namespace {

constexpr double kCacheMargin = 160; ///< pixels rendered beyond each side of the view
constexpr int kRenderDelayMs = 60;   ///< a stretched picture is shown for so long while zooming
constexpr double kMaxScale = 8;
constexpr double kKeyZoom = 1.25;
constexpr double kKeyPan = 60;
constexpr double kRevealedText = 12; ///< pixels
constexpr QSizeF kMinimapSize(168, 112);
constexpr double kMinimapInset = 10;

} // namespace

CanvasView::CanvasView(QWidget* parent) : QWidget(parent), scene_(std::make_shared<Scene>()) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAutoFillBackground(false);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMinimumSize(120, 90);
    renderTimer_.setSingleShot(true);
    renderTimer_.setInterval(kRenderDelayMs);
    connect(&renderTimer_, &QTimer::timeout, this, [this] {
        dirty_ = true;
        update();
    });
}

void CanvasView::setScene(std::shared_ptr<const Scene> scene) {
    scene_ = std::move(scene);
    bounds_ = scene_->bounds();
    minimap_ = QImage();
    dirty_ = true;
    if (fitted_)
        fit();
    else
        keepInSight();
    update();
}

void CanvasView::setHighlights(Highlights highlights) {
    highlights_ = std::move(highlights);
    std::ranges::sort(highlights_.linked);
    update();
}

void CanvasView::fit() {
    viewport_ = Viewport::fitting(bounds_, size());
    fitted_ = true;
    dirty_ = true;
    update();
}

void CanvasView::zoomBy(double factor, QPointF at) {
    const QPointF anchor = viewport_.toScene(at);
    viewport_.scale = std::clamp(viewport_.scale * factor, leastScale(), kMaxScale);
    viewport_.centre += anchor - viewport_.toScene(at);
    moved();
}

void CanvasView::panBy(QPointF pixels) {
    viewport_.centre -= pixels / viewport_.scale;
    moved();
}

void CanvasView::showAt(QPointF place, QPointF pixel, double scale) {
    viewport_.size = size();
    viewport_.scale = std::clamp(scale, leastScale(), kMaxScale);
    viewport_.centre += place - viewport_.toScene(pixel);
    moved();
}

double CanvasView::leastScale() const {
    return std::min(1.0, Viewport::fitting(bounds_, size()).scale);
}

void CanvasView::keepInSight() {
    viewport_.size = size();
    viewport_ = viewport_.withSomethingInSight(*scene_);
}

void CanvasView::moved() {
    fitted_ = false;
    keepInSight();
    if (!cacheCovers())
        dirty_ = true;
    else if (!qFuzzyCompare(cacheView_.scale, viewport_.scale))
        renderTimer_.start();
    update();
}

void CanvasView::reveal(std::uint32_t key, bool readable) {
    const SceneBox* box = scene_->boxOf(key);
    if (box == nullptr)
        return;
    const double wanted = kRevealedText / scene_->fontSize;
    const bool tooSmall = readable && viewport_.scale < wanted * 0.8;
    if (!tooSmall && viewport_.visible().contains(box->rect))
        return;
    if (tooSmall)
        viewport_.scale = wanted;
    viewport_.centre = box->rect.center();
    moved();
}

bool CanvasView::cacheCovers() const {
    if (cache_.isNull())
        return false;
    const QRectF held = cacheView_.visible();
    const double ratio = viewport_.scale / cacheView_.scale;
    return held.contains(viewport_.visible()) && ratio < 4 && ratio > 0.25;
}

void CanvasView::render() {
    const double ratio = devicePixelRatioF();
    cacheView_ = viewport_;
    cacheView_.size += QSizeF(2 * kCacheMargin, 2 * kCacheMargin);
    cache_ = QImage((cacheView_.size * ratio).toSize(), QImage::Format_RGB32);
    cache_.setDevicePixelRatio(ratio);
    QPainter painter(&cache_);
    if (scene_->empty())
        painter.translate(kCacheMargin, kCacheMargin);
    Viewport view = cacheView_;
    if (scene_->empty()) {
        cache_.fill(themeOf(palette())[Role::Background]);
        view = viewport_;
    }
    stats_ = paint(painter, *scene_, view, themeOf(palette()));
    dirty_ = false;
    renderTimer_.stop();
    Q_EMIT painted();
}

void CanvasView::paintEvent(QPaintEvent*) {
    viewport_.size = size();
    if (dirty_)
        render();
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme[Role::Background]);
    const QRectF held = cacheView_.visible();
    const QPointF corner = viewport_.toScreen(held.topLeft());
    const QSizeF extent = held.size() * viewport_.scale;
    painter.setRenderHint(QPainter::SmoothPixmapTransform,
                          !qFuzzyCompare(cacheView_.scale, viewport_.scale));
    painter.drawImage(QRectF(corner, extent), cache_);
    paintHighlights(painter, *scene_, viewport_, theme, highlights_);
    paintTitles(painter, *scene_, viewport_, theme);
    paintMinimapOver(painter);
    if (hasFocus()) {
        painter.setPen(QPen(palette().color(QPalette::Highlight), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

bool CanvasView::minimapVisible() const {
    return !scene_->empty() && width() > 2 * kMinimapSize.width() &&
           height() > 2 * kMinimapSize.height() && !viewport_.visible().contains(bounds_);
}

QRectF CanvasView::minimapRect() const {
    return {QPointF(width() - kMinimapSize.width() - kMinimapInset,
                    height() - kMinimapSize.height() - kMinimapInset),
            kMinimapSize};
}

QPointF CanvasView::minimapToScene(QPointF pixel) const {
    const QRectF place = minimapRect();
    const double scale = std::min((place.width() - 8) / std::max(1.0, bounds_.width()),
                                  (place.height() - 8) / std::max(1.0, bounds_.height()));
    return (pixel - place.center()) / scale + bounds_.center();
}

void CanvasView::paintMinimapOver(QPainter& painter) {
    if (!minimapVisible())
        return;
    const QRectF place = minimapRect();
    const Theme& theme = themeOf(palette());
    if (minimap_.isNull()) {
        const double ratio = devicePixelRatioF();
        minimap_ = QImage((kMinimapSize * ratio).toSize(), QImage::Format_RGB32);
        minimap_.setDevicePixelRatio(ratio);
        QPainter inner(&minimap_);
        paintMinimap(inner, *scene_, QRectF(QPointF(0, 0), kMinimapSize), theme);
    }
    painter.drawImage(place.topLeft(), minimap_);
    const double scale = std::min((place.width() - 8) / std::max(1.0, bounds_.width()),
                                  (place.height() - 8) / std::max(1.0, bounds_.height()));
    const QRectF seen = viewport_.visible();
    const QRectF frame((seen.topLeft() - bounds_.center()) * scale + place.center(),
                       seen.size() * scale);
    painter.setClipRect(place);
    painter.setPen(QPen(theme[Role::Selected], 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(frame);
    painter.setClipping(false);
}

void CanvasView::resizeEvent(QResizeEvent*) {
    viewport_.size = size();
    dirty_ = true;
    if (fitted_)
        fit();
    else
        keepInSight();
}

std::uint32_t CanvasView::keyAt(QPointF pixel) const {
    return scene_->keyAt(viewport_.toScene(pixel)).value_or(kNoKey);
}

void CanvasView::wheelEvent(QWheelEvent* event) {
    zoomBy(zoomOf(*event), event->position());
    event->accept();
}

void CanvasView::mousePressEvent(QMouseEvent* event) {
    drag_.press(*event);
    draggingMinimap_ = event->button() == Qt::LeftButton && minimapVisible() &&
                       minimapRect().contains(event->position());
    if (draggingMinimap_) {
        viewport_.centre = minimapToScene(event->position());
        moved();
    }
}

void CanvasView::mouseMoveEvent(QMouseEvent* event) {
    if (draggingMinimap_) {
        viewport_.centre = minimapToScene(event->position());
        moved();
        return;
    }
    if (event->buttons() & (Qt::LeftButton | Qt::MiddleButton)) {
        const bool before = drag_.moving();
        if (const auto way = drag_.move(*event)) {
            if (!before)
                setCursor(Qt::ClosedHandCursor);
            panBy(*way);
        }
        return;
    }
    const std::uint32_t key = keyAt(event->position());
    if (key != highlights_.hovered) {
        highlights_.hovered = key;
        update();
        Q_EMIT hovered(key, event->globalPosition().toPoint());
    }
}

void CanvasView::mouseReleaseEvent(QMouseEvent* event) {
    const bool moving = drag_.release() || draggingMinimap_;
    draggingMinimap_ = false;
    unsetCursor();
    if (!moving && event->button() == Qt::LeftButton)
        Q_EMIT clicked(keyAt(event->position()));
}

void CanvasView::mouseDoubleClickEvent(QMouseEvent* event) {
    Q_EMIT doubleClicked(keyAt(event->position()));
}

void CanvasView::leaveEvent(QEvent*) {
    highlights_.hovered = kNoKey;
    update();
}

void CanvasView::walk(QPointF direction) {
    const SceneBox* from = scene_->boxOf(highlights_.selected);
    const QPointF start = from != nullptr ? from->rect.center() : viewport_.centre;
    double best = std::numeric_limits<double>::infinity();
    std::uint32_t next = kNoKey;
    for (const SceneBox& box : scene_->boxes) {
        const QPointF way = box.rect.center() - start;
        const double ahead = way.x() * direction.x() + way.y() * direction.y();
        const double aside =
            std::fabs(way.x() * direction.y()) + std::fabs(way.y() * direction.x());
        if (box.key == kNoKey || ahead <= 1 || ahead + 2 * aside >= best)
            continue;
        best = ahead + 2 * aside;
        next = box.key;
    }
    if (next == kNoKey)
        return;
    Q_EMIT clicked(next);
    reveal(next);
}

void CanvasView::keyPressEvent(QKeyEvent* event) {
    if (const auto zoom = zoomOf(*event, kKeyZoom))
        return zoomBy(*zoom, {width() / 2.0, height() / 2.0});
    QPointF arrow;
    switch (event->key()) {
    case Qt::Key_F:
        if (event->modifiers() != Qt::NoModifier)
            break;
        fit();
        return;
    case Qt::Key_Left:
        arrow = {-1, 0};
        break;
    case Qt::Key_Right:
        arrow = {1, 0};
        break;
    case Qt::Key_Up:
        arrow = {0, -1};
        break;
    case Qt::Key_Down:
        arrow = {0, 1};
        break;
    default:
        break;
    }
    if (arrow.isNull())
        QWidget::keyPressEvent(event);
    else if (event->modifiers() & Qt::ControlModifier)
        walk(arrow);
    else
        panBy(-arrow * kKeyPan);
}

void CanvasView::contextMenuEvent(QContextMenuEvent* event) {
    if (event->reason() == QContextMenuEvent::Mouse) {
        Q_EMIT menuRequested(keyAt(event->pos()), event->globalPos());
        return;
    }
    const SceneBox* box = scene_->boxOf(highlights_.selected);
    const QPointF place = box != nullptr ? viewport_.toScreen(box->rect.center())
                                         : QPointF(width() / 2.0, height() / 2.0);
    Q_EMIT menuRequested(highlights_.selected, mapToGlobal(place.toPoint()));
}

void CanvasView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) {
        dirty_ = true;
        minimap_ = QImage();
        update();
    }
    QWidget::changeEvent(event);
}

Picture CanvasView::picture(bool whole) const {
    Viewport view = viewport_;
    view.size = size();
    if (whole) {
        view.scale = 1;
        view.centre = bounds_.center();
        view.size = bounds_.size() + QSizeF(48, 48);
        if (view.size.width() > 6000)
            view.scale = 6000 / view.size.width();
        view.size *= view.scale;
    }
    const Theme theme = themeOf(palette());
    return {view.size, accessibleName(), [scene = scene_, view, theme](QPainter& painter) {
                paint(painter, *scene, view, theme, {.edgeBudget = 100'000, .background = true});
                paintTitles(painter, *scene, view, theme);
            }};
}

} // namespace marquetry::widgets
