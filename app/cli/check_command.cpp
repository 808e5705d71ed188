#include "app/cli/commands.h"
#include "app/cli/report.h"
#include "engine/frontend/parser.h"

#include <iomanip>
#include <iostream>

namespace marquetry::cli {

namespace {

struct CheckOptions {
    std::string file;
    std::string item;
    bool json = false;
};

Json valueJson(const ir::Value& value) {
    Json json = namedType(value.name, value.type);
    switch (value.kind) {
    case ir::ValueKind::Input:
        json["kind"] = "input";
        break;
    case ir::ValueKind::Weight:
        json["kind"] = "weight";
        break;
    case ir::ValueKind::Op:
        json["kind"] = ir::info(value.op).name;
        break;
    }
    json["range"] = {value.range.lo, value.range.hi};
    json["macs"] = value.macs;
    return json;
}

Json itemJson(const ir::Program& program) {
    Json json;
    json["kind"] = "design";
    json["name"] = program.name;
    json["inputs"] = Json::array();
    for (const ir::ValueId id : program.inputs)
        json["inputs"].push_back(namedType(program.value(id).name, program.value(id).type));
    json["outputs"] = Json::array();
    for (const ir::Output& output : program.outputs)
        json["outputs"].push_back(namedType(output.name, program.value(output.value).type));
    json["macs"] = program.macs();
    std::int64_t weightBytes = 0;
    for (const ir::ValueId id : program.weights)
        weightBytes += program.value(id).type.bytes();
    json["weight_bytes"] = weightBytes;
    json["values"] = Json::array();
    for (const ir::Value& value : program.values)
        json["values"].push_back(valueJson(value));
    return json;
}

std::string kindText(const ir::Value& value) {
    if (value.kind == ir::ValueKind::Op)
        return std::string(ir::info(value.op).name);
    return value.kind == ir::ValueKind::Input ? "input" : "weight";
}

void printItem(const ir::Program& program) {
    std::cout << "design " << program.name << ": " << program.macs() << " MACs\n";
    for (const ir::Value& value : program.values) {
        std::cout << "  " << std::left << std::setw(16) << value.name << " " << std::setw(9)
                  << kindText(value) << " " << std::setw(22) << ir::toString(value.type)
                  << " range " << value.range.lo << " … " << value.range.hi;
        if (value.macs > 0)
            std::cout << ", " << value.macs << " MACs";
        std::cout << "\n";
    }
    for (const ir::Output& output : program.outputs)
        std::cout << "  output " << output.name << " : "
                  << ir::toString(program.value(output.value).type) << "\n";
}

int check(const CheckOptions& options) {
    auto parsed = frontend::parseFile(options.file);
    if (!parsed)
        return fail(parsed.error(), options.json);
    const Diagnostics warnings = parsed->warnings;
    std::vector<ir::Program> programs = parsed->programs;
    if (!options.item.empty()) {
        auto selected = frontend::selectItem(*std::move(parsed), options.item);
        if (!selected)
            return fail(selected.error(), options.json);
        programs = {*std::move(selected)};
    }
    std::cerr << format(warnings);
    if (options.json) {
        Json report = makeReport();
        report["items"] = Json::array();
        for (const ir::Program& program : programs)
            report["items"].push_back(itemJson(program));
        report["warnings"] = toJson(warnings);
        printJson(report);
        return kDone;
    }
    for (const ir::Program& program : programs)
        printItem(program);
    return kDone;
}

} // namespace

void addCheckCommand(CLI::App& app, CliContext& context) {
    auto options = std::make_shared<CheckOptions>();
    CLI::App* command =
        app.add_subcommand("check", "Parse, type-check, print shapes, value ranges, work (MACs)");
    command->add_option("FILE", options->file, "the .mq file")->required();
    command->add_option("--item", options->item, "only the item of this name");
    command->add_flag("--json", options->json, "one JSON object on standard output");
    command->callback([options, &context] { context.exitStatus = check(*options); });
}

} // namespace marquetry::cli
