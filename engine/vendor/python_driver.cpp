#include "engine/vendor/python_driver.h"

#include "engine/support/quote.h"
#include "engine/vendor/boards.h"
#include "engine/vendor/software.h"

namespace marquetry::vendor {

namespace {

/// A literal; control characters and bytes that are no UTF-8 become visible escapes.
std::string literal(const std::string& text) {
    std::string word = "\"";
    for (const char c : printable(text))
        word += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    return word + "\"";
}

std::string streamList(const Project& project, bool inputs) {
    std::string list;
    for (const SoftwareStream& stream : softwareStreams(project)) {
        if (stream.stream->isInput != inputs)
            continue;
        list += "    (" + literal(stream.stream->name) + ", " + literal(stream.stream->vectors) +
                ", " + std::to_string(stream.lines) + ", " +
                std::to_string(stream.stream->vectorBits / 8) + ", " +
                std::to_string(stream.frameBytes) + ", " + hexadecimal(stream.offset, 3) + "),\n";
    }
    return list.empty() ? "[]" : "[\n" + list + "]";
}

struct Constants {
    std::string offsets, masks;
};

/// Of all but the counters of streams, which the lists of streams have.
Constants constantsOf(const hdl::RegisterMap& map) {
    Constants constants;
    for (const auto& [reg, name] : softwareRegisters(map)) {
        if (reg->name.starts_with("stalls_"))
            continue;
        const std::string offset = name == "BUILD_ID" ? name + "_OFFSET" : name;
        constants.offsets += offset + " = " + hexadecimal(reg->offset, 3) + "\n";
        for (const hdl::ControlField& field : reg->fields) {
            const std::uint64_t mask = ((std::uint64_t{1} << field.bits) - 1) << field.low;
            if (field.bits < 32)
                constants.masks +=
                    name + "_" + upperCase(field.name) + " = " + hexadecimal(mask, 8) + "\n";
        }
    }
    return constants;
}

std::string errorTable(const Project& project) {
    std::vector<std::string> entries;
    for (const ErrorName& error : errorNames(project))
        entries.push_back(std::to_string(static_cast<std::uint32_t>(error.code)) + ": \"" +
                          error.text + "\"");
    return bracedList(entries);
}

std::string withoutLastFeed(const std::string& lines) {
    return lines.substr(0, lines.empty() ? 0 : lines.size() - 1);
}

} // namespace

files::FolderFiles pythonDriverFiles(const Project& project) {
    if (processorOf(project.device) == Processor::None || !framesCanMove(project))
        return {};
    const hdl::RegisterMap& map = project.control->registers;
    const std::string name = softwareName(project);
    const Constants constants = constantsOf(map);
    const TemplateValues values = {
        {"NAME", name},
        {"BLOCK", systemOf(project).block},
        {"VERSION", plainText(project.version)},
        {"BUILD_ID", hexadecimal(map.at("build_id").fields.front().reset, 8)},
        {"DESIGN_HASH", hexadecimal(designHashOf(map), 16)},
        {"OFFSETS", withoutLastFeed(constants.offsets)},
        {"MASKS", withoutLastFeed(constants.masks)},
        {"ERRORS", errorTable(project)},
        {"INPUTS", streamList(project, true)},
        {"OUTPUTS", streamList(project, false)},
        {"WEIGHTS", project.memory ? std::to_string(project.memory->imageBytes) : ""},
        {"WRITES", writesMemory(project) ? "yes" : ""}};
    return {{"sw/" + name + "_pynq.py", filledTemplate("driver.py", values)}};
}

} // namespace marquetry::vendor
