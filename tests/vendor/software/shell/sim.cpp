#include "sim.h"

#include "ports.h" // of the hardware: its class, the names of its wires, its streams

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <string>
#include <vector>

namespace {

constexpr int kMostClocks = 100000;

struct Channel {
    std::uint32_t control = 0, status = 1, low = 0, high = 0;
    bool busy = false;
    std::uint8_t* at = nullptr;
    std::size_t left = 0;
};

struct Region {
    std::uint8_t* memory;
    std::uint64_t address, bytes;
};

struct Burst {
    std::uint64_t address;
    unsigned beats;
    std::uint64_t from; ///< clock
};

struct Sampled {
    bool awready, wready, bvalid, arready, rvalid;
    std::uint32_t rdata;
};

Dut dut;
Channel channels[kStreams];
Sampled sampled;
std::vector<Region> regions;
std::deque<Burst> bursts;
std::uint64_t clocks = 0;
std::uint32_t state = 1;

/// Gaps and back-pressure that look like chance and are always the same.
bool chance() {
    state = state * 1664525U + 1013904223U;
    return (state >> 24) < 160;
}

/// The bytes from this address on; null: there is no memory.
std::uint8_t* at(std::uint64_t address, std::uint64_t bytes) {
    for (const Region& region : regions)
        if (address >= region.address && address + bytes <= region.address + region.bytes)
            return region.memory + (address - region.address);
    return nullptr;
}

/// Answers reads, as late as chance wants; between the edges.
struct Reads {
    bool takes = false, valid = false, silent = false;

    void drive() {
        takes = chance() && !silent;
        valid = valid || (!silent && !bursts.empty() && clocks >= bursts.front().from && chance());
        const std::uint8_t* from = valid ? at(bursts.front().address, kReadBytes) : nullptr;
        static const std::vector<std::uint8_t> nothing(kReadBytes);
        answerRead(dut, takes, valid, valid && bursts.front().beats == 1,
                   valid && from == nullptr ? 3 : 0, from == nullptr ? nothing.data() : from);
    }

    /// Of the clock whose request was so.
    void edge(bool asked, const Burst& burst) {
        if (valid) { // it is always taken
            bursts.front().address += kReadBytes;
            if (--bursts.front().beats == 0)
                bursts.pop_front();
            valid = false;
        }
        if (asked && takes)
            bursts.push_back(burst);
    }
} reads;

void moved(Channel& channel, std::size_t bytes, bool last) {
    channel.at += bytes;
    channel.left -= bytes;
    if (channel.left == 0 || last) {
        channel.busy = false;
        channel.status |= 0x1002;
    }
}

void clockOnce() {
    static bool offered[kStreams];
    for (int k = 0; k < kStreams; ++k) {
        Channel& channel = channels[k];
        offered[k] = channel.busy && (offered[k] || chance());
        if (k < kSources)
            driveSource(dut, k, offered[k], channel.left == kBeatBytes[k], channel.at);
        else
            driveSink(dut, k, offered[k]);
    }
    if (kReadBytes != 0)
        reads.drive();
    dut.ACLK = 0;
    dut.eval();
    Burst burst{0, 0, clocks + 30};
    const bool asked = readAsked(dut, &burst.address, &burst.beats);
    bool taken[kStreams], last[kStreams];
    for (int k = 0; k < kStreams; ++k) {
        taken[k] = offered[k] && (k < kSources ? sourceReady(dut, k) : sinkValid(dut, k));
        last[k] = k >= kSources && sinkLast(dut, k);
        if (k >= kSources && taken[k])
            sinkData(dut, k, channels[k].at);
    }
    sampled = {dut.AWREADY != 0, dut.WREADY != 0, dut.BVALID != 0,
               dut.ARREADY != 0, dut.RVALID != 0, dut.RDATA};
    dut.ACLK = 1;
    dut.eval();
    ++clocks;
    if (kReadBytes != 0)
        reads.edge(asked, burst);
    for (int k = 0; k < kStreams; ++k)
        if (taken[k]) {
            moved(channels[k], kBeatBytes[k], last[k]);
            offered[k] = false;
        }
}

void begin() {
    if (clocks != 0)
        return;
    dut.ARESETN = 0;
    for (int k = 0; k < 5; ++k)
        clockOnce();
    dut.ARESETN = 1;
    clockOnce();
}

[[noreturn]] void stuck(const char* what) {
    std::printf("no %s from the hardware\n", what);
    std::exit(3);
}

/// DMA `number` from `offset` on; null: it has no such direction.
Channel* channelOf(int number, std::uint32_t offset) {
    if (offset < 0x30)
        return number < kSources ? &channels[number] : nullptr;
    return number < kStreams - kSources ? &channels[kSources + number] : nullptr;
}

void resetDma(int number) {
    for (const std::uint32_t direction : {0x00U, 0x30U})
        if (Channel* channel = channelOf(number, direction))
            *channel = Channel();
}

} // namespace

std::uint32_t sim_read(void*, std::uint32_t offset) {
    begin();
    dut.ARADDR = offset;
    dut.ARVALID = dut.RREADY = 1;
    bool asked = false;
    for (int k = 0; k < kMostClocks; ++k) {
        clockOnce();
        asked = asked || sampled.arready;
        dut.ARVALID = asked ? 0 : 1;
        if (sampled.rvalid) {
            dut.RREADY = 0;
            return sampled.rdata;
        }
    }
    stuck("rvalid");
}

