#include "widgets/compare/comparison_picture.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <numeric>

namespace marquetry::widgets {

namespace {

constexpr double kMargin = 16;
constexpr double kBetween = 24; ///< columns
constexpr double kLineHeight = 22;

QFont fontOf(bool bold) {
    QFont font = textFont(10);
    font.setPixelSize(13);
    font.setBold(bold);
    return font;
}

double advanceOf(const QString& text) {
    return QFontMetricsF(fontOf(true)).horizontalAdvance(text);
}

std::vector<double> columnWidths(const std::vector<std::vector<PaintedCell>>& rows) {
    std::vector<double> widths;
    for (const auto& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t column = 0; column < row.size(); ++column)
            widths[column] = std::max(widths[column], advanceOf(row[column].text));
    }
    return widths;
}

class ComparisonPainter {
public:
    ComparisonPainter(QPainter& painter, const PaintedComparison& shown, const Theme& theme)
        : painter_(painter), shown_(shown), theme_(theme), widths_(columnWidths(shown.rows)) {}

    void paint(const QSizeF& size) {
        painter_.fillRect(QRectF(QPointF(), size), theme_[Role::Background]);
        y_ = kMargin;
        for (const QString& line : shown_.words)
            paintLine({{line, false, Role::Ink}}, {size.width()}, false);
        y_ += shown_.words.isEmpty() ? 0 : kMargin / 2;
        for (std::size_t row = 0; row < shown_.rows.size(); ++row)
            paintLine(shown_.rows[row], widths_, row == 0);
        painter_.save();
        painter_.translate(0, y_ + kMargin / 2);
        shown_.overTime.paint(painter_);
        painter_.restore();
    }

private:
    void paintLine(const std::vector<PaintedCell>& cells, const std::vector<double>& widths,
                   bool bold) {
        double x = kMargin;
        painter_.setFont(fontOf(bold));
        for (std::size_t column = 0; column < cells.size(); ++column) {
            const PaintedCell& cell = cells[column];
            painter_.setPen(theme_[cell.ink]);
            painter_.drawText(
                QRectF(x, y_, widths[column], kLineHeight),
                int((cell.toTheRight ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter),
                cell.text);
            x += widths[column] + kBetween;
        }
        y_ += kLineHeight;
    }

    QPainter& painter_;
    const PaintedComparison& shown_;
    const Theme& theme_;
    std::vector<double> widths_;
    double y_ = 0;
};

QSizeF sizeOf(const PaintedComparison& shown) {
    const std::vector<double> widths = columnWidths(shown.rows);
    double width =
        std::max(shown.overTime.size.width(),
                 std::accumulate(widths.begin(), widths.end(), 2 * kMargin) +
                     kBetween * static_cast<double>(std::max<std::size_t>(widths.size(), 1) - 1));
    for (const QString& line : shown.words)
        width = std::max(width, 2 * kMargin + advanceOf(line));
    const double lines =
        static_cast<double>(shown.words.size()) + static_cast<double>(shown.rows.size());
    return {width, 2 * kMargin + lines * kLineHeight + kMargin + shown.overTime.size.height()};
}

} // namespace

Picture comparisonPicture(const PaintedComparison& shown, const Theme& theme) {
    const QSizeF size = sizeOf(shown);
    return {size, QObject::tr("Two designs side by side"), [shown, theme, size](QPainter& painter) {
                ComparisonPainter(painter, shown, theme).paint(size);
            }};
}

} // namespace marquetry::widgets
