#include "engine/artefact/memory_export.h"

#include "engine/artefact/banked_testbench.h"
#include "engine/artefact/manifest.h"
#include "engine/support/limits.h"

namespace marquetry::hdl {

namespace {

using Json = nlohmann::ordered_json;

/// What the bench is made from besides the program: of the scheme that is built.
void addScheme(const BankedMemory& built, Json& memory) {
    const banking::Scheme& scheme = built.scheme;
    Json maps = Json::array();
    for (const ir::FlatMap& map : scheme.maps)
        maps.push_back({{"alpha", map.alpha}, {"B", map.block}, {"N", map.banks}});
    memory["maps"] = maps;
    memory["box"] = scheme.box;
    memory["depth"] = scheme.depth;
    memory["module"] = built.name;
}

} // namespace

Result<ExportReport> exportMemory(const MemoryExportRequest& request, const ExportPlace& place,
                                  std::stop_token stop) {
    if (request.target != "verilog")
        return makeError("unknown-target", "there is no export target " + request.target,
                         "targets: verilog");
    const std::int64_t words = request.memory.pattern.words();
    if (request.memory.scheme.words > kMaxSimulatedBankWords)
        return makeError("hdl-unsupported",
                         "the banks have " + std::to_string(request.memory.scheme.words) +
                             " words in all; at most " + std::to_string(kMaxSimulatedBankWords) +
                             " are simulated",
                         "choose smaller blocks or fewer copies");
    if (words > kMaxSimulatedWords)
        return makeError("hdl-unsupported",
                         "the array has " + std::to_string(words) + " words; at most " +
                             std::to_string(kMaxSimulatedWords) + " are simulated",
                         "split the array, or keep it in external memory");
    ExportFiles files;
    for (const Module& module : lowerMemory(request.memory).modules)
        files["rtl/" + module.name + ".v"] = module.verilog;
    files["tb/tb.v"] = writeMemoryTestbench(request.memory.name + "_tb", {&request.memory});
    files["program/" + request.item + ".mq"] = request.programText;
    Json memory = Json::parse(request.memoryJson, nullptr, false);
    if (!memory.is_object())
        memory = Json::object();
    addScheme(request.memory, memory);
    const Json design = {{"program", request.item},
                         {"program_file", "program/" + request.item + ".mq"},
                         {"memory", memory}};
    files["DESIGN.json"] = design.dump(1) + "\n";
    if (stop.stop_requested())
        return makeError("cancelled", "the export was stopped");
    auto written = placeExport({request.item, request.target}, files, place);
    if (!written)
        return written.error();
    return ExportReport{place.folder, files.size() + 1, 0, {}, std::move(written->warnings)};
}

} // namespace marquetry::hdl
