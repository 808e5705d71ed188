#include "app/cli/explore_options.h"

#include "engine/device/device_file.h"
#include "engine/frontend/onnx/program_file.h"
#include "engine/session/export_design.h"
#include "engine/support/files.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <iterator>

namespace marquetry::cli {

namespace {

constexpr std::size_t kMostPinBytes = std::size_t{16} << 20;

/// What the best design is best at, by which costs, and how it is searched.
Status readGoal(const ExploreOptions& options, session::Settings& settings) {
    const auto cost = design::costModelNamed(options.cost);
    if (!cost)
        return makeError("option-value", "there is no cost model \"" + options.cost + "\"",
                         "cost models: cycles, published, published-open");
    const auto objective = design::objectiveNamed(options.objective);
    if (!objective)
        return makeError("option-value", "there is no objective \"" + options.objective + "\"",
                         "objectives: latency, throughput, area, front");
    const auto method = design::searchMethodNamed(options.method);
    if (!method)
        return makeError("option-value", "there is no method \"" + options.method + "\"",
                         "methods: pool, milp");
    settings.cost = *cost;
    settings.objective = *objective;
    settings.method = *method;
    return ok();
}

} // namespace

CLI::Validator notNegative() {
    const auto check = [](const std::string& text) {
        return text.starts_with('-') ? "must not be negative" : std::string();
    };
    return {check, "UINT"};
}

CLI::Validator positiveSeconds() {
    const auto check = [](const std::string& text) {
        double seconds = 0;
        const bool number = CLI::detail::lexical_cast(text, seconds) && std::isfinite(seconds);
        return number && seconds > 0 ? std::string()
                                     : "'" + text + "' is not a number of seconds above 0";
    };
    return {check, "SECONDS"};
}

void addExploreOptions(CLI::App& command, ExploreOptions& options) {
    command.add_option("FILE", options.file, "the .mq file, or a DESIGN.json")->required();
    command.add_option("--item", options.item, "the item of this name instead of the first");
    command.add_option("--device", options.settings.device, "device id or device file");
    command.add_option("--clock", options.settings.clockMhz, "clock in MHz");
    command.add_option("--bandwidth", options.settings.bandwidth,
                       "external memory, bytes per cycle");
    command.add_option("--limit", options.limits, "dsp=N,bram=N,lut=N,ff=N,cycles=N");
    command.add_option("--objective", options.objective, "latency, throughput, area or front");
    command.add_option("--batch", options.settings.batch, "frames of a run");
    command.add_option("--cost", options.cost, "cycles, published or published-open");
    command.add_option("--method", options.method, "pool or milp");
    command
        .add_option("--without", options.without, "rule groups or rules to switch off, and sharing")
        ->delimiter(',');
    // Once these groups were off unless asked for.
    for (const char* group : {"overlap", "streams"})
        command.add_flag_callback(
            std::string("--") + group, [&options, group] { options.with.emplace_back(group); },
            std::string("the rule group ") + group + ", which is on by itself");
    command.add_option("--pins", options.pinsGiven, "pins (JSON): a file, or its text");
    command.add_option("--time", options.settings.seconds,
                       "seconds for saturation, and again for extraction");
    command.add_option("--steps", options.settings.maxIterations, "iterations of saturation");
    command.add_option("--seed", options.settings.seed, "seed")->check(notNegative());
    command.add_option("--threads", options.threads, "threads")->check(CLI::Range(1, 4096));
}

namespace {

/// What the command was not given becomes that of the design.
void followDesign(ExploreOptions& options, const session::DesignFile& design,
                  const CLI::App& command) {
    const auto isGiven = [&](const char* name) { return command.count(name) > 0; };
    const auto follow = [&](const char* name, auto& to, const auto& held) {
        if (!isGiven(name))
            to = held;
    };
    session::Settings& now = options.settings;
    const session::Settings& held = design.choices.settings;
    options.file = design.programFile;
    follow("--item", options.item, design.item);
    if (!isGiven("--device")) {
        now.device = held.device;
        follow("--clock", now.clockMhz, held.clockMhz);
        follow("--bandwidth", now.bandwidth, held.bandwidth);
        follow("--limit", now.limits, held.limits);
    }
    follow("--cost", options.cost, toString(held.cost));
    follow("--objective", options.objective, toString(held.objective));
    follow("--batch", now.batch, held.batch);
    follow("--method", options.method, toString(held.method));
    follow("--without", options.without, held.without);
    follow("--time", now.seconds, held.seconds);
    follow("--steps", now.maxIterations, held.maxIterations);
    follow("--seed", now.seed, held.seed);
    follow("--pins", options.pins, design.choices.pins);
    now.maxEnodes = held.maxEnodes;
}

bool isPinText(const std::string& given) {
    const std::size_t first = given.find_first_not_of(" \t\r\n");
    return first == std::string::npos || given[first] == '{';
}

/// The pins themselves, or those of a file, which then is one of `files`.
Result<std::vector<design::Pin>> readPins(const std::string& given,
                                          std::vector<std::string>& files) {
    if (isPinText(given))
        return design::parsePins(given, "--pins");
    auto text = files::read(given, kMostPinBytes);
    if (!text) {
        Diagnostics errors = text.error();
        errors.front().hint = "--pins takes a file that Marquetry's pins can be read from, or the "
                              "text of one, which begins with \"{\"";
        return errors;
    }
    files.push_back(given);
    return design::parsePins(*text, given);
}

} // namespace

Result<frontend::ParseResult> readProgram(const std::string& file) {
    auto read = frontend::onnx::readProgramFile(file);
    if (!read)
        return read.error();
    std::cerr << format(read->parsed.warnings);
    return std::move(read->parsed);
}

Result<ExploreInput> readInput(ExploreOptions& options, const CLI::App& command) {
    const std::string given = options.file;
    std::optional<session::DesignFile> held;
    if (session::isDesignFile(given)) {
        auto design = session::readDesignFile(given);
        if (!design)
            return design.error();
        held = *std::move(design);
        followDesign(options, *held, command);
    }
    auto parsed = readProgram(options.file);
    if (!parsed)
        return parsed.error();
    auto input = readInput(options, *std::move(parsed));
    if (input && held) {
        if (input->program->name == held->item)
            std::cerr << format(session::staleWarning(*held, *input->program));
        input->files.push_back(given);
    }
    return input;
}

Result<ExploreInput> readInput(const ExploreOptions& options, frontend::ParseResult parsed) {
    ExploreInput input;
    input.settings = options.settings;
    input.settings.without = options.without;
    for (const std::string& group : options.with)
        input.settings = session::withRules(std::move(input.settings), {group, true});
    input.pins = options.pins;
    if (!options.limits.empty()) {
        auto limits = session::parseLimits(options.limits);
        if (!limits)
            return limits.error();
        input.settings.limits = *std::move(limits);
    }
    if (const Status named = readGoal(options, input.settings); !named)
        return named.error();
    if (options.pinsGiven) {
        auto pins = readPins(*options.pinsGiven, input.files);
        if (!pins)
            return pins.error();
        input.pins = *std::move(pins);
    }
    input.text = std::move(parsed.text);
    auto program = frontend::selectItem(std::move(parsed), options.item);
    if (!program)
        return program.error();
    std::ranges::move(session::inputFiles(*program), std::back_inserter(input.files));
    input.files.push_back(options.settings.device);
    input.program = std::make_shared<const ir::Program>(*std::move(program));
    return input;
}

} // namespace marquetry::cli
