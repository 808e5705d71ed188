#include "engine/control/register_map.h"

#include "engine/support/assert.h"

#include <algorithm>

namespace marquetry::hdl {

namespace {

/// Where the counters of the streams begin.
constexpr std::uint32_t kStalls = 0x40;

ControlRegister counter(const std::string& name, std::uint32_t offset, std::string text) {
    return {name, offset, {{"count", 0, 32, Access::Read, 0, text}}, text};
}

ControlRegister constantWord(const std::string& name, std::uint32_t offset, std::uint32_t value,
                             std::string text) {
    return {name, offset, {{"value", 0, 32, Access::Read, value, text}}, text};
}

ControlRegister control() {
    return {"control",
            0x00,
            {{"start", 0, 1, Access::Trigger, 0,
              "Write 1 to begin a frame; reads 1 until its first clock."},
             {"done", 1, 1, Access::ClearByOne, 0, "A frame has ended since this was cleared."},
             {"idle", 2, 1, Access::Read, 1, "No frame is under way."},
             {"abort", 4, 1, Access::Trigger, 0,
              "Write 1 to end the frame now; reads 1 until the hardware is idle again."},
             {"auto_restart", 7, 1, Access::ReadWrite, 0,
              "A frame that ends well is followed by the next one."}},
            "Begins and ends frames."};
}

ControlRegister events(const std::string& name, std::uint32_t offset, Access access,
                       std::string text) {
    return {name,
            offset,
            {{"done", 0, 1, access, 0, "A frame ended."},
             {"error", 1, 1, access, 0, "A frame ended with an error."}},
            std::move(text)};
}

std::vector<ControlRegister> interrupts() {
    return {{"global_interrupt",
             0x04,
             {{"enable", 0, 1, Access::ReadWrite, 0, "Lets the interrupt line rise."}},
             "The interrupt line as a whole."},
            events("interrupt_enable", 0x08, Access::ReadWrite, "Events that interrupt."),
            events("interrupt_status", 0x0c, Access::ClearByOne,
                   "Events that were enabled when they happened; write 1 to clear.")};
}

std::vector<ControlRegister> outcome() {
    return {{"error",
             0x10,
             {{"code", 0, 8, Access::Read, 0,
               "Why the last frame failed: 0 it did not, 1 an input's TLAST came early or late, 2 "
               "it was aborted."}},
             "The last frame's error; the next start clears it."},
            counter("frames", 0x14, "Frames that ended well since the reset."),
            counter("cycles_low", 0x18,
                    "Clocks of the frame under way or of the last one, bits 31 to 0; reading it "
                    "keeps the upper half for cycles_high."),
            counter("cycles_high", 0x1c, "Bits 63 to 32, as of the last read of cycles_low.")};
}

std::vector<ControlRegister> identityOf(const ControlIdentity& identity) {
    return {constantWord("build_id", 0x20, identity.build,
                         "Layout of these registers and version of the generator."),
            constantWord("design_hash_low", 0x24, static_cast<std::uint32_t>(identity.designHash),
                         "Which design this is, bits 31 to 0."),
            constantWord("design_hash_high", 0x28,
                         static_cast<std::uint32_t>(identity.designHash >> 32),
                         "Which design this is, bits 63 to 32.")};
}

} // namespace

const ControlRegister& RegisterMap::at(const std::string& name) const {
    const auto found = std::ranges::find(registers, name, &ControlRegister::name);
    ENGINE_ASSERT(found != registers.end(), "a register has this name");
    return *found;
}

RegisterMap registerMap(const std::vector<std::string>& sources,
                        const std::vector<std::string>& sinks, const ControlIdentity& identity) {
    RegisterMap map;
    auto& all = map.registers;
    all.push_back(control());
    for (const auto& part : {interrupts(), outcome(), identityOf(identity)})
        all.insert(all.end(), part.begin(), part.end());
    std::uint32_t offset = kStalls;
    const auto stalls = [&](const std::vector<std::string>& streams, const std::string& text) {
        for (const std::string& stream : streams) {
            all.push_back(counter("stalls_" + stream, offset, text));
            offset += 4;
        }
    };
    stalls(sources, "Clocks of frames in which the hardware waited for this input.");
    stalls(sinks, "Clocks of frames in which this output waited to be taken.");
    while ((std::uint32_t{1} << map.addressBits) < offset)
        ++map.addressBits;
    return map;
}

} // namespace marquetry::hdl
