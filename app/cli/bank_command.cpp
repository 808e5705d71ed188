#include "app/cli/bank_arrays.h"
#include "app/cli/bank_pins.h"
#include "app/cli/bank_report.h"
#include "app/cli/commands.h"
#include "app/cli/explore_options.h"
#include "app/cli/outputs.h"
#include "app/cli/stream_schedule.h"
#include "engine/banking/hls_header.h"
#include "engine/device/device_file.h"
#include "engine/session/bank_json.h"
#include "engine/session/memories.h"
#include "engine/support/limits.h"
#include "engine/support/text_stream.h"

#include <algorithm>
#include <chrono>
#include <iostream>

namespace marquetry::cli {

namespace {

struct BankOptions {
    BankArraysRequest of;
    std::string effort = "quick";
    std::string table;
    std::string hls;
    bool force = false;
    std::int64_t maxCopies = 4;
    bool json = false;
    BankPinOptions pins;
};

banking::PlanParams paramsOf(const BankOptions& options) {
    banking::PlanParams params;
    params.search.maxCopies = options.maxCopies;
    if (options.effort == "full") {
        params.search.steps = 200'000'000;
        params.search.schemesPerForm = 16;
    }
    return params;
}

Result<std::string> tableOf(const banking::Scheme& scheme, const ir::Shape& dims) {
    const std::int64_t words = ir::Type{ir::Scalar::I8, dims}.elements();
    if (words > kMaxTableRows)
        return tooLarge("the table has", words, kMaxTableRows, "rows",
                        "the JSON report has the maps, the box and the depth");
    TextOut file;
    for (std::size_t d = 0; d < dims.size(); ++d)
        file << "x" << d << ",";
    file << "bank,offset\n";
    banking::Address x(dims.size());
    for (std::int64_t row = 0; row < words; ++row) {
        for (const std::int64_t index : x)
            file << index << ",";
        file << scheme.bank(x) << "," << scheme.offset(x) << "\n";
        for (std::size_t d = x.size(); d-- > 0;) {
            if (++x[d] < dims[d])
                break;
            x[d] = 0;
        }
    }
    return std::move(file).str();
}

int refuse(Diagnostics diagnostics, const BankOptions& options) {
    for (Diagnostic& diagnostic : diagnostics) {
        if (diagnostic.file.empty() && diagnostic.range.known())
            diagnostic.file = options.of.file;
    }
    return fail(diagnostics, options.json);
}

/// One array with its plan.
struct PlannedArray {
    session::MemoryItem memory;
    double searchUs = 0;

