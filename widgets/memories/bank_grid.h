// BankGrid: the banks of an array on the screen.
//
// Ctrl+wheel (or + and −) zooms at the pointer, dragging and the scroll bars move, F fits; the
// arrow keys move a cursor from word to word, which the tool tip's text follows. Keeps its place
// when the scheme changes, and goes to where the access window is when asked. Arrays of any size:
// scroll bars count cells, nothing is kept per word. Thread rule: window's thread.
#pragma once

#include "widgets/canvas/gestures.h"
#include "widgets/canvas/picture.h"
#include "widgets/memories/bank_painter.h"

#include <QAbstractScrollArea>

namespace marquetry::widgets {

class BankGrid : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit BankGrid(QWidget* parent = nullptr);

    /// Another array (other `dims`) is shown whole, or from its beginning when the banks of its
    /// words could not be read then.
    void setPicture(BankPicture picture, const std::vector<std::int64_t>& dims);
    void setWindow(banking::AccessWindow window);
    void setProof(std::vector<banking::Address> proof);
    /// What the tool tip says of an address, beside its bank and offset.
    void setArrayName(const QString& name) { name_ = name; }
    const BankPicture& picture() const { return picture_; }
    BankView view() const;
    void fit();
    void zoomBy(double factor, QPointF at);
    /// Brings the lanes of the window into view when none of them is.
    void followWindow();
    QString tipOf(BankCell cell) const;
    Picture exported() const;

Q_SIGNALS:
    void viewChanged();
    void cursorMoved(const QString& text);
    void menuRequested(QPoint globalPosition);

protected:
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void arrange();
    void moveTo(QPointF origin);
    void updateBars();
    void moveCursor(std::int64_t rows, std::int64_t columns);
    void setCursorCell(BankCell cell);
    void reveal(BankCell cell);

    BankPicture picture_;
    std::vector<std::int64_t> dims_;
    QString name_;
    double cell_ = 44;
    QPointF origin_;
    bool fitted_ = true; ///< nobody has moved since it was arranged
    bool whole_ = false; ///< arranged to show everything, however small
    bool updatingBars_ = false;
    Drag drag_;
};

} // namespace marquetry::widgets
