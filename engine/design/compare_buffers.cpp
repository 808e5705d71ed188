#include "engine/design/compare_buffers.h"

#include <algorithm>
#include <map>
#include <utility>

namespace marquetry::design {

namespace {

std::string placeName(BufferKind kind) {
    switch (kind) {
    case BufferKind::Register:
        return "registers";
    case BufferKind::LutRam:
        return "LUT RAM";
    case BufferKind::BlockRam:
        return "block RAM";
    case BufferKind::Stream:
        return "FIFO";
    case BufferKind::External:
        return "external";
    }
    return "block RAM";
}

BufferOfDesign bufferUse(const DesignBuffer& buffer) {
    return {placeName(buffer.kind), buffer.words, buffer.width, buffer.banks,
            buffer.weights ? std::nullopt : std::optional(buffer.bram)};
}

} // namespace

ComparedNumber ComparedBuffer::bits() const {
    const auto of = [](const std::optional<BufferOfDesign>& buffer) {
        return buffer ? std::optional(buffer->bits()) : std::nullopt;
    };
    return {of(a), of(b)};
}

std::vector<ComparedBuffer> comparedBuffers(const Design& a, const Design& b) {
    std::vector<ComparedBuffer> buffers;
    std::multimap<std::pair<bool, std::string>, std::size_t> alone; ///< of A, in its order
    for (const DesignBuffer& buffer : a.buffers) {
        alone.emplace(std::pair(buffer.weights, buffer.name), buffers.size());
        buffers.push_back({buffer.name, buffer.weights, bufferUse(buffer), std::nullopt});
    }
    for (const DesignBuffer& buffer : b.buffers) {
        const auto [first, last] = alone.equal_range({buffer.weights, buffer.name});
        if (first == last) {
            buffers.push_back({buffer.name, buffer.weights, std::nullopt, bufferUse(buffer)});
            continue;
        }
        buffers[first->second].b = bufferUse(buffer);
        alone.erase(first);
    }
    std::ranges::stable_partition(buffers,
                                  [](const ComparedBuffer& each) { return each.a && each.b; });
    return buffers;
}

} // namespace marquetry::design
