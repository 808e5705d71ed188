#include "tests/lower_memory/calibration/samples.h"

#include "engine/banking/flat_maps.h"
#include "engine/banking/plan.h"
#include "engine/device/device_file.h"
#include "engine/frontend/parser.h"
#include "engine/support/rng.h"

#include <algorithm>
#include <map>
#include <sstream>

namespace marquetry::hdl {

namespace {

const device::Device& calibrationDevice() {
    static const device::Device kDevice = *device::findDevice("xc7k160t");
    return kDevice;
}

std::optional<ir::MemoryProgram> itemOf(const std::string& body) {
    const auto parsed = frontend::parse("memory s { " + body + " }", "sample.mq");
    if (!parsed || parsed->memories.empty())
        return std::nullopt;
    return parsed->memories[0];
}

/// Draws the text of an item: windows, tiles, parallel loops, rows and columns, unknown indices.
class Drawing {
public:
    explicit Drawing(std::int64_t seed) : random_(static_cast<std::uint64_t>(seed)) {}

    std::string body() {
        rank_ = pick({1, 2, 2, 2, 3});
        const std::int64_t bits = pick({8, 8, 8, 16, 32});
        const bool large = random_.range(0, 3) == 0;
        for (std::int64_t d = 0; d < rank_; ++d)
            dims_.push_back(rank_ == 1   ? random_.range(16, large ? 2000 : 160)
                            : rank_ == 2 ? random_.range(5, large ? 60 : 14)
                                         : random_.range(4, large ? 12 : 6));
        std::string text = "array a : i" + std::to_string(bits) + list(dims_, "[", "]");
        if (random_.range(0, 7) == 0)
            text += " ports 2";
        text += ";";
        const std::int64_t nests = random_.range(1, 2);
        for (std::int64_t n = 0; n < nests; ++n)
            text += nest();
        return text;
    }

private:
    std::int64_t pick(const std::vector<std::int64_t>& from) {
        return from[static_cast<std::size_t>(random_.range(0, std::ssize(from) - 1))];
    }

    static std::string list(const std::vector<std::int64_t>& numbers, const std::string& open,
                            const std::string& close) {
        std::string text;
        for (const std::int64_t n : numbers)
            text += (text.empty() ? open : ", ") + std::to_string(n);
        return text + close;
    }

    std::string nest() {
        std::string text = " for ";
        const bool parallel = random_.range(0, 3) == 0;
        for (std::int64_t d = 0; d < rank_; ++d) {
            const std::int64_t step = random_.range(0, 2) == 0 ? random_.range(2, 3) : 1;
            const std::int64_t extent = dims_[static_cast<std::size_t>(d)];
            text += (d > 0 ? ", " : "") + std::string(1, static_cast<char>('i' + d)) + " in 0 .. " +
                    std::to_string(std::max<std::int64_t>(1, extent - random_.range(0, 3)));
            if (step > 1)
                text += " step " + std::to_string(step);
            if (parallel && d == rank_ - 1)
                text += " par " + std::to_string(random_.range(2, 3));
        }
        text += " {";
        const std::int64_t reads = random_.range(parallel ? 1 : 2, parallel ? 3 : 6);
        const std::int64_t writes =
            random_.range(0, 2) == 0 ? random_.range(1, parallel ? 1 : 3) : 0;
        text += references("read", reads, 2) + references("write", writes, 1);
        return text + " }";
    }

    std::string references(const std::string& kind, std::int64_t count, std::int64_t reach) {
        std::map<std::string, int> distinct;
        const bool unknown = random_.range(0, 6) == 0 && count <= 4;
        for (std::int64_t k = 0; k < 4 * count && std::ssize(distinct) < count; ++k) {
            std::string index;
            for (std::int64_t d = 0; d < rank_; ++d) {
                const std::int64_t offset = random_.range(0, reach);
                index += (d > 0 ? ", " : "") + (unknown && d == 0
                                                    ? "?" + kind.substr(0, 1) + "(i)"
                                                    : std::string(1, static_cast<char>('i' + d)));
                if (offset > 0)
                    index += " + " + std::to_string(offset);
            }
            ++distinct["a[" + index + "]"];
        }
        std::string text;
        for (const auto& [reference, ignored] : distinct)
            text += (text.empty() ? " " + kind + " " : ", ") + reference;
        return text.empty() ? text : text + ";";
    }

