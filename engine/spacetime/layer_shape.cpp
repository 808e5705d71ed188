#include "engine/spacetime/layer_shape.h"

#include <algorithm>
#include <map>

namespace marquetry::spacetime {

namespace {

/// Numbers kept, in all lists together: 8 MB.
constexpr std::size_t kMostKept = std::size_t{1} << 20;

std::vector<std::int64_t> factored(std::int64_t n) {
    std::vector<std::int64_t> found = {1};
    const auto multiplyBy = [&](std::int64_t prime) {
        const std::size_t before = found.size();
        std::int64_t power = 1;
        for (; n % prime == 0; n /= prime) {
            power *= prime;
            for (std::size_t k = 0; k < before; ++k)
                found.push_back(found[k] * power);
        }
    };
    for (std::int64_t p = 2; p * p <= n; ++p) {
        if (n % p == 0)
            multiplyBy(p);
    }
    if (n > 1)
        multiplyBy(n);
    std::ranges::sort(found);
    return found;
}

} // namespace

std::vector<std::int64_t> divisors(std::int64_t n) {
    // A search asks for those of the same few thousand numbers, millions of times.
    thread_local std::map<std::int64_t, std::vector<std::int64_t>> known;
    thread_local std::size_t kept = 0;
    if (const auto found = known.find(n); found != known.end())
        return found->second;
    std::vector<std::int64_t> found = factored(n);
    if (kept + found.size() > kMostKept) {
        known.clear();
        kept = 0;
    }
    kept += found.size();
    known.emplace(n, found);
    return found;
}

std::vector<LayerShape> layerShapes(std::int64_t n, std::int64_t time, std::int64_t maxLanes) {
    std::vector<LayerShape> shapes;
    const std::vector<std::int64_t> periods = divisors(time);
    for (const std::int64_t lanes : divisors(n)) {
        const std::int64_t groups = n / lanes;
        if (lanes > maxLanes)
            break;
        if (groups == 1) {
            shapes.push_back({1, 1, lanes, time});
            break;
        }
        for (auto period = periods.rbegin(); period != periods.rend() && *period >= groups;
             ++period)
            shapes.push_back({groups, *period, lanes, time / *period});
    }
    return shapes;
}

std::vector<SeqType> layersOf(const LayerShape& shape) {
    std::vector<SeqType> layers;
    if (shape.period > 1)
        layers.push_back(tseq(shape.groups, shape.period - shape.groups, {}));
    if (shape.lanes > 1)
        layers.push_back(sseq(shape.lanes, {}));
    if (shape.spread > 1)
        layers.push_back(tseq(1, shape.spread - 1, {}));
    if (layers.empty())
        layers.push_back(sseq(1, {}));
    return layers;
}

SeqType around(const std::vector<SeqType>& layers, SeqType element) {
    for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer) {
        SeqType whole = *layer;
        whole.parts = {std::move(element)};
        element = std::move(whole);
    }
    return element;
}

SeqType around(const LayerShape& shape, SeqType element) {
    return around(layersOf(shape), std::move(element));
}

} // namespace marquetry::spacetime
