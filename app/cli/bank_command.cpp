#include "app/cli/bank_pins.h"
#include "app/cli/bank_report.h"
#include "app/cli/commands.h"
#include "app/cli/explore_options.h"
#include "engine/device/device_file.h"
#include "engine/frontend/parser.h"
#include "engine/session/bank_json.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iostream>

namespace marquetry::cli {

namespace {

struct BankOptions {
    std::string file;
    std::string item;
    std::string device = device::kDefaultDevice;
    std::string effort = "quick";
    std::string table;
    std::int64_t maxCopies = 4;
    double seconds = 0;
    bool json = false;
    BankPinOptions pins;
};

/// Rows of a larger table would not fit a disk.
constexpr std::int64_t kMostRows = std::int64_t{1} << 24;

Result<ir::MemoryProgram> readMemory(const BankOptions& options) {
    auto parsed = frontend::parseFile(options.file);
    if (!parsed)
        return parsed.error();
    std::cerr << format(parsed->warnings);
    return frontend::selectMemory(*std::move(parsed), options.item);
}

banking::PlanParams paramsOf(const BankOptions& options) {
    banking::PlanParams params;
    params.search.maxCopies = options.maxCopies;
    if (options.effort == "full") {
        params.search.steps = 200'000'000;
        params.search.schemesPerForm = 16;
    }
    return params;
}

Status writeTable(const std::string& path, const banking::Scheme& scheme, const ir::Shape& dims) {
    const std::int64_t words = ir::Type{ir::Scalar::I8, dims}.elements();
    if (words > kMostRows)
        return makeError("too-large",
                         "a table of " + std::to_string(words) + " rows is more than " +
                             std::to_string(kMostRows),
                         "the JSON report has the maps, the box and the depth");
    std::ofstream file(path, std::ios::binary);
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
    file.flush();
    if (!file)
        return makeError("file-unwritable", "cannot write '" + path + "'");
    return ok();
}

int refuse(Diagnostics diagnostics, const BankOptions& options, ExitStatus status) {
    for (Diagnostic& diagnostic : diagnostics) {
        if (diagnostic.file.empty() && diagnostic.range.known())
            diagnostic.file = options.file;
    }
    fail(diagnostics, options.json);
    return status;
}

/// A scheme that cannot be is an answer; anything else is a wrong input.
ExitStatus statusOf(const Diagnostics& diagnostics) {
    const std::string& code = diagnostics.front().code;
    return code == "bank-conflict" || code == "no-scheme" || code == "pins-unmet" ? kAnswerIsNo
                                                                                  : kInputError;
}

int bank(const BankOptions& options) {
    const auto device = device::findDevice(options.device);
    if (!device)
        return fail(device.error(), options.json);
    const auto memory = readMemory(options);
    if (!memory)
        return fail(memory.error(), options.json);
    const auto pins = pinsOf(options.pins, memory->type.dims.size());
    if (!pins)
        return refuse(pins.error(), options, kInputError);
    const auto started = std::chrono::steady_clock::now();
    banking::AccessParams accesses;
    accesses.seconds = options.seconds / 2; // the rest is for the search
    const auto pattern = banking::accessPattern(*memory, accesses);
    if (!pattern)
        return refuse(pattern.error(), options, kInputError);
    banking::PlanParams params = paramsOf(options);
    const std::chrono::duration<double, std::micro> looked =
        std::chrono::steady_clock::now() - started;
    if (options.seconds > 0)
        params.search.seconds = std::max(0.01, options.seconds - looked.count() * 1e-6);
    const auto plan = banking::plan(*pattern, memory->directive, *pins, *device, params);
    const std::chrono::duration<double, std::micro> passed =
        std::chrono::steady_clock::now() - started;
    if (!plan)
        return refuse(plan.error(), options, statusOf(plan.error()));
    if (!options.table.empty()) {
        const Status written = writeTable(options.table, plan->chosen().scheme, memory->type.dims);
        if (!written)
            return refuse(written.error(), options, kInputError);
    }
    if (!options.json) {
        printBank(*memory, *pattern, *plan, *device);
        return kDone;
    }
    Json report = makeReport();
    report.update(session::bankJson(*memory, *pattern, *plan, plan->chosen(), *device));
    report["search_us"] = passed.count();
    printJson(report);
    return kDone;
}

} // namespace

void addBankCommand(CLI::App& app, CliContext& context) {
    auto options = std::make_shared<BankOptions>();
    CLI::App* command = app.add_subcommand("bank", "Bank schemes of a memory item");
    command->add_option("FILE", options->file, "the .mq file")->required();
    command->add_option("--item", options->item, "the memory item of this name");
    command->add_option("--device", options->device, "device id or file");
    command->add_option("--effort", options->effort, "quick or full: how long to search")
        ->check(CLI::IsMember({"quick", "full"}));
    command->add_option("--max-copies", options->maxCopies, "most copies of the array")
        ->check(CLI::Range(1, 64));
    addBankPinOptions(*command, options->pins, "");
    command->add_option("--time", options->seconds, "limit in seconds (results may vary)")
        ->check(positiveSeconds());
    command->add_option("--table", options->table, "every address with its bank and offset, CSV");
    command->add_flag("--json", options->json, "one JSON object on standard output");
    command->callback([options, &context] { context.exitStatus = bank(*options); });
}

} // namespace marquetry::cli
