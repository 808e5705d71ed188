// The picture of the banks: its geometry, its colours, and what arrays of any size take.
#include "engine/banking/derive.h"
#include "tests/support/effort.h"
#include "tests/widgets/memories/bank_pictures.h"
#include "widgets/memories/bank_painter.h"

#include <QPainter>

#include <gtest/gtest.h>

#include <numeric>
#include <set>

namespace marquetry::widgets {
namespace {

TEST(BankLayout, EveryAddressHasACellOfItsOwn) {
    for (const std::vector<std::int64_t>& dims : std::vector<std::vector<std::int64_t>>{
             {7}, {100}, {4, 6}, {3, 4, 5}, {2, 3, 4, 5}, {2, 3, 2, 3, 2}}) {
        const BankLayout layout(dims);
        std::set<BankCell> cells;
        std::int64_t words = 1;
        for (const std::int64_t extent : dims)
            words *= extent;
        std::vector<std::int64_t> x(dims.size());
        for (std::int64_t k = 0; k < words; ++k) {
            const BankCell cell = layout.cellOf(x);
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
            for (const BankCell cell :
                 {BankCell{0, 0}, BankCell{layout.rows() - 1, layout.columns() - 1},
                  BankCell{layout.rows() / 2, layout.columns() / 3}}) {
                view.origin = {};
                view.origin = view.rectOf(layout, cell).center() - QPointF(400, 300);
                EXPECT_EQ(view.cellAt(layout, view.rectOf(layout, cell).center()), cell)
                    << size << " at " << cell.row << ", " << cell.column;
            }
        }
    }
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

/// Of the middle of the picture, with cells of so many pixels; 0: of all of it.
test::Effort paintEffort(const BankPicture& picture, double cell) {
    const BankView view = middleView(picture, cell);
    return test::leastEffortOf(5, [&] { (void)painted(picture, view, lightTheme()); });
}

TEST(BankPainter, ArraysOfAnySizeArePaintedAsFastAsAScreenful) {
    const BankPicture screenful = pictureOf({1300, 2300});
    std::vector<BankPicture> large;
    for (const std::vector<std::int64_t>& dims : std::vector<std::vector<std::int64_t>>{
             {1080, 1920}, {std::int64_t{1} << 31}, {46340, 46340}, {128, 16, 1024, 1024}})
        large.push_back(pictureOf(dims));
    for (const double cell : {0.0, 0.7, 3.0, 6.0, 15.0, 16.0, 30.0, 44.0}) {
        const test::Effort usual = paintEffort(screenful, cell);
        for (const BankPicture& picture : large) {
            EXPECT_LT(paintEffort(picture, cell), 5 * usual)
                << picture.layout.rows() << " rows, cells of " << cell;
        }
    }
}

} // namespace
} // namespace marquetry::widgets
