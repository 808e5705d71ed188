#include "tests/lower_design/batches.h"

#include "engine/lower_design/lower_design.h"

namespace marquetry::test {

bool makeBatch(design::Schedule& schedule, std::int64_t frames) {
    design::Schedule batch = schedule;
    batch.frames = frames;
    for (design::Slot& slot : batch.slots)
        slot.depth *= frames;
    for (design::StoredTensor& tensor : batch.tensors)
        tensor.base *= frames;
    if (!hdl::check(batch))
        return false;
    schedule = std::move(batch);
    return true;
}

} // namespace marquetry::test
