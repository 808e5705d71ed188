#include "engine/artefact/memory_artefact.h"

#include "engine/artefact/project_files.h"

#include "engine/artefact/banked_testbench.h"
#include "engine/artefact/memory_paths.h"
#include "engine/artefact/product_reports.h"
#include "engine/rtl/printed.h"
#include "engine/support/json.h"
#include "engine/support/limits.h"

namespace marquetry::hdl {

namespace {

using Json = nlohmann::ordered_json;

/// What the bench is made from besides the program: of the scheme that is built.
void addScheme(const BankedMemory& built, Json& memory) {
    const banking::Scheme& scheme = built.scheme;
    Json maps = Json::array();
    for (const ir::FlatMap& map : scheme.maps) {
        if (map.form == ir::MapForm::Parity)
            maps.push_back({{"xor", map.alpha}});
        else
            maps.push_back({{"alpha", map.alpha}, {"B", map.block}, {"N", map.banks}});
    }
    memory["maps"] = maps;
    memory["box"] = scheme.box;
    memory["depth"] = scheme.depth;
    memory["module"] = built.names.top;
}

/// What is built must be small enough to be simulated.
Status checkWords(const BankedMemory& memory) {
    const std::int64_t words = memory.pattern.words();
    if (memory.scheme.words > kMaxSimulatedBankWords)
        return makeError("hdl-unsupported",
                         "the banks have " + std::to_string(memory.scheme.words) +
                             " words in all; at most " + std::to_string(kMaxSimulatedBankWords) +
                             " are simulated",
                         "choose smaller blocks or fewer copies");
    if (words > kMaxSimulatedWords)
        return makeError("hdl-unsupported",
                         "the array has " + std::to_string(words) + " words; at most " +
                             std::to_string(kMaxSimulatedWords) + " are simulated",
                         "split the array, or keep it in external memory");
    return ok();
}

ExportClock clockOf(const MemoryExportRequest& request, const rtl::Module& module) {
    const std::string& family = request.device.family;
    return {request.device.clockMhz,
            cost::estimateClock(family, memoryPaths(request.memory, module, family)),
            "a scheme of fewer banks, or of blocks and banks that are powers of two, has shorter "
            "paths; or ask for a slower clock with --clock"};
}

/// As other exports have it.
std::string reportText(const MemoryExportRequest& request, const ExportClock& clock) {
    Json json = {{"marquetry", kProgramVersion}, {"schema", 1}, {"program", request.item}};
    addClock(json, clock);
    return json.dump(1) + "\n";
}

} // namespace

std::string commandOf(const MemoryExportRequest& request) {
    return commandAgain(request.form, {request.device});
}

Result<Artefact> memoryArtefact(const MemoryExportRequest& request) {
    if (Status known = checkForm(request.form, request.device, false); !known)
        return known.error();
    if (Status words = checkWords(request.memory); !words)
        return words.error();
    Json memory = Json::parse(request.memoryJson, nullptr, false);
    if (!memory.is_object())
        memory = Json::object();
    addScheme(request.memory, memory);
    const ProgramFile program{request.item + ".mq", request.programText};
    const Json design = {
        {"program", request.item}, {"program_file", "program/" + program.path}, {"memory", memory}};
    Artefact artefact;
    artefact.program = request.item;
    const rtl::ModulePtr module = memoryModule(request.memory);
    artefact.clock = clockOf(request, *module);
    artefact.form = request.form;
    artefact.command = commandOf(request);
    artefact.netlist = printed(module, request.memory.vendor);
    artefact.report = reportText(request, artefact.clock);
    artefact.page = memoryReport(request, artefact.clock,
                                 memory.dump(-1, ' ', false, Json::error_handler_t::replace));
    artefact.benches[kMemoryBench] =
        writeMemoryTestbench(request.memory.names.bench, {&request.memory});
    if (!request.hlsHeader.empty())
        artefact.hls[request.item + "_banks.h"] = request.hlsHeader;
    artefact.programFiles = {program};
    artefact.design = design.dump(1) + "\n";
    const MemoryNames& names = request.memory.names;
    return withProject(std::move(artefact), request.device,
                       {names.clock, names.reset, {}, {}, {{kMemoryBench, names.bench, 0}}});
}

} // namespace marquetry::hdl
