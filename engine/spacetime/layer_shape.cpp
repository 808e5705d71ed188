#include "engine/spacetime/layer_shape.h"

namespace marquetry::spacetime {

std::vector<std::int64_t> divisors(std::int64_t n) {
    std::vector<std::int64_t> low;
    std::vector<std::int64_t> high;
    for (std::int64_t d = 1; d * d <= n; ++d) {
        if (n % d != 0)
            continue;
        low.push_back(d);
        if (d * d != n)
            high.push_back(n / d);
    }
    low.insert(low.end(), high.rbegin(), high.rend());
    return low;
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
