#include "app/cli/bank_arrays.h"

#include "app/cli/explore_options.h"
#include "app/cli/stream_schedule.h"
#include "engine/design/buffer_accesses.h"
#include "engine/design/stream_buffers.h"
#include "engine/device/device_file.h"
#include "engine/session/streams.h"

#include <algorithm>
#include <iostream>

namespace marquetry::cli {

namespace {

using frontend::ItemKind;

/// Options that say nothing of the item are mistakes.
Status checkOptions(const BankArraysRequest& request, ItemKind kind) {
    const bool rate = !request.throughput.empty() || request.clocks;
    if (kind == ItemKind::Memory && !request.array.empty())
        return makeError("option-value", "--array is of streams and designs: a memory item is one",
                         "leave it out");
    if (kind != ItemKind::Stream && rate)
        return makeError("option-value", "--throughput and --clocks are of streams",
                         "leave them out, or name a stream with --item");
    return ok();
}

Result<BankArrays> ofMemory(frontend::ParseResult parsed, const std::string& item) {
    auto memory = frontend::selectMemory(std::move(parsed), item);
    if (!memory)
        return memory.error();
    return BankArrays{ItemKind::Memory, memory->name, "", {*std::move(memory)}};
}

Result<BankArrays> ofStream(const BankArraysRequest& request, frontend::ParseResult parsed) {
    const auto device = device::findDevice(request.device);
    if (!device)
        return device.error();
    ScheduleOptions options;
    options.file = request.file;
    options.item = request.item;
    options.device = session::Streams::deviceFor(*device) == device->id
                         ? request.device
                         : session::Streams::kStreamDevice;
    options.throughput = request.throughput.empty() && !request.clocks ? "1" : request.throughput;
    options.clocks = request.clocks.value_or(0);
    if (request.seconds > 0)
        options.seconds = request.seconds;
    const auto scheduled = findSchedule(options, std::move(parsed));
    if (!scheduled)
        return scheduled.error();
    std::vector<std::string> inputs;
    for (const ir::StreamNodeId input : scheduled->joined.graph.inputs)
        inputs.push_back(scheduled->joined.graph.node(input).name);
    return BankArrays{ItemKind::Stream, scheduled->program.name,
                      session::toText(scheduled->schedule.throughput),
                      design::streamBuffers(scheduled->schedule.front[0].circuit, inputs)};
}

Result<BankArrays> ofDesign(const BankArraysRequest& request, frontend::ParseResult parsed) {
    ExploreOptions options;
    options.file = request.file;
    options.item = request.item;
    options.settings.device = request.device;
    if (request.seconds > 0)
        options.settings.seconds = request.seconds;
    auto input = readInput(options, std::move(parsed));
    if (!input)
        return input.error();
    const auto exploration = session::explore(input->program, input->settings, input->pins);
    if (!exploration)
        return exploration.error();
    if (!exploration->extraction.design)
        return exploration->extraction.infeasible;
    return BankArrays{
        ItemKind::Design, exploration->program->name, "",
        design::bufferAccesses(*exploration->extraction.design, *exploration->program)};
}

std::string namesOf(const std::vector<ir::MemoryProgram>& arrays) {
    std::string names;
    for (const ir::MemoryProgram& array : arrays)
        names += (names.empty() ? "" : ", ") + array.name;
    return names;
}

/// Keeps the array asked for.
Result<BankArrays> selected(BankArrays all, const std::string& array) {
    if (all.arrays.empty())
        return makeError("no-array", "'" + all.item + "' has no array to bank",
                         "of a stream, values that are shifted in time are arrays");
    if (array.empty())
        return all;
    const auto found = std::ranges::find(all.arrays, array, &ir::MemoryProgram::name);
    if (found == all.arrays.end())
        return makeError("no-array", "'" + all.item + "' has no array '" + array + "'",
                         "it has " + namesOf(all.arrays));
    all.arrays = {*found};
    return all;
}

Diagnostic unknownItem(const frontend::ParseResult& parsed, const std::string& name) {
    std::string items;
    const auto add = [&](const std::string& item) { items += (items.empty() ? "" : ", ") + item; };
    for (const ir::Program& program : parsed.programs)
        add(program.name);
    for (const ir::StreamProgram& stream : parsed.streams)
        add(stream.name);
    return makeError("no-item", "the file has no item '" + name + "'", "its items are: " + items);
}

} // namespace

Result<BankArrays> arraysOf(const BankArraysRequest& request, frontend::ParseResult parsed) {
    const ItemKind kind = request.item.empty() && !parsed.memories.empty()
                              ? ItemKind::Memory
                              : frontend::selectedKind(parsed, request.item);
    const bool known = std::ranges::any_of(parsed.programs, [&](const ir::Program& program) {
        return request.item.empty() || program.name == request.item;
    });
    if (kind == ItemKind::Design && !known && !request.item.empty() && parsed.memories.empty())
        return unknownItem(parsed, request.item);
    const bool memory = kind == ItemKind::Memory || (kind == ItemKind::Design && !known);
    if (const Status right = checkOptions(request, memory ? ItemKind::Memory : kind); !right)
        return right.error();
    if (memory)
        return ofMemory(std::move(parsed), request.item);
    auto all = kind == ItemKind::Stream ? ofStream(request, std::move(parsed))
                                        : ofDesign(request, std::move(parsed));
    if (!all)
        return all.error();
    return selected(*std::move(all), request.array);
}

} // namespace marquetry::cli
