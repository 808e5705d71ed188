// Crossbar: which lanes meet which banks, and how many of the array's words each bank holds.
//
// Lanes stand on the left (reads, then writes, per loop nest), banks on the right with a bar of
// words. A thin line joins a lane to every bank it ever uses, a thick one to the bank it uses in
// the iteration shown; a lane with one line is a wire, with more a multiplexer. Every copy of the
// array has banks of its own: a reader uses those of one copy, a writer all. At most kMostLines
// lines are drawn, and how many were left out is said. Complexity: O(lanes · banks) once.
// Thread rule: window's thread; paintCrossbar is pure but for the painter.
#pragma once

#include "engine/session/snapshot.h"
#include "widgets/canvas/picture.h"
#include "widgets/theme/theme.h"

#include <QWidget>

class QPainter;

namespace marquetry::widgets {

struct CrossbarLane {
    std::size_t group = 0;
    std::size_t lane = 0;
    bool write = false;
    QString text;          ///< "a[i, j + 1]"
    QString why;           ///< how the lanes of its group move
    std::int64_t copy = 0; ///< that a reader reads
    std::vector<std::int64_t> banks;
};

struct CrossbarPicture {
    static constexpr std::size_t kMostLines = 6000;

    std::vector<CrossbarLane> lanes;
    std::int64_t banks = 0;
    std::int64_t copies = 1;
    std::int64_t depth = 0;           ///< words a bank has room for
    std::vector<std::int64_t> words;  ///< of the array in each bank; empty: unknown
    std::vector<banking::LaneAt> now; ///< of the iteration shown

    std::size_t lines() const;
    /// Banks of all copies, copy after copy.
    std::size_t rows() const { return static_cast<std::size_t>(banks * copies); }
};

CrossbarPicture crossbarOf(const banking::AccessPattern& pattern,
                           const session::SchemeDetail& detail);
/// Of a scheme that fails: lanes and banks without the lines nobody worked out.
CrossbarPicture crossbarOf(const banking::AccessPattern& pattern,
                           const session::SchemeAttempt& attempt);
QSizeF crossbarSize(const CrossbarPicture& crossbar, double width);
void paintCrossbar(QPainter& painter, const CrossbarPicture& crossbar, QSizeF size,
                   const Theme& theme);
QString crossbarText(const CrossbarPicture& crossbar);

class CrossbarWidget : public QWidget {
    Q_OBJECT
public:
    explicit CrossbarWidget(QWidget* parent = nullptr);

    void setCrossbar(CrossbarPicture crossbar);
    void setWindow(const banking::AccessWindow& window);
    const CrossbarPicture& crossbar() const { return crossbar_; }
    QSize sizeHint() const override;
    QString tipAt(QPointF pixel) const;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    CrossbarPicture crossbar_;
};

} // namespace marquetry::widgets
