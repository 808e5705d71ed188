#include "engine/design/row_bands.h"

#include "engine/support/checked_math.h"

#include <algorithm>

namespace marquetry::design {

namespace {

/// The first row that some reader takes in a band or later; the end of what is there where none
/// does.
std::int64_t firstRead(const std::vector<BandedTensor>& tensors, const std::vector<RowUse>& uses,
                       std::size_t tensor, std::size_t band) {
    std::int64_t first = tensors[tensor].made[band].end;
    for (const RowUse& use : uses) {
        const BandedTensor& result = tensors[use.result];
        const std::int64_t next = result.made[band].begin;
        if (use.source == tensor && next < result.height)
            first = std::min(first, use.reads({next, next + 1}, tensors[tensor].height).begin);
    }
    return first;
}

/// Rows of a tensor that are there at the end of a band in which its sources are.
std::int64_t madeUntil(const std::vector<BandedTensor>& tensors, const std::vector<RowUse>& uses,
                       std::size_t tensor, std::size_t band) {
    std::int64_t end = tensors[tensor].height;
    for (const RowUse& use : uses)
        if (use.result == tensor && !tensors[use.source].brought &&
            !(tensors[use.source].made[band].end == tensors[use.source].height))
            end = std::min(end, use.makes(tensors[use.source].made[band].end, end));
    return end;
}

/// Rows of a tensor that its readers take until the end of a band; in the last one all are there.
std::int64_t readUntil(const std::vector<BandedTensor>& tensors, const std::vector<RowUse>& uses,
                       std::size_t tensor, std::size_t band) {
    const std::int64_t height = tensors[tensor].height;
    std::int64_t end = 0;
    for (const RowUse& use : uses) {
        const std::vector<RowRange>& made = tensors[use.result].made;
        if (use.source != tensor)
            continue;
        if (band + 1 == made.size())
            return height;
        if (!made[band].empty())
            end = std::max(end, use.reads(made[band], height).end);
    }
    return end;
}

void bringRows(std::vector<BandedTensor>& tensors, const std::vector<RowUse>& uses,
               std::size_t tensor, std::size_t bands) {
    std::int64_t begin = 0;
    tensors[tensor].made.clear();
    for (std::size_t band = 0; band < bands; ++band) {
        const std::int64_t end = std::max(begin, readUntil(tensors, uses, tensor, band));
        tensors[tensor].made.push_back({begin, end});
        begin = end;
    }
}

} // namespace

RowRange RowUse::reads(RowRange rows, std::int64_t height) const {
    if (repeat > 1)
        return {rows.begin / repeat, std::min(height, ceilDiv(rows.end, repeat))};
    const RowRange taken = windows(rows);
    return {std::clamp<std::int64_t>(taken.begin * stride - pad, 0, height),
            std::clamp<std::int64_t>((taken.end - 1) * stride - pad + kernel, 0, height)};
}

std::int64_t RowUse::makes(std::int64_t rows, std::int64_t height) const {
    if (repeat > 1)
        return std::min(height, rows * repeat);
    const std::int64_t reach = rows + pad - kernel; // of the last window's first row
    return reach < 0 ? 0 : std::min(height, (reach / stride + 1) / pool);
}

void planBands(std::vector<BandedTensor>& tensors, const std::vector<RowUse>& uses,
               std::int64_t rows) {
    for (const RowUse& use : uses)
        if (use.result == 0)
            rows = roundUp(rows, use.repeat);
    const auto bands = static_cast<std::size_t>(ceilDiv(tensors.front().height, rows));
    for (std::size_t t = 0; t < tensors.size(); ++t) {
        if (tensors[t].brought)
            continue;
        std::int64_t begin = 0;
        tensors[t].made.clear();
        for (std::size_t band = 0; band < bands; ++band) {
            const std::int64_t end =
                t > 0 ? madeUntil(tensors, uses, t, band)
                      : std::min(tensors[t].height, (static_cast<std::int64_t>(band) + 1) * rows);
            tensors[t].made.push_back({begin, end});
            begin = end;
        }
    }
    for (std::size_t t = 0; t < tensors.size(); ++t)
        if (tensors[t].brought)
            bringRows(tensors, uses, t, bands);
    for (std::size_t t = 0; t < tensors.size(); ++t) {
        tensors[t].kept = 0;
        for (std::size_t band = 0; band < bands; ++band)
            tensors[t].kept =
                std::max({tensors[t].kept, tensors[t].made[band].size(),
                          tensors[t].made[band].end - firstRead(tensors, uses, t, band)});
    }
}

} // namespace marquetry::design
