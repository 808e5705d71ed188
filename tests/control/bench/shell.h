// The hardware with both ends of its streams and a master at its registers, clock by clock.
//
// ports.h is written for the hardware: its ports, its registers, frames and what comes of them.
// Thread rule: one thread.
#pragma once

#include "axi_lite.h"
#include "axi_memory.h"
#include "axi_stream.h"
#include "axi_writes.h"
#include "ports.h"

#include <algorithm>
#include <memory>

namespace bench {

inline constexpr std::uint64_t kPatience = 200'000; ///< clocks

class Shell {
public:
    std::vector<Source> sources;
    std::vector<Sink> sinks;
    AxiLite bus;
    ReadMemory memory;      ///< of hardware without one: never asked
    WriteMemory writes;     ///< the same, as it is written
    std::uint64_t rose = 0; ///< clock in which the interrupt line rose last
    bool irq = false;
    unsigned shaken = 10; ///< percent of clocks in which inputs change without an edge

    Shell() : context_(new VerilatedContext), dut_(new Dut(context_.get())) {
        for (const StreamInfo& info : kSourceInfo)
            sources.emplace_back().name = info.name;
        for (const StreamInfo& info : kSinkInfo)
            sinks.emplace_back().name = info.name;
        memory.image = kImage;
        memory.beatBytes = std::max<std::size_t>(kMemoryBytes, 1);
        setClock(*dut_, false);
        setReset(*dut_, false);
        drive();
        for (int k = 0; k < 4; ++k)
            edge();
        const LiteSlave slave = liteSlave(*dut_);
        expect(!slave.bvalid && !slave.rvalid && !interrupt(*dut_), "an answer in the reset");
        for (std::size_t k = 0; k < sinks.size(); ++k)
            expect(!sinkValid(*dut_, k), "%s: tvalid in the reset", sinks[k].name.c_str());
        setReset(*dut_, true);
    }
    ~Shell() { dut_->final(); }

    void tick() {
        drive();
        dut_->eval();
        if (chance(shaken))
            shake();
        const LiteSlave slave = liteSlave(*dut_);
        std::vector<bool> ready;
        for (std::size_t k = 0; k < sources.size(); ++k)
            ready.push_back(sourceReady(*dut_, k));
        std::vector<bool> valid;
        std::vector<Beat> beats;
        for (std::size_t k = 0; k < sinks.size(); ++k) {
            valid.push_back(sinkValid(*dut_, k));
            beats.push_back({sinkData(*dut_, k), sinkLast(*dut_, k)});
        }
        const ReadRequest asks = readRequest(*dut_);
        const WriteRequest puts = writeRequest(*dut_);
        const bool line = interrupt(*dut_);
        rose = line && !irq ? clocks : rose;
        irq = line;
        edge();
        bus.clock(slave);
        memory.clock(asks);
        if (kWrites)
            writes.clock(puts, memory, kWritten);
        for (std::size_t k = 0; k < sources.size(); ++k)
            sources[k].clock(ready[k]);
        for (std::size_t k = 0; k < sinks.size(); ++k)
            sinks[k].clock(valid[k], beats[k]);
        ++clocks;
    }

    void ticks(std::uint64_t count) {
        while (count-- > 0)
            tick();
    }

    void write(std::uint32_t address, std::uint32_t data, std::uint32_t bytes = 0xf) {
        bus.write(address, data, bytes);
        settle();
    }

    std::uint32_t read(std::uint32_t address) {
        bus.read(address);
        settle();
        return bus.result();
    }

    void settle() {
        for (std::uint64_t k = 0; !bus.idle(); ++k) {
            if (k == kPatience)
                giveUp("the slave does not answer");
            tick();
        }
    }

private:
    void edge() {
        setClock(*dut_, true);
        dut_->eval();
        setClock(*dut_, false);
        dut_->eval();
    }

    void drive() {
        liteMaster(*dut_, bus.out);
        for (std::size_t k = 0; k < sources.size(); ++k)
            driveSource(*dut_, k, sources[k].valid() ? &sources[k].beat() : nullptr);
        for (std::size_t k = 0; k < sinks.size(); ++k)
            driveSink(*dut_, k, sinks[k].ready());
        answerRead(*dut_, memory.answer());
        answerWrite(*dut_, writes.answer());
    }

    /// No output follows an input without a clock's edge.
    void shake() {
        const Bytes before = outputs(*dut_);
        for (int k = 0; k < 3; ++k) {
            shakeInputs(*dut_);
            dut_->eval();
            expect(outputs(*dut_) == before, "an output follows an input within a clock");
        }
        drive();
        dut_->eval();
    }

    std::unique_ptr<VerilatedContext> context_;
    std::unique_ptr<Dut> dut_;
};

} // namespace bench
