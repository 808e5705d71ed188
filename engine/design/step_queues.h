// Queues of steps: which steps of a schedule run beside which others.
//
// Steps begin in the order of the list. A sequencer runs those of `Calls`, and waits for each;
// others run the steps of `Second` and the queues behind it, one each, and movers run loads and
// stores of `Transfers`, while it goes on. A step awaits another queue where what runs there may
// meet it: they would use one unit, one port of a slot, or words that one of them writes. Each
// queue runs one step at a time, so no step but the last one of each can be running, and no step
// waits for a later one: nothing deadlocks. The last step of a schedule awaits all. A joined step
// begins by itself, so the one that it is joined to awaits what either would meet.
//
// Complexity: O(1) for two steps, O(steps) in all. Thread rule: pure.
#pragma once

#include "engine/design/schedule.h"

#include <optional>
#include <string>

namespace marquetry::design {

/// What it runs on, or writes the weights of; none of what a mover runs.
std::optional<UnitId> unitTaken(const Step& step);

/// Why two steps may not run at once; nothing where they may. The names are for a sentence.
std::optional<std::string> whyNotAtOnce(const Schedule& schedule, std::size_t first,
                                        std::size_t then);

/// The step may run beside calls, in the queue of its unit: it is a function of rows, a move to the
/// weights that a unit holds, or a call which is joined to nothing. Of
/// a unit with external weights either all steps do or none.
bool mayRunBeside(const Step& step);
/// Such a call that takes windows or elements one by one: of a pool, a depth-wise convolution, or
/// single elements; and whose unit has no external weights.
bool isSecondary(const Schedule& schedule, const ComputeStep& step);

/// The queue whose sequencer runs a call; the second one also runs those that are joined to others.
Queue sequencerOf(const Schedule& schedule, std::size_t step);

/// There is such a step, and it is joined to the one before it.
bool isJoined(const Schedule& schedule, std::size_t index);

/// The step begins when that queue is empty; each of `Calls` is.
bool awaits(const StepOrder& order, Queue queue);

/// Sets what the steps of an ordered schedule await, by their queues. The last step awaits all.
void awaitQueues(Schedule& schedule);

} // namespace marquetry::design
