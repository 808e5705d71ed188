#include "engine/control/control_shell.h"

#include "engine/control/shell_top.h"
#include "engine/rtl/netlist.h"
#include "engine/support/checked_math.h"

namespace marquetry::hdl {

namespace {

constexpr int kLeastBits = 8;
constexpr int kMostBits = 512;

bool fits(int core, int outside) {
    return core % outside == 0 || outside % core == 0;
}

std::vector<std::string> identifiersOf(const std::vector<CoreStream>& streams) {
    std::vector<std::string> names;
    for (const CoreStream& stream : streams)
        names.push_back(stream.name);
    return names;
}

RegisterMap registersOf(const ShellCore& core, const ShellRequest& request) {
    const auto& memory = core.memory;
    return registerMap(
        identifiersOf(core.sources), identifiersOf(core.sinks), request.identity,
        {core.work.size() != rtl::Size(0), memory.has_value(), memory && memory->write});
}

} // namespace

Status checkStreamBits(const ShellCore& core, int streamBits) {
    if (streamBits == 0)
        return ok();
    if (streamBits < kLeastBits || streamBits > kMostBits || (streamBits & (streamBits - 1)) != 0)
        return makeError("stream-width",
                         cat("streams of ", streamBits,
                             " bits; 8, 16, 32, 64, 128, 256 and 512 "
                             "are known"),
                         "0 leaves every stream as wide as the hardware has it");
    for (const auto* streams : {&core.sources, &core.sinks})
        for (const CoreStream& stream : *streams)
            if (!fits(stream.port.tdata.width(), streamBits))
                return makeError("stream-width",
                                 cat("the stream ", stream.name, " has beats of ",
                                     stream.port.tdata.width(), " bits, which ", streamBits,
                                     " bits neither divide nor are divided by"),
                                 "0 leaves every stream as wide as the hardware has it");
    return ok();
}

int shellBits(const CoreStream& stream, int streamBits) {
    return streamBits == 0 ? stream.port.tdata.width() : streamBits;
}

std::int64_t shellBeats(const CoreStream& stream, int streamBits) {
    return ceilDiv(stream.frameBits, shellBits(stream, streamBits));
}

Result<ControlShell> controlShell(const ShellCore& core, const ShellRequest& request) {
    if (Status status = checkStreamBits(core, request.streamBits); !status)
        return status.error();
    return shellTop(core, request, registersOf(core, request));
}

ShellNames namesOf(const rtl::Names& names, const ShellPorts& ports) {
    ShellNames result;
    result.top = names.of(*names.modules().back());
    result.bench = names.of(*ports.bench);
    result.clock = nameOf(names, ports.clock);
    result.reset = nameOf(names, ports.reset);
    result.interrupt = nameOf(names, ports.interrupt);
    result.control = rtl::namesOf(names, ports.control);
    if (ports.memory)
        result.memory = rtl::namesOf(names, *ports.memory);
    if (ports.writes)
        result.writes = rtl::namesOf(names, *ports.writes);
    for (const rtl::AxisPorts& source : ports.sources)
        result.sources.push_back(rtl::namesOf(names, source));
    for (const rtl::AxisPorts& sink : ports.sinks)
        result.sinks.push_back(rtl::namesOf(names, sink));
    return result;
}

} // namespace marquetry::hdl
