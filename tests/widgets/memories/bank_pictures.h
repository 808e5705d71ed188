// Pictures of the banks of arrays of any size.
#pragma once

#include "engine/banking/derive.h"
#include "widgets/memories/bank_painter.h"

#include <QImage>
#include <QPainter>

#include <algorithm>

namespace marquetry::widgets {

/// Five times each index but the last, in 13 banks with blocks of 3.
inline BankPicture pictureOf(const std::vector<std::int64_t>& dims) {
    BankPicture picture;
    picture.layout = BankLayout(dims);
    banking::Address alpha(dims.size(), 5);
    alpha.back() = 1;
    picture.scheme = banking::derive({ir::FlatMap{alpha, 3, 13}}, dims);
    return picture;
}

/// The middle of the picture, with cells of so many pixels; 0: all of it.
inline BankView middleView(const BankPicture& picture, double cell) {
    BankView view = BankView::fitting(picture.layout, {1600, 900});
    if (cell > 0)
        view.cell = cell;
    const QSizeF plane = view.planeSize(picture.layout);
    view.origin = {std::max(0.0, plane.width() / 2 - 800), std::max(0.0, plane.height() / 2 - 450)};
    return view;
}

inline QImage painted(const BankPicture& picture, const BankView& view, const Theme& theme) {
    QImage image(view.size.toSize(), QImage::Format_RGB32);
    QPainter painter(&image);
    paintBanks(painter, picture, view, theme);
    return image;
}

} // namespace marquetry::widgets
