// CanvasView: a widget that shows a scene and lets the user move about in it.
//
// Wheel zooms at the pointer, dragging pans, F fits, + and − zoom, arrow keys pan; Tab-reachable
// Ctrl+arrows walk from object to object. A minimap appears when the scene is larger than the view;
// clicking or dragging in it moves the view. The scene is rendered once into an oversize picture:
// panning blits it, zooming stretches it until the next render (kRenderDelayMs).
// The user's place is kept when a scene is replaced, unless the view has been "fitted", which then
// stays so. No gesture leads where nothing is to be seen: a part of some box stays in sight, and
// the scene does not become smaller than it has to be to be seen whole. Thread rule: window's
// thread.
#pragma once

#include "widgets/canvas/gestures.h"
#include "widgets/canvas/picture.h"
#include "widgets/canvas/scene_painter.h"

#include <QImage>
#include <QTimer>
#include <QWidget>

#include <memory>

namespace marquetry::widgets {

class CanvasView : public QWidget {
    Q_OBJECT
public:
    explicit CanvasView(QWidget* parent = nullptr);

    void setScene(std::shared_ptr<const Scene> scene);
    const Scene& scene() const { return *scene_; }
    void setHighlights(Highlights highlights);
    const Highlights& highlights() const { return highlights_; }
    const Viewport& viewport() const { return viewport_; }
    const PaintStats& paintStats() const { return stats_; }

    void fit();
    void zoomBy(double factor, QPointF at);
    void panBy(QPointF pixels);
    /// Moves what is at `place` (scene units) to `pixel`, at this scale.
    void showAt(QPointF place, QPointF pixel, double scale);
    /// Brings a box into view; `readable`: zooms in if its text had not its full size.
    void reveal(std::uint32_t key, bool readable = false);
    bool fitted() const { return fitted_; }
    bool minimapVisible() const;

    /// What the view shows (`whole`: the whole scene at scale 1).
    Picture picture(bool whole) const;

Q_SIGNALS:
    void clicked(quint32 key); ///< kNoKey: the background
    void doubleClicked(quint32 key);
    void hovered(quint32 key, QPoint globalPosition);
    void menuRequested(quint32 key, QPoint globalPosition);
    void painted(); ///< statistics are new

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void moved();
    void keepInSight();
    double leastScale() const;
    void render();
    bool cacheCovers() const;
    std::uint32_t keyAt(QPointF pixel) const;
    QRectF minimapRect() const;
    QPointF minimapToScene(QPointF pixel) const;
    void paintMinimapOver(QPainter& painter);
    void walk(QPointF direction);

    std::shared_ptr<const Scene> scene_;
    QRectF bounds_;
    Viewport viewport_;
    Highlights highlights_;
    bool fitted_ = true;

    QImage cache_;
    Viewport cacheView_; ///< size includes the margins
    bool dirty_ = true;
    QImage minimap_;
    PaintStats stats_;
    QTimer renderTimer_;

    Drag drag_;
    bool draggingMinimap_ = false;
};

} // namespace marquetry::widgets
