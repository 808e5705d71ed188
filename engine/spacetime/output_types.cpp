#include "engine/spacetime/output_types.h"

#include "engine/spacetime/layer_shape.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace marquetry::spacetime {

namespace {

/// The root of a square; 0 of another number.
std::int64_t squareRoot(std::int64_t n) {
    const auto root = static_cast<std::int64_t>(std::llround(std::sqrt(static_cast<double>(n))));
    return root * root == n ? root : 0;
}

/// What a sequence may take of the time for itself: its elements get the rest, atoms one clock.
std::vector<std::int64_t> sharesOf(const ir::StreamType& type, std::int64_t time) {
    return ir::isAtom(type.element()) ? std::vector{time} : divisors(time);
}

void append(const ir::StreamType& type, std::int64_t time, std::vector<SeqType>& found) {
    if (ir::isAtom(type)) {
        if (time == 1)
            found.push_back(atomType(type));
        return;
    }
    if (type.is(ir::StreamType::Kind::STuple)) {
        for (SeqType& element : outputTypes(type.element(), time))
            found.push_back(stuple(type.length, std::move(element)));
        return;
    }
    for (const std::int64_t own : sharesOf(type, time)) {
        for (const SeqType& element : outputTypes(type.element(), time / own)) {
            std::vector<SeqType> layers = layerTypes(type.length, own, element);
            std::ranges::move(layers, std::back_inserter(found));
        }
    }
}

class Count {
public:
    explicit Count(std::int64_t most) : most_(most) {}

    std::int64_t types(const ir::StreamType& type, std::int64_t time) {
        if (ir::isAtom(type))
            return time == 1 ? 1 : 0;
        if (type.is(ir::StreamType::Kind::STuple))
            return types(type.element(), time);
        const auto known = known_.find({&type, time});
        if (known != known_.end())
            return known->second;
        std::int64_t sum = 0;
        for (const std::int64_t own : sharesOf(type, time)) {
            if (sum >= most_)
                break;
            const std::int64_t inner = types(type.element(), time / own);
            if (inner > 0)
                sum += inner *
                       static_cast<std::int64_t>(layerTypes(type.length, own, atomType({})).size());
        }
        return known_[{&type, time}] = std::min(sum, most_);
    }

private:
    std::int64_t most_;
    std::map<std::pair<const ir::StreamType*, std::int64_t>, std::int64_t> known_;
};

} // namespace

std::int64_t countOutputTypes(const ir::StreamType& type, std::int64_t time, std::int64_t most) {
    return Count(most).types(type, time);
}

std::vector<SeqType> layerTypes(std::int64_t n, std::int64_t time, const SeqType& element) {
    if (time == 1)
        return {sseq(n, element)};
    std::vector<SeqType> types;
    std::int64_t groups = 1;
    for (const std::int64_t d : divisors(n))
        groups = d <= time ? d : groups;
    types.push_back(tseq(groups, time - groups, sseq(n / groups, element)));
    if (time < n)
        return types;
    types.push_back(tseq(n, time - n, element));
    for (const std::int64_t period : divisors(time)) {
        const std::int64_t spread = time / period;
        if (period < n)
            continue;
        types.push_back(tseq(n, period - n, tseq(1, spread - 1, element)));
        if (const std::int64_t root = squareRoot(spread); root > 0)
            types.push_back(tseq(n, period - n, tseq(1, root - 1, tseq(1, root - 1, element))));
    }
    return types;
}

std::vector<SeqType> outputTypes(const ir::StreamType& type, std::int64_t time) {
    std::vector<SeqType> found;
    append(type, time, found);
    return found;
}

} // namespace marquetry::spacetime
