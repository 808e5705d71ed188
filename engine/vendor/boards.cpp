#include "engine/vendor/boards.h"

#include "engine/support/assert.h"
#include "engine/support/quote.h"

#include <algorithm>
#include <cstddef>

namespace marquetry::vendor {

namespace {

/// Of a SmartConnect, on either side (PG247).
constexpr std::size_t kMostPorts = 16;
/// Bits of a stream's words at an AXI DMA (PG021).
constexpr int kWidths[] = {8, 16, 32, 64, 128, 256, 512, 1024};
/// Registers of a DMA are given this much, and ours at least.
constexpr std::uint64_t kWindow = 0x10000;

std::vector<int> indicesOf(const Project& project, bool inputs) {
    std::vector<int> indices;
    for (std::size_t k = 0; k < project.streams.size(); ++k)
        if (project.streams[k].isInput == inputs)
            indices.push_back(static_cast<int>(k));
    return indices;
}

std::size_t dmaCount(const Project& project) {
    return std::max(indicesOf(project, true).size(), indicesOf(project, false).size());
}

Diagnostic noControl(const Project& project) {
    return makeError("board-control",
                     inQuotes(project.name) + " has no registers, so a processor cannot control it",
                     "export with --interface axi, or without a board");
}

Diagnostic noProcessor(const Project& project) {
    return makeError("board-device",
                     printable(project.device.name) + " has no processor to build a system with",
                     "choose a Zynq device, or export without a board");
}

/// "--stream-bits 32 divides them, " of words of 96 bits; empty: no width does.
std::string dividingWidth(int bits) {
    const int most = bits & -bits;
    return most < 8 ? "" : "--stream-bits " + std::to_string(most) + " divides them, ";
}

Status checkStreams(const Project& project) {
    if (project.streams.empty())
        return makeError("board-streams",
                         inQuotes(project.name) + " has no streams, so a DMA has nothing to move",
                         "export it without a board");
    for (const ProjectStream& stream : project.streams)
        if (std::ranges::find(kWidths, stream.tdataBits) == std::end(kWidths))
            return makeError("stream-width",
                             inQuotes(stream.name) + " has words of " +
                                 std::to_string(stream.tdataBits) +
                                 " bits, and a DMA moves words "
                                 "of 8, 16, 32, 64, 128, 256, 512 or 1024 bits",
                             dividingWidth(stream.tdataBits) + "or export without a board");
    const auto lines = static_cast<std::size_t>(factsOf(processorOf(project.device)).interrupts);
    const std::size_t most = std::min(kMostPorts, lines - 1);
    if (project.streams.size() > most || dmaCount(project) + 1 > kMostPorts)
        return makeError("board-streams",
                         inQuotes(project.name) + " has " + std::to_string(project.streams.size()) +
                             " streams; the system has ports and interrupts for " +
                             std::to_string(most),
                         "export without a board, and connect the streams in a block design of "
                         "your own");
    return ok();
}

} // namespace

Processor processorOf(const device::Device& device) {
    if (device.part.starts_with("xc7z"))
        return Processor::Zynq7000;
    return device.part.starts_with("xczu") ? Processor::ZynqUltraScale : Processor::None;
}

const ProcessorFacts& factsOf(Processor processor) {
    // Zynq-7000: 16 lines IRQ_F2P, M_AXI_GP0, FCLK up to 250 MHz. UltraScale+: 8 lines of
    // pl_ps_irq0, M_AXI_HPM0_FPD. Ports S_AXI_HP have 64 and 128 bits. The clock's bound is that of
    // the general check.
    static const ProcessorFacts kZynq7000 = {"Zynq-7000", 16, 0x40000000, 250, 8};
    static const ProcessorFacts kUltraScale = {"Zynq UltraScale+", 8, 0xa0000000, 1000, 16};
    ENGINE_ASSERT(processor != Processor::None, "facts are of a processor");
    return processor == Processor::Zynq7000 ? kZynq7000 : kUltraScale;
}

const std::vector<Board>& boards() {
    static const std::vector<Board> kBoards = {
        {"pynq-z2", "TUL PYNQ-Z2", "xc7z020", "tul.com.tw:pynq-z2:part0:*",
         "The board's maker offers them; Vivado's board store has them too."},
        {"zcu104", "AMD ZCU104", "zu7ev", "xilinx.com:zcu104:part0:*", "They come with Vivado."},
    };
    return kBoards;
}

const Board* findBoard(const std::string& id) {
    const auto found = std::ranges::find(boards(), id, &Board::id);
    return found == boards().end() ? nullptr : &*found;
}

System systemOf(const Project& project) {
    System system;
    system.processor = processorOf(project.device);
    ENGINE_ASSERT(system.processor != Processor::None && project.control,
                  "a system has a processor and registers");
    system.block = "accelerator";
    system.controlAddress = factsOf(system.processor).window;
    system.windowBytes =
        std::max(kWindow, std::uint64_t{1} << project.control->registers.addressBits);
    const std::vector<int> inputs = indicesOf(project, true), outputs = indicesOf(project, false);
    system.interrupts.push_back(system.block + "/" + project.control->interrupt);
    for (std::size_t k = 0; k < dmaCount(project); ++k) {
        SystemDma dma;
        dma.name = "dma_" + std::to_string(k);
        dma.input = k < inputs.size() ? inputs[k] : -1;
        dma.output = k < outputs.size() ? outputs[k] : -1;
        dma.address = system.controlAddress + (k + 1) * system.windowBytes;
        if (dma.input >= 0)
            system.interrupts.push_back(dma.name + "/mm2s_introut");
        if (dma.output >= 0)
            system.interrupts.push_back(dma.name + "/s2mm_introut");
        system.dmas.push_back(std::move(dma));
    }
    return system;
}

Status checkSystem(const Project& project) {
    if (!project.control)
        return noControl(project);
    const Processor processor = processorOf(project.device);
    if (processor == Processor::None)
        return noProcessor(project);
    const double most = factsOf(processor).mostClockMhz;
    if (project.clockMhz > most)
        return makeError("board-clock",
                         "the processor of " + printable(project.device.name) +
                             " gives clocks of up to " + std::to_string(static_cast<int>(most)) +
                             " MHz",
                         "ask for a slower clock, or export without a board");
    return checkStreams(project);
}

} // namespace marquetry::vendor
