// How wide the lanes of a write-back that scales are (write_back.h).
//
// Units: bits. Thread rule: a value type.
#pragma once

namespace marquetry::cost {

/// Widths of signed values and numbers; 0: there are none.
struct WriteBackForm {
    int sumBits = 32;  ///< of what enters, and of its sum with the bias
    int biasBits = 0;  ///< numbers per channel: a memory has them
    int mulBits = 0;   ///< 0: all 1
    int addBits = 0;   ///< 0: all 0
    int shiftBits = 0; ///< of the shift less `leastShift`, unsigned; 0: all alike
    int leastShift = 0;
    int mostShift = 0;
    int valueBits =
        0; ///< of a weighted addition: the value, the addend, what they are multiplied by
    int addendBits = 0;
    int valueMulBits = 0;
    int addendMulBits = 0;
    int afterBits = 0; ///< of a requantisation behind it that multiplies
    int afterMulBits = 0;
    int tableBits = 0;   ///< of an entry
    int tablePlaces = 0; ///< where a lane looks up: before what it adds and pools, and behind it
    bool operator==(const WriteBackForm&) const = default;

    int fieldBits() const { return biasBits + mulBits + addBits + shiftBits; }
};

} // namespace marquetry::cost