    SplitMix64 random_;
    std::int64_t rank_ = 1;
    std::vector<std::int64_t> dims_;
};

std::string mapsText(const std::vector<ir::FlatMap>& maps) {
    std::string text;
    for (const ir::FlatMap& map : maps) {
        text +=
            (text.empty() ? "" : "|") + std::to_string(map.banks) + "/" + std::to_string(map.block);
        for (const std::int64_t a : map.alpha)
            text += "/" + std::to_string(a);
    }
    return text;
}

std::vector<ir::FlatMap> mapsFrom(const std::string& text) {
    std::vector<ir::FlatMap> maps;
    std::istringstream list(text);
    for (std::string one; std::getline(list, one, '|');) {
        std::istringstream numbers(one);
        std::vector<std::int64_t> values;
        for (std::string number; std::getline(numbers, number, '/');)
            values.push_back(std::stoll(number));
        maps.push_back({{values.begin() + 2, values.end()}, values[1], values[0]});
    }
    return maps;
}

/// LUTs, registers or blocks of one cell.
void count(const std::string& cell, double number, device::Resources& made) {
    static const std::map<std::string, double> kLuts = {
        {"LUT1", 1},     {"LUT2", 1},     {"LUT3", 1},      {"LUT4", 1},      {"LUT5", 1},
        {"LUT6", 1},     {"INV", 1},      {"RAM32M", 4},    {"RAM64M", 4},    {"RAM32X1S", 1},
        {"RAM64X1S", 1}, {"RAM32X1D", 2}, {"RAM64X1D", 2},  {"RAM128X1D", 4}, {"RAM128X1S", 2},
        {"SRL16E", 1},   {"SRLC32E", 1},  {"RAM256X1S", 4}, {"RAM256X1D", 8}};
    const auto luts = kLuts.find(cell);
    if (luts != kLuts.end())
        made.lut += luts->second * number;
    else if (cell.starts_with("FD"))
        made.ff += number;
    else if (cell.starts_with("RAMB"))
        made.bram += cell.starts_with("RAMB36") ? number : number / 2;
    else if (cell.starts_with("DSP48"))
        made.dsp += number;
}

} // namespace

std::optional<Sample> drawSample(std::int64_t seed) {
    Sample sample;
    sample.seed = seed;
    sample.body = Drawing(seed).body();
    const auto item = itemOf(sample.body);
    if (!item)
        return std::nullopt;
    const auto pattern = banking::accessPattern(*item);
    if (!pattern)
        return std::nullopt;
    banking::SearchParams params;
    params.steps = 200'000;
    params.maxBanks = 32;
    const banking::SearchResult found = banking::search(*pattern, params);
    if (found.schemes.empty())
        return std::nullopt;
    SplitMix64 random(static_cast<std::uint64_t>(seed) + 0x5eed);
    const auto which = static_cast<std::size_t>(random.range(0, std::ssize(found.schemes) - 1));
    sample.maps = found.schemes[which].maps;
    if (banking::isParity(sample.maps)) // the table has modular maps
        return std::nullopt;
    sample.copies = found.schemes[which].copies;
    sample.blockRam =
        banking::usesBlockRam(found.schemes[which].depth, pattern->bits, calibrationDevice());
    return sample;
}

BankedMemory memoryOf(const Sample& sample) {
    const auto item = itemOf(sample.body);
    auto pattern = banking::accessPattern(item.value());
    ir::BankDirective directive;
    directive.maps = sample.maps;
    directive.copies = sample.copies;
    const auto scheme = banking::fixedScheme(*pattern, directive, sample.copies);
    BankedMemory memory = describeMemory("s" + std::to_string(sample.seed), *std::move(pattern),
                                         scheme.value(), calibrationDevice());
    memory.plan.blockRam = sample.blockRam;
    return memory;
}

test::Circuit circuitOf(const BankedMemory& memory) {
    return {memory.name, lowerMemory(memory).modules};
}

void countCell(const std::string& line, device::Resources& made) {
    std::istringstream words(line);
    std::string cell;
    std::string number;
    words >> cell >> number;
    if (!number.empty() && number.find_first_not_of("0123456789") == std::string::npos)
        count(cell, std::stod(number), made);
}

std::optional<std::vector<device::Resources>> synthesise(const std::vector<BankedMemory>& memories,
                                                         const std::string& folder) {
    std::vector<test::Circuit> circuits;
    for (const BankedMemory& memory : memories)
        circuits.push_back(circuitOf(memory));
    return test::synthesise(circuits, folder, countCell);
}

test::SampleRow rowOf(const Sample& sample) {
    return {
        sample.seed,
        sample.made,
        {sample.blockRam ? "block" : "lut", mapsText(sample.maps), std::to_string(sample.copies)},
        sample.body};
}

std::vector<Sample> readSamples(const std::string& path) {
    std::vector<Sample> samples;
    for (const test::SampleRow& row : test::readTable(path, 3))
        samples.push_back({row.seed, row.text, mapsFrom(row.fields[1]), std::stoll(row.fields[2]),
                           row.fields[0] == "block", row.made});
    return samples;
}

} // namespace marquetry::hdl
