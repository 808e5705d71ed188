// Activations in external memory: where rows of a value lie there, and what moving them takes.
//
// Behind the weights of the image (design/weight_image.h) is room for values that have none on the
// chip. A step stores rows of a value from a slot, a later one loads them into a slot again, 8
// bytes a clock, as a stream would: pixels lie side by side, so those of some rows are one run of
// bytes. A pixel has whole groups of 8 bytes. While a step loads or stores, no weights are asked
// for, so the port never gives more than the memory's figures say; what was asked for before still
// comes.
//
// Complexity: O(1), externalBegin linear in the steps. Thread rule: pure.
#pragma once

#include "engine/design/schedule.h"

namespace marquetry::design {

/// That a step moves in a clock, and that a pixel has a multiple of.
inline constexpr std::int64_t kMovedBytes = 8;
/// What addresses of external tensors are multiples of; a burst never crosses it.
inline constexpr std::int64_t kExternalAlignment = 4096;

/// The value can lie there: pixels of whole groups of bytes, of an image.
bool mayBeExternal(const ir::Type& type);

/// As external memory would hold the value; `base` is 0.
ExternalTensor externalTensor(const ir::Program& program, ir::ValueId value);

/// Nullptr: external memory does not hold it.
const ExternalTensor* findExternal(const Schedule& schedule, ir::ValueId value);

/// Bytes, from the beginning of the image.
struct ByteRange {
    std::int64_t begin = 0;
    std::int64_t bytes = 0;
    std::int64_t end() const { return begin + bytes; }
};

/// Where external tensors begin in the image.
std::int64_t externalBegin(const Schedule& schedule);
/// The whole image, with them.
std::int64_t imageBytes(const Schedule& schedule);
/// Rows of a stored tensor whose value is external; `begin` of externalBegin.
ByteRange externalRows(const Schedule& schedule, TensorId tensor, std::int64_t begin);

/// Of the queue that loaded beats come into: as many as are under way, and a burst; a power of two.
std::int64_t movedBeats(const ExternalMemory& memory);

/// A load or a store of rows of an external tensor.
bool movesExternal(const Step& step);

/// Clocks that steps which move rows of external tensors wait for a memory that keeps to its
/// figures, step after step. A load begins when all that was stored is answered.
class TransferReplay {
public:
    explicit TransferReplay(const Schedule& schedule) : schedule_(schedule) {}

    /// The clocks in which a step that is set up at `begin` waits; 0 of those that move no rows.
    std::int64_t waits(const Step& step, std::int64_t begin);

private:
    std::int64_t firstGap(TensorId tensor) const;

    const Schedule& schedule_;
    std::int64_t answered_ = 0; ///< all that was stored
};

} // namespace marquetry::design
