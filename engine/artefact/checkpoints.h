// Checkpoints: at which element of which layer a wrong output begins.
//
// What a slot is given to store is watched at its write port (checkpoint_bench.h), and looked at
// between steps: each tensor behind the last step that writes it, and once more before a later step
// that reads it, where it may have been overwritten. All of it is compared with the interpreter's
// values. The first that differs, in the order of the steps and then of its elements, is where the
// hardware went wrong: whatever that step has read was right. Two joined steps are looked at
// together, the writer first; what a step of another queue writes, where the first step begins that
// awaits it. Lanes behind the last channel hold no meaning and are not compared.
//
// What is right at the write port and wrong in the memory behind it is found in the layer that
// reads it. The weights that moves bring to a unit are in no slot: so is a wrong one.
//
// Complexity: linear in the elements compared. Thread rule: pure.
#pragma once

#include "engine/artefact/wrong_element.h"
#include "engine/design/schedule.h"
#include "engine/support/result.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace marquetry::hdl {

struct Checkpoint {
    std::size_t step = 0; ///< index of the step that reads or writes the tensor
    /// Of the first of the steps that are joined to it, or itself; of what a step of another queue
    /// writes, of the last step that may begin before that one has ended.
    std::size_t group = 0;
    design::TensorId tensor;
    bool reads = false; ///< it is looked at before the group; otherwise behind it
};

/// In the order in which they are compared.
std::vector<Checkpoint> checkpointsOf(const design::Schedule& schedule);

/// Words of its slot that are looked at: the tensor's, or all of the ring in which a band lies.
struct KeptWords {
    std::int64_t first = 0;
    std::int64_t number = 1;
};
KeptWords keptWords(const design::Schedule& schedule, design::TensorId tensor);

/// "checkpoint_3.hex": what a run writes of checkpoint `index`.
std::string checkpointFile(std::size_t index);

/// The bytes of a file of the run; an error when it has written none.
using CheckpointReader = std::function<Result<std::string>(const std::string& file)>;

/// The interpreter's values of each frame of a run. Index: frame, then ValueId.
using FrameValues = std::vector<std::vector<ir::Tensor>>;

/// The checkpoint's keptWords, one a line in hexadecimal digits, as $writememh writes them,
/// compared with the values of its frames, one after another. Nothing is wrong, or too many or too
/// few words are there (error checkpoint-form), or the first element that is.
Result<std::optional<WrongElement>> wrongElement(const design::Schedule& schedule,
                                                 const Checkpoint& checkpoint,
                                                 const FrameValues& frames,
                                                 const std::string& words);

/// Of all checkpoints, up to the first wrong element or the first that the run did not reach.
CheckpointReport compareCheckpoints(const design::Schedule& schedule, const FrameValues& frames,
                                    const CheckpointReader& read);

} // namespace marquetry::hdl
