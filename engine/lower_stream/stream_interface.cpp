#include "engine/lower_stream/stream_interface.h"

#include "engine/support/checked_math.h"

namespace marquetry::hdl {

using spacetime::SeqType;

int StreamPort::tdataBits() const {
    int bits = 0;
    for (const ir::Scalar scalar : leaves)
        bits += 8 * ir::info(scalar).bytes;
    return bits * static_cast<int>(lanes);
}

int StreamPort::wordBits() const {
    int bits = 0;
    for (const ir::Scalar scalar : leaves)
        bits += ir::info(scalar).bits;
    return bits * static_cast<int>(lanes);
}

std::int64_t StreamInterface::predictedCycles() const {
    return unit * latency + lastValidClock(output.type) + 2;
}

std::int64_t lastValidClock(const SeqType& type) {
    if (type.is(SeqType::Kind::Atom))
        return 0;
    const std::int64_t before =
        type.is(SeqType::Kind::TSeq) ? (type.length - 1) * clocks(type.element()) : 0;
    return before + lastValidClock(type.element());
}

std::vector<ValidSteps> validSteps(const SeqType& type, std::int64_t unit) {
    std::vector<ValidSteps> steps;
    const SeqType normal = normalize(type);
    for (const SeqType* t = &normal; !t->is(SeqType::Kind::Atom); t = &t->element()) {
        if (!t->is(SeqType::Kind::TSeq) || t->idle == 0)
            continue;
        const std::int64_t end = t->length * clocks(t->element());
        const std::int64_t period = clocks(*t);
        if (ceilDiv(end, unit) < period / unit)
            steps.push_back({period / unit, ceilDiv(end, unit)});
    }
    return steps;
}

} // namespace marquetry::hdl
