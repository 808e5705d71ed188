#include "engine/frontend/onnx/program_file.h"

#include "engine/frontend/onnx/imported_value.h"
#include "engine/ir/printer.h"

namespace marquetry::frontend::onnx {

namespace {

std::string tensorText(const char* role, const ImportNote& note, const ir::Value& value) {
    std::string shape;
    for (const std::int64_t dim : note.shape)
        shape += (shape.empty() ? "" : ", ") + std::to_string(dim);
    return std::string(role) + " " + value.name + ": " + ir::toString(value.type) + " holds '" +
           note.tensor + "' [" + shape + "]; " + readingText(note);
}

} // namespace

bool isModelFile(const std::string& path) {
    return path.ends_with(".onnx");
}

Result<ReadProgram> readProgramFile(const std::string& path, const std::stop_token& stop) {
    ReadProgram file;
    if (!isModelFile(path)) {
        auto parsed = parseFile(path);
        if (!parsed)
            return parsed.error();
        file.parsed = *std::move(parsed);
        return file;
    }
    auto imported = importOnnxFile(path, {{}, stop});
    if (!imported)
        return imported.error();
    file.parsed.text = ir::print(imported->program);
    file.parsed.order = {ItemKind::Design};
    file.parsed.warnings = imported->warnings;
    file.parsed.programs.push_back(imported->program);
    file.imported = *std::move(imported);
    return file;
}

std::vector<std::string> importSummary(const Imported& imported) {
    std::vector<std::string> lines = {
        "opset " + std::to_string(imported.opset) +
        (imported.producer.empty() ? "" : ", written by " + imported.producer)};
    const auto add = [&](const char* role, const std::vector<ImportNote>& notes) {
        for (const ImportNote& note : notes)
            lines.push_back(tensorText(role, note, imported.program.value(note.value)));
    };
    add("input", imported.inputs);
    add("output", imported.outputs);
    std::string cut;
    for (const std::string& node : imported.cut)
        cut += (cut.empty() ? "" : ", ") + node;
    if (!cut.empty())
        lines.push_back("left out, as float operators behind the integers: " + cut);
    return lines;
}

} // namespace marquetry::frontend::onnx
