// Space-time types as lanes × clocks: which element is where and when, and the valid wave below.
//
// Bands share one clock axis: clocks after the first slot of the inputs. What a producer gives and
// what its consumer makes of it lie above each other, each from the clock it starts at; the next
// frame follows in another colour. Cells of idle time are hatched. Only the clocks and lanes that
// are visible are visited: O(pixels), however long a frame is. At most kMostLanes lanes are drawn;
// how many were left out is written. Thread rule: pure but for the painter; widgets: window's.
#pragma once

#include "engine/session/snapshot.h"
#include "widgets/canvas/picture.h"
#include "widgets/theme/theme.h"

#include <QAbstractScrollArea>

#include <vector>

namespace marquetry::widgets {

struct SpaceTimeBand {
    QString caption;
    spacetime::SeqType type;
    std::int64_t starts = 0; ///< clock of the first slot
};

struct SpaceTimePicture {
    static constexpr std::int64_t kMostLanes = 8;

    std::vector<SpaceTimeBand> bands;
    std::int64_t first = 0; ///< clock at the left edge
    QString message;        ///< in place of an empty picture
};

/// The last clock of the first frame of all bands, and one.
std::int64_t endOf(const SpaceTimePicture& picture);
/// Clocks that a picture of this width shows.
std::int64_t clocksIn(double width);
double heightOf(const SpaceTimePicture& picture);
void paintSpaceTime(QPainter& painter, const SpaceTimePicture& picture, QSizeF size,
                    const Theme& theme);
/// What is in a slot: "element 5 of frame 0, lane 1, clock 2".
QString slotText(const SpaceTimePicture& picture, QPointF pixel);

/// The picture on the screen: Left and Right, Home and End, the wheel or the bar move along the
/// clocks.
class SpaceTimeWidget : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit SpaceTimeWidget(QWidget* parent = nullptr);

    void setPicture(SpaceTimePicture picture);
    const SpaceTimePicture& picture() const { return picture_; }
    Picture exported() const;

protected:
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    void updateBars();

    SpaceTimePicture picture_;
};

} // namespace marquetry::widgets
