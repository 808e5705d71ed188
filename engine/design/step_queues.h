// Queues of steps: which steps of a schedule run beside which others.
//
// Steps begin in the order of the list. A sequencer runs those of `Calls`, and waits for each; a
// second one runs calls of `Second`, and movers run loads and stores of `Transfers`, while it goes
// on. A step awaits another queue where what runs there may meet it: they would use one unit, one
// port of a slot, or words that one of them writes. Each queue runs one step at a time, so no step
// but the last one of each can be running, and no step waits for a later one: nothing deadlocks.
// The last step of a schedule awaits all. A joined step begins by itself, so the one that it is
// joined to awaits what either would meet.
//
// Complexity: O(1) for two steps, O(steps) in all. Thread rule: pure.
#pragma once

#include "engine/design/schedule.h"

#include <optional>
#include <string>

namespace marquetry::design {

/// Why two steps may not run at once; nothing where they may. The names are for a sentence.
std::optional<std::string> whyNotAtOnce(const Schedule& schedule, std::size_t first,
                                        std::size_t then);

/// The call may run in `Second`: its weights are on the chip, it is joined to nothing, and its unit
/// takes windows or elements one after another and has no external weights at all.
bool mayRunSecond(const Schedule& schedule, const ComputeStep& step);

/// There is such a step, and it is joined to the one before it.
bool isJoined(const Schedule& schedule, std::size_t index);

/// The step begins when that queue is empty; each of `Calls` is.
bool awaits(const StepOrder& order, Queue queue);

/// Sets what the steps of an ordered schedule await, by their queues.
void awaitQueues(Schedule& schedule);

} // namespace marquetry::design