    const banking::Plan& plan() const { return *memory.plan; }
};

Result<PlannedArray> planned(ir::MemoryProgram memory, const device::Device& device,
                             const BankOptions& options) {
    const auto pins = pinsOf(options.pins, memory.type.dims.size());
    if (!pins)
        return pins.error();
    const auto started = std::chrono::steady_clock::now();
    auto item = session::planMemory(std::move(memory), *pins, device,
                                    {options.of.seconds, paramsOf(options)});
    if (!item)
        return item.error();
    const std::chrono::duration<double, std::micro> passed =
        std::chrono::steady_clock::now() - started;
    return PlannedArray{*std::move(item), passed.count()};
}

Json arrayJson(const PlannedArray& array, const device::Device& device) {
    Json json = session::bankJson(*array.memory.program, *array.memory.pattern, array.plan(),
                                  array.plan().chosen(), device);
    json["search_us"] = array.searchUs;
    return json;
}

void printAll(const BankArrays& item, const std::vector<PlannedArray>& arrays,
              const device::Device& device, bool json) {
    const bool memory = item.kind == frontend::ItemKind::Memory;
    const bool stream = item.kind == frontend::ItemKind::Stream;
    if (json) {
        Json report = makeReport();
        if (memory)
            report.update(arrayJson(arrays[0], device));
        else
            report[stream ? "stream" : "design"] = item.item;
        if (stream)
            report["throughput"] = item.throughput;
        for (const PlannedArray& array : arrays)
            if (!memory)
                report["memories"].push_back(arrayJson(array, device));
        printJson(report);
        return;
    }
    if (!memory)
        std::cout << (stream ? "stream " : "design ") << item.item << ": " << arrays.size()
                  << (arrays.size() == 1 ? " array" : " arrays")
                  << (stream ? ", " + item.throughput + " elements per clock" : "") << "\n";
    for (const PlannedArray& array : arrays)
        printBank(*array.memory.program, *array.memory.pattern, array.plan(), device);
}

/// Parts of a scheme are fixed, and tables are written, of one array.
Status checkOne(const BankArrays& item, const BankOptions& options) {
    const bool fixes = options.pins.pins != banking::SchemePins() || !options.pins.kind.empty() ||
                       !options.pins.maps.empty();
    if (item.arrays.size() == 1 || (!fixes && options.table.empty() && options.hls.empty()))
        return ok();
    return makeError("option-value",
                     "'" + item.item + "' has " + std::to_string(item.arrays.size()) +
                         " arrays: --table, --hls and options that fix a scheme are about one",
                     "say which: --array " + item.arrays[0].name);
}

/// The files that are asked for, of the only array.
Status writeTableAndHeader(const PlannedArray& array, const OutputPlace& table,
                           const OutputPlace& hls) {
    const banking::Scheme& scheme = array.plan().chosen().scheme;
    if (!table.path.empty()) {
        const auto bytes = tableOf(scheme, array.memory.program->type.dims);
        const Status written =
            bytes ? writeFile(table, FileKind::BankTable, *bytes) : Status(bytes.error());
        if (!written)
            return written;
    }
    return hls.path.empty() ? ok()
                            : writeFile(hls, FileKind::HlsHeader,
                                        banking::hlsHeader(*array.memory.program,
                                                           *array.memory.pattern, scheme));
}

int bank(const BankOptions& options) {
    const auto device = device::findDevice(options.of.device);
    if (!device)
        return fail(device.error(), options.json);
    const OutputPlace table{options.table, options.force, {options.of.file, options.of.device}};
    const OutputPlace hls{options.hls, options.force, {options.of.file, options.of.device}};
    if (const Status free = checkFile(table, FileKind::BankTable); !free)
        return fail(free.error(), options.json);
    if (const Status free = checkFile(hls, FileKind::HlsHeader); !free)
        return fail(free.error(), options.json);
    auto parsed = readProgram(options.of.file);
    if (!parsed)
        return fail(parsed.error(), options.json);
    auto item = arraysOf(options.of, *std::move(parsed));
    if (!item)
        return fail(item.error(), options.json);
    if (const Status one = checkOne(*item, options); !one)
        return fail(one.error(), options.json);
    std::vector<PlannedArray> arrays;
    for (ir::MemoryProgram& memory : item->arrays) {
        auto array = planned(std::move(memory), *device, options);
        if (!array)
            return refuse(array.error(), options);
        arrays.push_back(*std::move(array));
    }
    if (!arrays.empty())
        if (const Status written = writeTableAndHeader(arrays[0], table, hls); !written)
            return refuse(written.error(), options);
    printAll(*item, arrays, *device, options.json);
    return kDone;
}

} // namespace

void addBankCommand(CLI::App& app, CliContext& context) {
    auto options = std::make_shared<BankOptions>();
    options->of.device = device::kDefaultDevice;
    CLI::App* command =
        app.add_subcommand("bank", "Bank schemes of a memory, a stream or a design's buffers");
    command->add_option("FILE", options->of.file, "the .mq file")->required();
    command->add_option("--item", options->of.item, "the item of this name");
    command->add_option("--array", options->of.array, "of a stream or design: only this one");
    auto* throughput =
        command->add_option("--throughput", options->of.throughput,
                            "of a stream: elements of the output per clock, N or N/M");
    auto* clocks =
        command->add_option("--clocks", options->of.clocks, "of a stream: clocks of a frame");
    throughput->excludes(clocks);
    command->add_option("--device", options->of.device, "device id or file");
    command->add_option("--effort", options->effort, "quick or full: how long to search")
        ->check(CLI::IsMember({"quick", "full"}));
    command->add_option("--max-copies", options->maxCopies, "most copies of the array")
        ->check(CLI::Range(1, 64));
    addBankPinOptions(*command, options->pins, "");
    command->add_option("--time", options->of.seconds, "limit in seconds (results may vary)")
        ->check(positiveSeconds());
    command->add_option("--table", options->table, "every address with its bank and offset, CSV");
    command->add_option("--hls", options->hls,
                        "the banks as a C++ header for high-level synthesis, with directives");
    addForceOption(*command, options->force);
    command->add_flag("--json", options->json, "one JSON object on standard output");
    command->callback([options, &context] { context.exitStatus = bank(*options); });
}

} // namespace marquetry::cli
