// The picture of the banks: its geometry, its colours, and how long arrays of any size take.
#include "widgets/memories/bank_painter.h"

#include <QPainter>

#include <gtest/gtest.h>

#include <ctime>
#include <numeric>
#include <set>

namespace marquetry::widgets {
namespace {

TEST(BankLayout, EveryAddressHasACellOfItsOwn) {
    for (const std::vector<std::int64_t>& dims : std::vector<std::vector<std::int64_t>>{
             {7}, {100}, {4, 6}, {3, 4, 5}, {2, 3, 4, 5}, {2, 3, 2, 3, 2}}) {
        const BankLayout layout(dims);
        std::set<Cell> cells;
        std::int64_t words = 1;
        for (const std::int64_t extent : dims)
            words *= extent;
        std::vector<std::int64_t> x(dims.size());
        for (std::int64_t k = 0; k < words; ++k) {
            const Cell cell = layout.cellOf(x);
            EXPECT_LT(cell.row, layout.rows());
            EXPECT_LT(cell.column, layout.columns());
            EXPECT_EQ(layout.addressOf(cell), x);
            cells.insert(cell);
            for (std::size_t d = dims.size(); d-- > 0;) {
                if (++x[d] < dims[d])
                    break;
                x[d] = 0;
            }
        }
        EXPECT_EQ(cells.size(), static_cast<std::size_t>(words));
    }
    EXPECT_FALSE(BankLayout({100}).addressOf({3, 10})) << "the wrapped array has ended";
    EXPECT_EQ(BankLayout({2, 3, 4, 5}).rowLabel(5), QStringLiteral("1,1"));
    EXPECT_EQ(BankLayout({100}).rowLabel(2), QStringLiteral("64"));
}

TEST(BankLayout, PixelsFindTheirCellsAtEveryZoom) {
    for (const std::vector<std::int64_t>& dims :
         std::vector<std::vector<std::int64_t>>{{9, 9}, {3, 4, 5}, {1080, 1920}}) {
        const BankLayout layout(dims);
        for (const double size : {0.5, 2.0, 7.0, 20.0, 44.0}) {
            BankView view;
            view.size = {900, 600};
            view.cell = size;
            for (const Cell cell : {Cell{0, 0}, Cell{layout.rows() - 1, layout.columns() - 1},
                                    Cell{layout.rows() / 2, layout.columns() / 3}}) {
                view.origin = {};
                view.origin = view.rectOf(layout, cell).center() - QPointF(400, 300);
                EXPECT_EQ(view.cellAt(layout, view.rectOf(layout, cell).center()), cell)
                    << size << " at " << cell.row << ", " << cell.column;
            }
        }
    }
}

QImage painted(const BankPicture& picture, const BankView& view, const Theme& theme) {
    QImage image(view.size.toSize(), QImage::Format_RGB32);
    QPainter painter(&image);
    paintBanks(painter, picture, view, theme);
    return image;
}

TEST(BankPainter, CellsHaveTheColourOfTheirBankAtEveryZoom) {
    BankPicture picture;
    picture.layout = BankLayout({40, 60});
    picture.scheme = banking::derive({ir::FlatMap{{2, 1}, 1, 5}}, {40, 60});
    for (const Theme* theme : {&lightTheme(), &darkTheme()}) {
        for (const double size : {4.0, 9.0, 20.0, 40.0}) {
            BankView view;
            view.size = {800, 500};
            view.cell = size;
            const QImage image = painted(picture, view, *theme);
            for (std::int64_t row = 0; row < 6; ++row)
                for (std::int64_t column = 0; column < 9; ++column) {
                    const QRectF rect = view.rectOf(picture.layout, {row, column});
                    const QPointF corner = rect.bottomRight() - QPointF(2, 2);
                    const std::int64_t bank = (2 * row + column) % 5;
                    EXPECT_EQ(image.pixelColor(corner.toPoint()),
                              categoryColour(static_cast<std::size_t>(bank)))
                        << size << " at " << row << ", " << column;
                }
        }
    }
}

/// Processor time of the quickest of some paints, in milliseconds.
double paintMs(const BankPicture& picture, const BankView& view) {
    double least = 1e9;
    for (int k = 0; k < 5; ++k) {
        const std::clock_t started = std::clock();
        (void)painted(picture, view, lightTheme());
        least =
            std::min(least, 1000.0 * static_cast<double>(std::clock() - started) / CLOCKS_PER_SEC);
    }
    return least;
}

TEST(BankPainter, LargeArraysArePaintedInLessThan50Milliseconds) {
    const std::vector<std::vector<std::int64_t>> arrays = {
        {1080, 1920}, {std::int64_t{1} << 31}, {46340, 46340}, {128, 16, 1024, 1024}};
    for (const std::vector<std::int64_t>& dims : arrays) {
        BankPicture picture;
        picture.layout = BankLayout(dims);
        banking::Address alpha(dims.size(), 5);
        alpha.back() = 1;
        picture.scheme = banking::derive({ir::FlatMap{alpha, 3, 13}}, dims);
        for (const double size : {0.0, 0.7, 3.0, 6.0, 15.0, 16.0, 30.0, 44.0}) {
            BankView view = BankView::fitting(picture.layout, {1600, 900});
            if (size > 0)
                view.cell = size;
            const QSizeF plane = view.planeSize(picture.layout);
            view.origin = {std::max(0.0, plane.width() / 2 - 800),
                           std::max(0.0, plane.height() / 2 - 450)};
            const double ms = paintMs(picture, view);
            EXPECT_LT(ms, 50) << dims.size() << " dimensions, cells of " << view.cell;
            RecordProperty("ms_" + std::to_string(dims.size()) + "_" + std::to_string(size),
                           std::to_string(ms));
        }
    }
}

} // namespace
} // namespace marquetry::widgets
