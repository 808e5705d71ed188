#include "app/cli/commands.h"
#include "app/cli/report.h"
#include "engine/frontend/onnx/program_file.h"
#include "engine/ir/memory_lanes.h"

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

/// A node and its name; the nodes of functions are not listed.
Json nodeJson(const ir::StreamNode& node) {
    Json json = namedType(node.name, node.type);
    json["kind"] = ir::info(node.op).name;
    return json;
}

Json itemJson(const ir::StreamProgram& stream) {
    const ir::StreamGraph& graph = stream.graph;
    Json json;
    json["kind"] = "stream";
    json["name"] = stream.name;
    json["inputs"] = Json::array();
    for (const ir::StreamNodeId id : graph.inputs)
        json["inputs"].push_back(namedType(graph.node(id).name, graph.node(id).type));
    json["outputs"] = Json::array();
    for (const ir::StreamOutput& output : graph.outputs)
        json["outputs"].push_back(namedType(output.name, graph.node(output.node).type));
    json["macs"] = ir::multiplications(graph);
    json["values"] = Json::array();
    for (const ir::StreamNode& node : graph.nodes)
        json["values"].push_back(nodeJson(node));
    return json;
}

void printItem(const ir::StreamProgram& stream) {
    std::cout << "stream " << stream.name << ": " << ir::multiplications(stream.graph) << " MACs\n";
    for (const ir::StreamNode& node : stream.graph.nodes)
        std::cout << "  " << std::left << std::setw(16) << node.name << " " << std::setw(12)
                  << ir::info(node.op).name << " " << ir::toString(node.type) << "\n";
    for (const ir::StreamOutput& output : stream.graph.outputs)
        std::cout << "  output " << output.name << " : "
                  << ir::toString(stream.graph.node(output.node).type) << "\n";
}

Json itemJson(const ir::MemoryProgram& memory) {
    Json json;
    json["kind"] = "memory";
    json["name"] = memory.name;
    json["inputs"] = Json::array({namedType(memory.array, memory.type)});
    json["outputs"] = Json::array();
    json["macs"] = 0;
    json["ports"] = memory.ports;
    json["nests"] = Json::array();
    for (const ir::MemoryNest& nest : memory.nests) {
        Json accesses = Json::array();
        for (const ir::MemoryReference& reference : nest.references)
            accesses.push_back(
                {{"kind", reference.write ? "write" : "read"}, {"access", reference.text}});
        json["nests"].push_back({{"lanes", ir::laneCount(nest)}, {"accesses", accesses}});
    }
    return json;
}

void printItem(const ir::MemoryProgram& memory) {
    std::cout << "memory " << memory.name << ": " << memory.array << " : "
              << ir::toString(memory.type) << ", " << memory.ports
              << (memory.ports == 1 ? " port\n" : " ports\n");
    for (const ir::MemoryNest& nest : memory.nests) {
        std::cout << "  for";
        for (const ir::MemoryLoop& loop : nest.loops)
            std::cout << (&loop == &nest.loops.front() ? " " : ", ") << toString(loop, nest);
        std::cout << ": " << ir::laneCount(nest) << " accesses per cycle\n";
        for (const ir::MemoryReference& reference : nest.references)
            std::cout << "    " << (reference.write ? "write " : "read  ") << reference.text
                      << "\n";
    }
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

template <class Item>
Status keep(Result<Item> item, std::vector<Item>& items) {
    if (!item)
        return item.error();
    items = {*std::move(item)};
    return ok();
}

/// Only the item called `name`.
Result<frontend::ParseResult> selectOnly(frontend::ParseResult parsed, const std::string& name) {
    frontend::ParseResult only;
    only.warnings = parsed.warnings;
    only.order = {frontend::selectedKind(parsed, name)};
    const Status kept = only.order[0] == frontend::ItemKind::Stream
                            ? keep(frontend::selectStream(std::move(parsed), name), only.streams)
                        : only.order[0] == frontend::ItemKind::Memory
                            ? keep(frontend::selectMemory(std::move(parsed), name), only.memories)
                            : keep(frontend::selectItem(std::move(parsed), name), only.programs);
    if (!kept)
        return kept.error();
    return only;
}

template <class Visitor>
void forEachItem(const frontend::ParseResult& parsed, const Visitor& visit) {
    auto program = parsed.programs.begin();
    auto stream = parsed.streams.begin();
    auto memory = parsed.memories.begin();
    for (const frontend::ItemKind kind : parsed.order) {
        if (kind == frontend::ItemKind::Design)
            visit(*program++);
        else if (kind == frontend::ItemKind::Stream)
            visit(*stream++);
        else
            visit(*memory++);
    }
}

int check(const CheckOptions& options) {
    auto file = frontend::onnx::readProgramFile(options.file);
    if (!file)
        return fail(file.error(), options.json);
    Result<frontend::ParseResult> parsed = std::move(file->parsed);
    if (!options.item.empty())
        parsed = selectOnly(*std::move(parsed), options.item);
    if (!parsed)
        return fail(parsed.error(), options.json);
    std::cerr << format(parsed->warnings);
    const auto summary = file->imported ? frontend::onnx::importSummary(*file->imported)
                                        : std::vector<std::string>();
    if (!options.json) {
        for (const std::string& line : summary)
            std::cout << line << "\n";
        forEachItem(*parsed, [](const auto& item) { printItem(item); });
        return kDone;
    }
    Json report = makeReport();
    report["items"] = Json::array();
    forEachItem(*parsed, [&](const auto& item) { report["items"].push_back(itemJson(item)); });
    report["warnings"] = toJson(parsed->warnings);
    if (file->imported)
        report["import"] = summary;
    printJson(report);
    return kDone;
}

} // namespace

void addCheckCommand(CLI::App& app, CliContext& context) {
    auto options = std::make_shared<CheckOptions>();
    CLI::App* command =
        app.add_subcommand("check", "Parse, type-check, print shapes, value ranges, work (MACs)");
    command->add_option("FILE", options->file, "the .mq or .onnx file")->required();
    command->add_option("--item", options->item, "only the item of this name");
    command->add_flag("--json", options->json, "one JSON object on standard output");
    command->callback([options, &context] { context.exitStatus = check(*options); });
}

} // namespace marquetry::cli
