#include "engine/artefact/axis_testbench.h"
#include "engine/artefact/testbench_writer.h"
#include "engine/design/external_tensors.h"
#include "engine/design/weight_image.h"
#include "engine/support/checked_math.h"

namespace marquetry::hdl {

namespace {

constexpr int kTdataBits = 64;

BenchStream streamOf(const StreamPlan& stream, const rtl::AxisNames& names) {
    return {stream.name, names, kTdataBits, stream.beats};
}

BenchSink sinkOf(const StreamPlan& stream, const rtl::AxisNames& names) {
    const bool isSigned = ir::info(stream.tensor.scalar).isSigned;
    return {streamOf(stream, names),
            std::vector<BenchLeaf>(static_cast<std::size_t>(stream.perBeat),
                                   {stream.elementBits, isSigned})};
}

/// Behind the weights; design::externalBegin of what the plan was made of.
std::int64_t externalBegin(const MemoryPort& port) {
    const std::int64_t burstBytes = design::kBurstBeats * port.beatBits / 8;
    return roundUp(port.imageBursts * burstBytes, design::kExternalAlignment);
}

} // namespace

BenchMemory benchMemory(const RtlPlan& plan, const WeightPorts<std::string>& names) {
    const MemoryPort& port = *plan.memory;
    const std::int64_t beatBytes = port.beatBits / 8;
    BenchMemory memory{names.axi, names.base, names.reload, names.stalls};
    memory.beatBytes = beatBytes;
    memory.bytes = port.imageBytes;
    memory.milliBytesPerClock = port.milliBytesPerClock;
    memory.latency = port.latency;
    memory.mostBursts = port.queueBeats / design::kBurstBeats;
    if (names.write) {
        memory.writes = {*names.write, externalBegin(port)};
        memory.stallsLoads = names.stallsLoads;
        memory.stallsStores = names.stallsStores;
    }
    return memory;
}

AxisBench designBench(const RtlPlan& plan, const DesignNames& names) {
    AxisBench bench;
    bench.title = "Testbench of " + plan.name + " in plain Verilog.";
    bench.names = names;
    for (std::size_t k = 0; k < plan.loads.size(); ++k)
        bench.sources.push_back(streamOf(plan.loads[k], names.loads[k]));
    for (std::size_t k = 0; k < plan.stores.size(); ++k)
        bench.sinks.push_back(sinkOf(plan.stores[k], names.stores[k]));
    bench.control = {names.start, names.done, names.busy, names.cycles, plan.cycles};
    if (names.memory)
        bench.memory = benchMemory(plan, *names.memory);
    return bench;
}

} // namespace marquetry::hdl
