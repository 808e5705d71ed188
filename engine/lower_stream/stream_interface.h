// What testbenches and exports know of a stream's hardware: its ports, and when what is valid.
//
// Complexity: linear in the layers of a type. Thread rule: value types.
#pragma once

#include "engine/ir/type.h"
#include "engine/spacetime/seq_type.h"

#include <cstdint>
#include <string>
#include <vector>

namespace marquetry::hdl {

struct StreamPort {
    std::string name; ///< identifier, no other port's in any case of letters
    spacetime::SeqType type;
    std::int64_t lanes = 1;
    std::vector<ir::Scalar> leaves; ///< of the atom
    std::int64_t beats = 1;         ///< of a frame

    int tdataBits() const;
    int wordBits() const; ///< of one slot, without padding
};

/// What a testbench knows of the hardware.
struct StreamInterface {
    std::string name; ///< identifier: the beginning of what its modules ask for
    std::vector<StreamPort> inputs;
    StreamPort output;
    std::int64_t clocks = 1;  ///< of a frame
    std::int64_t unit = 1;    ///< clocks of a step
    std::int64_t latency = 0; ///< steps

    std::int64_t predictedCycles() const;
};

/// The last clock of a value in which something is valid.
std::int64_t lastValidClock(const spacetime::SeqType& type);

/// The steps in which a value of the type is valid: all of those given.
struct ValidSteps {
    std::int64_t period = 1;
    std::int64_t end = 1; ///< valid in [0, end) of the period
    bool operator==(const ValidSteps&) const = default;
};
std::vector<ValidSteps> validSteps(const spacetime::SeqType& type, std::int64_t unit);

} // namespace marquetry::hdl
