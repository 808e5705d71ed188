// Painting the banks of an array: one pure function for the screen, PNG and SVG.
//
// A cell has the colour and the small number of its bank and the large number of its offset; below
// kOffsetCell pixels the offset goes, below kNumberCell all text, below kDenseCell cells are
// sampled one per 2 × 2 pixels. The lanes of the access window are outlined (writes dashed), lanes
// that meet in a bank wear a dashed red ring, addresses that prove a bound a dashed square. Only
// what is visible is visited: complexity O(pixels / 4 + cells visible + lanes), whatever the
// array's size. Thread rule: pure but for the painter.
#pragma once

#include "engine/session/snapshot.h"
#include "widgets/memories/bank_layout.h"
#include "widgets/theme/theme.h"

#include <QPointF>
#include <QRectF>
#include <QSizeF>

class QPainter;

namespace marquetry::widgets {

struct BankPicture {
    BankLayout layout;
    banking::Scheme scheme; ///< without maps: nothing to draw
    banking::AccessWindow window;
    std::vector<banking::Address> proof; ///< addresses that need a bank each; empty: not shown
    std::optional<BankCell> cursor;
    QString message; ///< in place of an empty picture

    bool empty() const { return scheme.maps.empty(); }
};

/// Where the plane of cells is seen from. Pixels; `origin` is what of the plane lies at the corner
/// beside the labels.
struct BankView {
    static constexpr double kOffsetCell = 30;
    static constexpr double kNumberCell = 15;
    static constexpr double kDenseCell = 3;
    static constexpr double kMaxCell = 72;

    QSizeF size;
    QPointF origin;
    double cell = 44;
    double left = 48; ///< of the row labels
    double top = 22;  ///< of the column labels

    QSizeF planeSize(const BankLayout& layout) const;
    QRectF rectOf(const BankLayout& layout, BankCell cell) const; ///< on the screen
    BankCell cellAt(const BankLayout& layout, QPointF pixel) const;
    /// The largest cells with which everything is seen, at most 44 pixels.
    static BankView fitting(const BankLayout& layout, QSizeF size);
};

void paintBanks(QPainter& painter, const BankPicture& picture, const BankView& view,
                const Theme& theme);

/// How much of the array the view draws: "" when every cell has its numbers.
QString detailText(const BankView& view);

} // namespace marquetry::widgets
