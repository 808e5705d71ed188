#include "widgets/memories/bank_painter.h"

#include <QImage>
#include <QObject>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <set>

namespace marquetry::widgets {

namespace {

constexpr QRgb kConflict = 0xFFC00000;
constexpr int kSample = 2; ///< pixels per sample of a dense picture

double gapOf(double cell) {
    return std::min(cell * 0.3, 9.0);
}

/// Pixels from the plane's edge to line `at`, of which `perPlane` make a plane.
double place(std::int64_t at, std::int64_t perPlane, double cell) {
    return static_cast<double>(at) * cell + static_cast<double>(at / perPlane) * gapOf(cell);
}

std::int64_t lineAt(double pixel, std::int64_t perPlane, double cell) {
    const double plane = static_cast<double>(perPlane) * cell + gapOf(cell);
    const double planes = std::floor(pixel / plane);
    const double rest = std::floor((pixel - planes * plane) / cell);
    return static_cast<std::int64_t>(planes) * perPlane +
           std::clamp(static_cast<std::int64_t>(rest), std::int64_t{0}, perPlane - 1);
}

/// Lines from … to that a screen of `extent` pixels shows.
struct Lines {
    std::int64_t from = 0;
    std::int64_t to = 0; ///< one past the last
};

Lines visibleLines(double origin, double extent, std::int64_t perPlane, std::int64_t count,
                   double cell) {
    const std::int64_t from = std::clamp<std::int64_t>(
        lineAt(std::max(0.0, origin), perPlane, cell), 0, std::max<std::int64_t>(count - 1, 0));
    const std::int64_t to = lineAt(std::max(0.0, origin + extent), perPlane, cell) + 1;
    return {from, std::clamp(to, from, count)};
}

class BankPainter {
public:
    BankPainter(QPainter& painter, const BankPicture& picture, const BankView& view,
                const Theme& theme)
        : painter_(painter), picture_(picture), view_(view), theme_(theme) {}

    void paint() {
        painter_.save();
        painter_.fillRect(QRectF(QPointF(), view_.size), theme_[Role::Background]);
        if (picture_.empty()) {
            painter_.setPen(theme_[Role::Muted]);
            painter_.drawText(QRectF(QPointF(), view_.size).adjusted(20, 20, -20, -20),
                              Qt::AlignCenter | Qt::TextWordWrap, picture_.message);
            painter_.restore();
            return;
        }
        rows_ = visibleLines(view_.origin.y(), view_.size.height() - view_.top,
                             layout().planeRows(), layout().rows(), view_.cell);
        columns_ = visibleLines(view_.origin.x(), view_.size.width() - view_.left,
                                layout().planeColumns(), layout().columns(), view_.cell);
        painter_.setRenderHint(QPainter::Antialiasing);
        paintLabels();
        painter_.setClipRect(QRectF(view_.left, view_.top, view_.size.width() - view_.left,
                                    view_.size.height() - view_.top));
        if (view_.cell < BankView::kNumberCell)
            paintSampled();
        else
            paintCells();
        paintWindow();
        paintProof();
        paintCursor();
        painter_.restore();
    }

private:
    const BankLayout& layout() const { return picture_.layout; }

    QFont font(double pixels, bool bold = false) const {
        QFont result = textFont(9);
        result.setPixelSize(std::max(6, static_cast<int>(pixels)));
        result.setBold(bold);
        return result;
    }

    // ---- cells

    void paintCells() {
        painter_.setRenderHint(QPainter::Antialiasing, false);
        painter_.setPen(Qt::NoPen);
        for (std::int64_t row = rows_.from; row < rows_.to; ++row) {
            for (std::int64_t column = columns_.from; column < columns_.to; ++column) {
                const BankCell cell{row, column};
                const auto address = layout().addressOf(cell);
                if (!address)
                    continue;
                const std::int64_t bank = picture_.scheme.bank(*address);
                const QColor colour = categoryColour(static_cast<std::size_t>(bank));
                const QRectF rect = view_.rectOf(layout(), cell).adjusted(1, 1, -1, -1);
                painter_.fillRect(rect, colour);
                paintNumbers(rect, colour, bank, picture_.scheme.offset(*address));
            }
        }
        painter_.setRenderHint(QPainter::Antialiasing);
    }

