#include "engine/artefact/banked_testbench.h"
#include "engine/artefact/experiment.h"
#include "engine/artefact/json_fields.h"
#include "engine/artefact/simulator.h"
#include "engine/banking/derive.h"
#include "engine/device/device_file.h"
#include "engine/support/checked_math.h"
#include "engine/support/limits.h"
#include "engine/support/quote.h"

#include <optional>

namespace marquetry::hdl {

namespace {

using Json = nlohmann::ordered_json;

/// A list of numbers, none of them negative; nothing when it is another thing.
std::optional<banking::Address> numbersOf(const Json& object, const char* name, std::size_t size) {
    if (!object.is_object() || !object.contains(name) || !object[name].is_array() ||
        object[name].size() != size)
        return std::nullopt;
    banking::Address numbers;
    for (const Json& number : object[name]) {
        if (!number.is_number_integer() || number.get<std::int64_t>() < 0)
            return std::nullopt;
        numbers.push_back(number.get<std::int64_t>());
    }
    return numbers;
}

std::optional<ir::FlatMap> mapOf(const Json& json, std::size_t rank) {
    if (json.is_object() && json.contains("xor")) {
        auto masks = numbersOf(json, "xor", rank);
        return masks ? std::optional(ir::parityMap(*std::move(masks))) : std::nullopt;
    }
    constexpr std::int64_t kMost = std::int64_t{1} << 30; // N · B stays a number
    const auto alpha = numbersOf(json, "alpha", rank);
    const std::int64_t block = integerField(json, "B");
    const std::int64_t banks = integerField(json, "N");
    if (!alpha || block < 1 || banks < 1 || block > kMost || banks > kMost)
        return std::nullopt;
    return ir::FlatMap{*alpha, block, banks};
}

/// The scheme that the export was built from; nothing when it does not fit the array.
std::optional<banking::Scheme> schemeOf(const Json& memory, const ir::Shape& dims) {
    constexpr std::size_t kMostMaps = 64;
    if (!memory.contains("maps") || !memory["maps"].is_array() || memory["maps"].empty() ||
        memory["maps"].size() > kMostMaps)
        return std::nullopt;
    std::vector<ir::FlatMap> maps;
    std::int64_t banks = 1;
    for (const Json& entry : memory["maps"]) {
        auto map = mapOf(entry, dims.size());
        if (!map || (!maps.empty() && maps[0].form != map->form))
            return std::nullopt;
        banks = saturatingMul(banks, map->banks);
        maps.push_back(*std::move(map));
    }
    if (banks > kMaxSimulatedBankWords)
        return std::nullopt;
    banking::Scheme scheme = banking::derive(std::move(maps), dims);
    const auto box = numbersOf(memory, "box", dims.size());
    if (!box || *box != scheme.box || integerField(memory, "depth") != scheme.depth)
        return std::nullopt;
    return scheme;
}

/// The memory that the export was built from.
Result<BankedMemory> memoryIn(const ExportFolder& source, const ir::MemoryProgram& program,
                              std::stop_token stop) {
    const Json json = designOf(source).value("memory", Json());
    const std::string module = textField(json, "module");
    if (!isIdentifier(module))
        return makeError("schedule-form",
                         "DESIGN.json of " + inQuotes(source.path) + " describes no memory",
                         "export the memory again");
    auto pattern = banking::accessPattern(program, {}, std::move(stop));
    if (!pattern)
        return pattern.error();
    if (pattern->words() > kMaxSimulatedWords)
        return makeError("hdl-unsupported", "an array of " + std::to_string(pattern->words()) +
                                                " words is not simulated");
    auto scheme = schemeOf(json, pattern->dims);
    if (!scheme)
        return damaged("the bank scheme in DESIGN.json is none of the array " +
                       inQuotes(program.array));
    // The traffic does not see on what device the banks are.
    return describeMemory(module, *std::move(pattern), *std::move(scheme),
                          device::shippedDevices().front());
}

} // namespace

Result<Experiment> experimentOf(const ExportFolder& source, const ir::MemoryProgram& program,
                                const VerifyParams& params, std::stop_token stop) {
    const auto memory = memoryIn(source, program, std::move(stop));
    if (!memory)
        return memory.error();
    const std::string& top = memory->names.bench;
    Experiment made;
    made.name = memory->name;
    made.benches = {{kMemoryBench, writeMemoryTestbench(top, {&*memory})}};
    if (Status status = checkBench(source, made.benches); !status)
        return status.error();
    made.input = {kMemoryBench, top, {}, true};
    made.exact = false;
    made.predictedCycles = made.clocks = kClocksPerVector * params.vectors;
    const std::string clocks = std::to_string(made.clocks);
    made.trials = {{"simulating " + clocks + " clocks of traffic",
                    {"+cycles=" + clocks, seedArgument(params.seed)}}};
    return made;
}

} // namespace marquetry::hdl
