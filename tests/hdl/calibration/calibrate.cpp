// banked_calibration OUT.csv [ROWS]: draws and synthesises memories until the table has ROWS rows
// (320), continuing a table that is there; a few seconds each.
#include "tests/hdl/calibration/samples.h"

#include <filesystem>
#include <fstream>
#include <iostream>

namespace {

/// Larger ones take minutes and teach nothing new.
bool small(const marquetry::hdl::BankedMemory& memory) {
    std::int64_t routed = 0;
    for (const auto& lane : memory.lanes)
        routed += memory.pattern.bits * lane.hardware.seen;
    const std::int64_t registers =
        memory.plan.writePorts > 1 ? memory.scheme.banks() * memory.scheme.depth : 0;
    return routed <= 320 && registers <= 64;
}

} // namespace

int main(int argc, char** argv) {
    using namespace marquetry::hdl;
    if (argc < 2) {
        std::cerr << "usage: banked_calibration OUT.csv [ROWS]\n";
        return 2;
    }
    const std::string path = argv[1];
    const std::size_t rows = argc > 2 ? std::stoul(argv[2]) : 320;
    std::size_t have = 0;
    std::int64_t seed = 1;
    if (std::filesystem::exists(path)) {
        const auto samples = readSamples(path);
        have = samples.size();
        seed = samples.empty() ? 1 : samples.back().seed + 1;
    } else {
        std::ofstream(path) << csvHead();
    }
    const std::string folder = path + ".work";
    constexpr std::size_t kBatch = 10;
    while (have < rows) {
        std::vector<Sample> samples;
        std::vector<BankedMemory> memories;
        for (; samples.size() < kBatch && have + samples.size() < rows; ++seed) {
            auto sample = drawSample(seed);
            if (!sample)
                continue;
            BankedMemory memory = memoryOf(*sample);
            if (!small(memory))
                continue;
            samples.push_back(*std::move(sample));
            memories.push_back(std::move(memory));
        }
        const auto made = synthesise(memories, folder);
        if (!made) {
            std::cerr << "yosys failed in " << folder << "\n";
            return 1;
        }
        for (std::size_t k = 0; k < samples.size(); ++k) {
            samples[k].made = (*made)[k];
            std::ofstream(path, std::ios::app) << csvRow(samples[k]);
        }
        have += samples.size();
        std::cerr << have << " of " << rows << "\n";
    }
    std::filesystem::remove_all(folder);
    return 0;
}