    void paintNumbers(const QRectF& rect, const QColor& colour, std::int64_t bank,
                      std::int64_t offset) {
        painter_.setPen(inkOn(colour));
        const QString name = QString::number(bank);
        if (view_.cell < BankView::kOffsetCell) {
            painter_.setFont(font(view_.cell * (name.size() > 2 ? 0.36 : 0.46)));
            painter_.drawText(rect, Qt::AlignCenter, name);
            return;
        }
        painter_.setFont(font(view_.cell * 0.22));
        painter_.drawText(rect.adjusted(3, 1, 0, 0), Qt::AlignLeft | Qt::AlignTop,
                          QStringLiteral("b") + name);
        const QString number = QString::number(offset);
        const double size = std::min(0.34, 1.2 / static_cast<double>(number.size()));
        painter_.setFont(font(view_.cell * size));
        painter_.drawText(rect.adjusted(0, view_.cell * 0.14, 0, 0), Qt::AlignCenter, number);
    }

    /// Cells without numbers, pixel by pixel (2 × 2 when dense); the bank follows from what its row
    /// and its column add. Lines and pixels of a cell already known are copied.
    void paintSampled() {
        const int step = view_.cell < BankView::kDenseCell ? kSample : 1;
        const auto across = sampled(view_.size.width() - view_.left, step, false);
        const auto down = sampled(view_.size.height() - view_.top, step, true);
        const auto width = static_cast<int>(across.size());
        const auto height = static_cast<int>(down.size());
        QImage image(width, height, QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::transparent);
        std::int64_t known = -1;
        int knownLine = 0;
        for (int y = 0; y < height; ++y) {
            const Sample& row = down[static_cast<std::size_t>(y)];
            if (!row.inside || row.border)
                continue;
            auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
            if (row.at == known) {
                std::copy_n(reinterpret_cast<const QRgb*>(image.constScanLine(knownLine)), width,
                            line);
                continue;
            }
            fillLine(line, row, across);
            known = row.at;
            knownLine = y;
        }
        painter_.drawImage(QRectF(view_.left, view_.top, width * step, height * step), image);
    }

    struct Sample {
        bool inside = false;
        bool border = false; ///< the line between two cells
        std::int64_t at = 0;
        std::vector<std::int64_t> sums; ///< α · x of this line's part of the address, per map
    };

    /// Sums of the two parts of an address, except where the bits of an index count.
    std::int64_t bankAt(const Sample& row, const Sample& column) const {
        const auto& maps = picture_.scheme.maps;
        if (picture_.scheme.kind() == banking::Kind::Xor)
            return picture_.scheme.bank(*layout().addressOf({row.at, column.at}));
        std::int64_t bank = 0;
        for (std::size_t m = 0; m < maps.size(); ++m)
            bank = bank * maps[m].banks + maps[m].bankOf(row.sums[m] + column.sums[m]);
        return bank;
    }

    void fillLine(QRgb* line, const Sample& row, const std::vector<Sample>& across) {
        std::int64_t known = -1;
        QRgb colour = 0;
        for (std::size_t x = 0; x < across.size(); ++x) {
            const Sample& column = across[x];
            if (!column.inside || column.border || !exists(row.at, column.at))
                continue;
            if (column.at != known) {
                colour = colourOf(bankAt(row, column));
                known = column.at;
            }
            line[x] = colour;
        }
    }

    std::vector<Sample> sampled(double extent, int step, bool rows) const {
        constexpr double kBordered = 6; ///< smaller cells touch each other
        const double origin = rows ? view_.origin.y() : view_.origin.x();
        const std::int64_t perPlane = rows ? layout().planeRows() : layout().planeColumns();
        const std::int64_t lines = rows ? layout().rows() : layout().columns();
        std::vector<Sample> samples(static_cast<std::size_t>(std::max(0.0, extent / step)) + 1);
        for (std::size_t k = 0; k < samples.size(); ++k) {
            Sample& sample = samples[k];
            const double pixel = origin + (static_cast<double>(k) + 0.5) * step;
            sample.at = lineAt(pixel, perPlane, view_.cell);
            const double within = pixel - place(sample.at, perPlane, view_.cell);
            sample.inside = pixel >= 0 && sample.at < lines && within <= view_.cell;
            sample.border = view_.cell >= kBordered && within < 1;
            if (!sample.inside)
                continue;
            const bool again = k > 0 && samples[k - 1].inside && samples[k - 1].at == sample.at;
            sample.sums = again ? samples[k - 1].sums : sumsOf(sample.at, rows);
        }
        return samples;
    }

