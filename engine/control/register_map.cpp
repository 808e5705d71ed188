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
    return {name, offset, {{"value", 0, 32, Access::Read, value, text, true}}, text};
}

ControlRegister control(bool weights) {
    ControlRegister control = {
        "control",
        0x00,
        {{"start", 0, 1, Access::Trigger, 0,
          "Write 1 to begin a frame; reads 1 until it begins, after one that is under way."},
         {"done", 1, 1, Access::ClearByOne, 0, "A frame has ended well since this was cleared."},
         {"idle", 2, 1, Access::Read, 1, "No frame is under way or asked for."},
         {"abort", 4, 1, Access::Trigger, 0,
          "Write 1 to end all frames now; reads 1 until the hardware is idle. Written while "
          "it reads 1, nothing more is waited for."},
         {"auto_restart", 7, 1, Access::ReadWrite, 0,
          "Behind a start, frames follow each other as their data come."}},
        "Begins and ends frames."};
    if (weights)
        control.fields.insert(
            control.fields.end() - 1,
            {"reload_weights", 5, 1, Access::Trigger, 0,
             "Write 1 so that the next frame reads the weights that stay on the chip again; reads "
             "0."});
    return control;
}

ControlRegister events(const std::string& name, std::uint32_t offset, Access access,
                       std::string text) {
    return {name,
            offset,
            {{"done", 0, 1, access, 0, "A frame ended well."},
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

std::vector<ControlRegister> outcome(bool writes) {
    ControlRegister cyclesHigh =
        counter("cycles_high", 0x1c, "Bits 63 to 32, as of the last read of cycles_low.");
    cyclesHigh.heldBy = "cycles_low";
    return {{"error",
             0x10,
             {{"code", 0, 8, Access::Read, 0,
               std::string("Why the last frame failed: 0 it did not, 1 an input's TLAST came early "
                           "or late, 2 it was aborted, 3 external memory answered a read ") +
                   (writes ? "or a write " : "") +
                   "with an error, 4 nothing moved for as long as the watchdog allows."}},
             "The last frame's error; the next start clears it."},
            counter("frames", 0x14, "Frames that ended well since the reset."),
            counter("cycles_low", 0x18,
                    "Clocks since the last start in which a frame was under way, bits 31 to 0; "
                    "reading it keeps the upper half for cycles_high."),
            std::move(cyclesHigh)};
}

std::vector<ControlRegister> work() {
    ControlRegister high =
        counter("work_high", 0x30, "Bits 63 to 32, as of the last read of work_low.");
    high.heldBy = "work_low";
    return {counter("work_low", 0x2c,
                    "Clocks of the last frame without those in which it waited for streams, which "
                    "is what is predicted, bits 31 to 0; reading it keeps the upper half for "
                    "work_high."),
            std::move(high)};
}

/// Behind the counters of the streams.
std::vector<ControlRegister> watchdogAt(std::uint32_t offset, const ControlFeatures& features) {
    ControlRegister waiting = {
        "waiting",
        offset + 4,
        {{"inputs", 1, 1, Access::Read, 0, "For an input: tready without tvalid."},
         {"outputs", 2, 1, Access::Read, 0, "For an output: tvalid without tready."}},
        "What the last frame waited for when the watchdog ended it; the next start clears it."};
    if (features.weights)
        waiting.fields.insert(
            waiting.fields.begin(),
            {"weights", 0, 1, Access::Read, 0,
             features.writes ? "For external memory." : "For weights from external memory."});
    return {{"watchdog",
             offset,
             {{"limit", 0, 32, Access::ReadWrite, 0,
               "Clocks without a move that end a frame, 16 at least; 0: it may wait for ever."}},
             "Ends frames in which no data move and nothing is computed."},
            std::move(waiting)};
}

/// Of external weights.
std::vector<ControlRegister> weights(bool writes) {
    return {
        {"weights_base_low",
         0x34,
         {{"address", 12, 20, Access::ReadWrite, 0,
           "Where the image of the weights begins, bits 31 to 12: a multiple of 4096 bytes."}},
         writes ? "Where the weights are in memory, and the activations that are kept behind them; "
                  "to be written before the first start."
                : "Where the weights are in memory; to be written before the first start."},
        {"weights_base_high",
         0x38,
         {{"address", 0, 8, Access::ReadWrite, 0,
           "Where the image of the weights begins, bits 39 to 32."}},
         "The upper part of weights_base_low."},
        counter("weights_waits", 0x3c,
                std::string("Clocks of the last frame in which a step waited for ") +
                    (writes ? "external memory" : "weights") +
                    "; they are among those of work_low. Reading the weights that stay, before the "
                    "first step, is in neither.")};
}

/// Of external activations.
std::vector<ControlRegister> activations(std::uint32_t offset) {
    return {counter("loads_waits", offset,
                    "Of weights_waits, the clocks in which a step waited for activations to come "
                    "from external memory, and none for weights."),
            counter("stores_waits", offset + 4,
                    "Of weights_waits, the clocks in which a step waited for external memory to "
                    "take activations, and none for weights.")};
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

bool RegisterMap::has(const std::string& name) const {
    return std::ranges::find(registers, name, &ControlRegister::name) != registers.end();
}

RegisterMap registerMap(const std::vector<std::string>& sources,
                        const std::vector<std::string>& sinks, const ControlIdentity& identity,
                        const ControlFeatures& features) {
    RegisterMap map;
    auto& all = map.registers;
    all.push_back(control(features.weights));
    const std::vector<ControlRegister> none;
    for (const auto& part :
         {interrupts(), outcome(features.writes), identityOf(identity),
          features.work ? work() : none, features.weights ? weights(features.writes) : none})
        all.insert(all.end(), part.begin(), part.end());
    std::uint32_t offset = kStalls;
    const auto stalls = [&](const std::vector<std::string>& streams, const std::string& text) {
        for (const std::string& stream : streams) {
            all.push_back(counter("stalls_" + stream, offset, text));
            offset += 4;
        }
    };
    stalls(sources,
           "Clocks since the last start in which the hardware waited for this input: tready "
           "without tvalid.");
    stalls(sinks, "Clocks since the last start in which this output waited to be taken: tvalid "
                  "without tready.");
    for (ControlRegister& one : watchdogAt(offset, features)) {
        all.push_back(std::move(one));
        offset += 4;
    }
    if (features.writes)
        for (ControlRegister& one : activations(offset)) {
            all.push_back(std::move(one));
            offset += 4;
        }
    while ((std::uint32_t{1} << map.addressBits) < offset)
        ++map.addressBits;
    return map;
}

} // namespace marquetry::hdl