void sim_write(void*, std::uint32_t offset, std::uint32_t value) {
    begin();
    dut.AWADDR = offset;
    dut.WDATA = value;
    dut.WSTRB = 0xf;
    dut.AWVALID = dut.WVALID = dut.BREADY = 1;
    for (int k = 0; k < kMostClocks; ++k) {
        clockOnce();
        if (sampled.awready)
            dut.AWVALID = 0;
        if (sampled.wready)
            dut.WVALID = 0;
        if (sampled.bvalid) {
            dut.BREADY = 0;
            return;
        }
    }
    stuck("bvalid");
}

std::uint32_t sim_dma_read(void* context, std::uint32_t offset) {
    begin();
    clockOnce();
    const Channel* channel = channelOf(*static_cast<const int*>(context), offset);
    if (channel == nullptr)
        return 0;
    return offset % 0x30 == 0x00 ? channel->control : offset % 0x30 == 0x04 ? channel->status : 0;
}

void sim_dma_write(void* context, std::uint32_t offset, std::uint32_t value) {
    begin();
    const int number = *static_cast<const int*>(context);
    Channel* channel = channelOf(number, offset);
    if (channel == nullptr)
        return;
    switch (offset % 0x30) {
    case 0x00:
        if (value & 4U)
            resetDma(number);
        else if (value & 1U)
            channel->status &= ~1U;
        channel->control = value & 1U;
        break;
    case 0x04:
        channel->status &= ~(value & 0x7000U);
        break;
    case 0x18:
        channel->low = value;
        break;
    case 0x1c:
        channel->high = value;
        break;
    case 0x28:
        channel->at = at(std::uint64_t{channel->high} << 32 | channel->low, value);
        if (channel->at == nullptr)
            channel->at = reinterpret_cast<std::uint8_t*>(
                static_cast<std::uintptr_t>(std::uint64_t{channel->high} << 32 | channel->low));
        channel->left = value;
        channel->busy = true;
        channel->status &= ~2U;
        break;
    }
}

void sim_memory(std::uint8_t* memory, std::uint64_t address, std::uint64_t bytes) {
    regions.push_back({memory, address, bytes});
}

void sim_silence(int on) {
    reads.silent = on != 0;
}

void sim_clocks(void*) {
    for (int k = 0; k < 20; ++k)
        clockOnce();
}

int sim_interrupt() {
    return dut.INTERRUPT;
}

std::uint64_t sim_clock_count() {
    return clocks;
}

extern "C" int check_main(int, char**);
extern "C" int drive_main(void);

namespace {

std::vector<std::uint8_t> bytesOf(const char* digits) {
    std::vector<std::uint8_t> bytes;
    for (; *digits != '\0'; digits += 2)
        bytes.push_back(static_cast<std::uint8_t>(std::stoi(std::string(digits, 2), nullptr, 16)));
    return bytes;
}

void hold(std::uint64_t address, std::vector<std::uint8_t> bytes) {
    static std::deque<std::vector<std::uint8_t>> held;
    held.push_back(std::move(bytes));
    sim_memory(held.back().data(), address, held.back().size());
}

/// Commands of another program, a line each, and their answers: "r OFFSET", "w OFFSET VALUE",
/// "send INPUT HEX", "recv OUTPUT BYTES", "busy STREAM", "got OUTPUT", "memory ADDRESS HEX".
int serve() {
    static std::vector<std::uint8_t> memory[kStreams];
    std::vector<char> line(1 << 20), word(1 << 20);
    unsigned a = 0, b = 0;
    const auto arm = [](unsigned k) {
        channels[k].at = memory[k].data();
        channels[k].left = memory[k].size();
        channels[k].busy = true;
    };
    begin();
    while (std::fgets(line.data(), static_cast<int>(line.size()), stdin) != nullptr) {
        if (std::sscanf(line.data(), "r %u", &a) == 1)
            std::printf("%u\n", sim_read(nullptr, a));
        else if (std::sscanf(line.data(), "memory %u %s", &a, word.data()) == 2) {
            hold(a, bytesOf(word.data()));
            std::printf("ok\n");
        } else if (std::sscanf(line.data(), "w %u %u", &a, &b) == 2) {
            sim_write(nullptr, a, b);
            std::printf("ok\n");
        } else if (std::sscanf(line.data(), "send %u %s", &a, word.data()) == 2) {
            memory[a] = bytesOf(word.data());
            arm(a);
            std::printf("ok\n");
        } else if (std::sscanf(line.data(), "recv %u %u", &a, &b) == 2) {
            memory[kSources + a].assign(b, 0xaa);
            arm(static_cast<unsigned>(kSources) + a);
            std::printf("ok\n");
        } else if (std::sscanf(line.data(), "busy %u", &a) == 1) {
            sim_clocks(nullptr);
            std::printf("%d\n", channels[a].busy ? 1 : 0);
        } else if (std::sscanf(line.data(), "got %u", &a) == 1) {
            for (const std::uint8_t byte : memory[kSources + a])
                std::printf("%02x", byte);
            std::printf("\n");
        } else
            std::printf("what?\n");
        std::fflush(stdout);
    }
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    const std::string what = argc > 1 ? argv[1] : "";
    if (what == "serve")
        return serve();
    if (what == "drive")
        return drive_main();
    return check_main(argc - 1, argv + 1);
}