    std::vector<std::int64_t> sumsOf(std::int64_t at, bool rows) const {
        const auto address = layout().addressOf(rows ? BankCell{at, 0} : BankCell{0, at});
        std::vector<std::int64_t> sums;
        for (const ir::FlatMap& map : picture_.scheme.maps)
            sums.push_back(address ? map.sum(*address) : 0);
        return sums;
    }

    /// Only a wrapped array ends within its last row.
    bool exists(std::int64_t row, std::int64_t column) const {
        return row + 1 < layout().rows() || layout().addressOf({row, column}).has_value();
    }

    QRgb colourOf(std::int64_t bank) {
        const auto index = static_cast<std::size_t>(bank);
        while (colours_.size() <= index)
            colours_.push_back(categoryColour(colours_.size()).rgb());
        return colours_[index];
    }

    // ---- labels

    void paintLabels() {
        painter_.setPen(theme_[Role::Muted]);
        painter_.setFont(font(11));
        const QFontMetricsF metrics(painter_.font());
        double free = 0;
        for (std::int64_t row = rows_.from; row < rows_.to; row += step(14)) {
            const QRectF rect = view_.rectOf(layout(), {row, 0});
            const QRectF place(0, rect.center().y() - 8, view_.left - 6, 16);
            if (place.top() < std::max(view_.top - 4, free))
                continue;
            painter_.drawText(place, Qt::AlignRight | Qt::AlignVCenter, layout().rowLabel(row));
            free = place.bottom() - 4;
        }
        free = 0;
        for (std::int64_t column = columns_.from; column < columns_.to; column += step(18)) {
            const QString text = layout().columnLabel(column);
            const double width = metrics.horizontalAdvance(text) + 4;
            const double middle = view_.rectOf(layout(), {0, column}).center().x();
            if (middle - width / 2 < std::max(view_.left - 8, free))
                continue;
            painter_.drawText(QRectF(middle - width / 2, 2, width, view_.top - 4), Qt::AlignCenter,
                              text);
            free = middle + width / 2 + 2;
        }
    }

    /// Every how many lines a label of `pixels` has room.
    std::int64_t step(double pixels) const {
        return std::max<std::int64_t>(1, static_cast<std::int64_t>(pixels / view_.cell));
    }

    // ---- the access window

    void paintWindow() {
        std::set<BankCell> reads;
        std::set<BankCell> writes;
        std::set<BankCell> conflicts;
        for (const banking::LaneAt& lane : picture_.window.lanes) {
            if (!lane.happens)
                continue;
            const BankCell cell = layout().cellOf(lane.address);
            (lane.write ? writes : reads).insert(cell);
            if (lane.conflict)
                conflicts.insert(cell);
        }
        outline(reads, Qt::SolidLine);
        outline(writes, Qt::DashLine);
        for (const BankCell& cell : conflicts)
            ring(cell);
    }

    /// At least so large that a window can be found on a dense picture.
    QRectF marked(BankCell cell) const {
        const QRectF rect = view_.rectOf(layout(), cell);
        const double grow = std::max(0.0, (6 - rect.width()) / 2);
        return rect.adjusted(-grow, -grow, grow, grow);
    }

    /// The border of the cells together: edges between two of them are left out.
    void outline(const std::set<BankCell>& cells, Qt::PenStyle style) {
        QPainterPath path;
        for (const BankCell& cell : cells) {
            const QRectF rect = marked(cell);
            const bool newRow = cell.row % layout().planeRows() == 0;
            const bool newColumn = cell.column % layout().planeColumns() == 0;
            const bool lastRow = (cell.row + 1) % layout().planeRows() == 0;
            const bool lastColumn = (cell.column + 1) % layout().planeColumns() == 0;
            const auto edge = [&](QPointF a, QPointF b, BankCell other, bool border) {
                if (!border && cells.contains(other))
                    return;
                path.moveTo(a);
                path.lineTo(b);
            };
            edge(rect.topLeft(), rect.topRight(), {cell.row - 1, cell.column}, newRow);
            edge(rect.bottomLeft(), rect.bottomRight(), {cell.row + 1, cell.column}, lastRow);
            edge(rect.topLeft(), rect.bottomLeft(), {cell.row, cell.column - 1}, newColumn);
            edge(rect.topRight(), rect.bottomRight(), {cell.row, cell.column + 1}, lastColumn);
        }
        const double width = view_.cell >= BankView::kNumberCell ? 3.2 : 2;
        QPen halo(theme_[Role::Background], width + 2);
        halo.setCapStyle(Qt::RoundCap);
        painter_.setBrush(Qt::NoBrush);
        painter_.setPen(halo);
        painter_.drawPath(path);
        QPen pen(theme_[Role::Ink], width, style);
        pen.setCapStyle(style == Qt::SolidLine ? Qt::RoundCap : Qt::FlatCap);
        painter_.setPen(pen);
        painter_.drawPath(path);
    }

    void ring(BankCell cell) {
        const QRectF rect = marked(cell);
        const double radius = std::max(5.0, rect.width() * 0.36);
        painter_.setBrush(Qt::NoBrush);
        painter_.setPen(QPen(Qt::white, 4.5));
        painter_.drawEllipse(rect.center(), radius, radius);
        QPen pen(QColor::fromRgb(kConflict), 2.4, Qt::CustomDashLine);
        pen.setDashPattern({2.4, 1.4});
        painter_.setPen(pen);
        painter_.drawEllipse(rect.center(), radius, radius);
    }

    void paintProof() {
        for (const banking::Address& address : picture_.proof) {
            const QRectF rect = marked(layout().cellOf(address));
            const double inset = rect.width() * 0.12;
            const QRectF inner = rect.adjusted(inset, inset, -inset, -inset);
            painter_.setBrush(Qt::NoBrush);
            painter_.setPen(QPen(Qt::white, 4));
            painter_.drawRect(inner);
            painter_.setPen(QPen(QColor(0x17, 0x19, 0x1C), 2, Qt::DotLine));
            painter_.drawRect(inner);
        }
    }

    void paintCursor() {
        if (!picture_.cursor)
            return;
        painter_.setBrush(Qt::NoBrush);
        painter_.setPen(QPen(theme_[Role::Selected], 2.2));
        painter_.drawRect(marked(*picture_.cursor));
    }

    QPainter& painter_;
    const BankPicture& picture_;
    const BankView& view_;
    const Theme& theme_;
    Lines rows_;
    Lines columns_;
    std::vector<QRgb> colours_;
};

} // namespace

QSizeF BankView::planeSize(const BankLayout& layout) const {
    if (layout.rows() == 0)
        return {};
    return {place(layout.columns() - 1, layout.planeColumns(), cell) + cell,
            place(layout.rows() - 1, layout.planeRows(), cell) + cell};
}

QRectF BankView::rectOf(const BankLayout& layout, BankCell at) const {
    return {left + place(at.column, layout.planeColumns(), cell) - origin.x(),
            top + place(at.row, layout.planeRows(), cell) - origin.y(), cell, cell};
}

BankCell BankView::cellAt(const BankLayout& layout, QPointF pixel) const {
    const QPointF at = pixel - QPointF(left, top) + origin;
    if (pixel.x() < left || pixel.y() < top || at.x() < 0 || at.y() < 0 || layout.rows() == 0)
        return {-1, -1};
    return {lineAt(at.y(), layout.planeRows(), cell), lineAt(at.x(), layout.planeColumns(), cell)};
}

BankView BankView::fitting(const BankLayout& layout, QSizeF size) {
    constexpr double kLargest = 44;
    constexpr double kSmallest = 0.02;
    BankView view;
    view.size = size;
    view.cell = kLargest;
    if (layout.rows() == 0)
        return view;
    const auto fits = [&] {
        const QSizeF plane = view.planeSize(layout);
        return plane.width() <= size.width() - view.left - 2 &&
               plane.height() <= size.height() - view.top - 2;
    };
    while (!fits() && view.cell > kSmallest)
        view.cell = view.cell > 16 ? view.cell - 1 : view.cell * 0.93;
    return view;
}

void paintBanks(QPainter& painter, const BankPicture& picture, const BankView& view,
                const Theme& theme) {
    BankPainter(painter, picture, view, theme).paint();
}

QString detailText(const BankView& view) {
    if (view.cell >= BankView::kOffsetCell)
        return {};
    if (view.cell >= BankView::kNumberCell)
        return QObject::tr("offsets hidden: zoom in");
    if (view.cell >= BankView::kDenseCell)
        return QObject::tr("numbers hidden: zoom in");
    const double words = kSample / view.cell * (kSample / view.cell);
    return words < 1.5 ? QObject::tr("numbers hidden: zoom in")
                       : QObject::tr("one of every %1 words drawn: zoom in")
                             .arg(QString::number(words, 'f', words < 10 ? 1 : 0));
}

} // namespace marquetry::widgets
