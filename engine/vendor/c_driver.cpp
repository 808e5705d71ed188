#include "engine/vendor/c_driver.h"

#include "engine/vendor/boards.h"
#include "engine/vendor/software.h"

#include <algorithm>

namespace marquetry::vendor {

namespace {

std::string quoted(const std::string& text) {
    std::string word = "\"";
    for (const char c : text)
        word += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    return word + "\"";
}

std::uint32_t maskOf(const hdl::ControlField& field) {
    return static_cast<std::uint32_t>(((std::uint64_t{1} << field.bits) - 1) << field.low);
}

std::string define(const std::string& name, const std::string& value) {
    return "#define " + name + " " + value + "\n";
}

std::string registerLines(const std::string& macro, const hdl::RegisterMap& map) {
    std::string lines;
    for (const auto& [reg, name] : softwareRegisters(map)) {
        const std::string begin = macro + "_" + name;
        lines += "\n/* " + reg->text + " */\n";
        lines += define(begin + "_OFFSET", hexadecimal(reg->offset, 3) + "u");
        for (const hdl::ControlField& field : reg->fields) {
            const std::string of = begin + "_" + upperCase(field.name);
            if (reg->fields.size() > 1 || field.text != reg->text)
                lines += "/* " + field.text + " */\n";
            lines += define(of + "_MASK", hexadecimal(maskOf(field), 8) + "u");
            lines += define(of + "_SHIFT", std::to_string(field.low));
        }
    }
    return lines;
}

std::string weightLines(const std::string& macro, const Project& project) {
    if (!project.memory)
        return "";
    const bool writes = project.memory->write.has_value();
    return std::string("\n/* Bytes of the image of the weights") +
           (writes ? ", with the room behind them that the hardware writes to,\n * and what its"
                   : ", and what its") +
           " address is a multiple of. */\n" +
           define(macro + "_WEIGHTS_BYTES", std::to_string(project.memory->imageBytes) + "u") +
           define(macro + "_WEIGHTS_ALIGNMENT", "4096u");
}

std::string streamLines(const std::string& name, const Project& project) {
    const auto streams = softwareStreams(project);
    const std::string macro = upperCase(name);
    const auto inputs = std::ranges::count(project.streams, true, &ProjectStream::isInput);
    std::vector<std::string> offsets, bytes, list;
    for (const SoftwareStream& stream : streams) {
        offsets.push_back(hexadecimal(stream.offset, 3) + "u");
        bytes.push_back(std::to_string(stream.frameBytes) + "u");
        list.push_back(macro + "_STREAM_" + upperCase(stream.identifier));
    }
    std::string lines = weightLines(macro, project);
    lines += "\n/* Streams, inputs first. */\n";
    lines += define(macro + "_INPUTS", std::to_string(inputs));
    lines += define(macro + "_STREAMS", std::to_string(streams.size()));
    lines += "enum " + name + "_stream ";
    lines += bracedList(list) + ";\n";
    lines += define(macro + "_STALL_OFFSETS", "\\\n    " + bracedList(offsets));
    if (framesCanMove(project)) {
        lines += "/* Bytes that a frame takes in memory: whole beats. */\n";
        lines += define(macro + "_FRAME_BYTES", "\\\n    " + bracedList(bytes));
    }
    return lines;
}

std::string registersHeader(const std::string& name, const Project& project) {
    const std::string macro = upperCase(name);
    const hdl::RegisterMap& map = project.control->registers;
    std::string text = "/* " + name +
                       ": the control registers. Offsets are in bytes; registers are words of 32 "
                       "bits.\n *\n * Made by Marquetry " +
                       plainText(project.version) + "; edits are lost. */\n";
    text += "#ifndef " + macro + "_REGS_H\n" + define(macro + "_REGS_H", "");
    text += "\n#include <stdint.h>\n";
    text += "\n/* Bytes that the registers take of an address space. */\n" +
            define(macro + "_SPAN", hexadecimal(std::uint64_t{1} << map.addressBits, 5) + "u");
    text +=
        "/* What the hardware must say it is. */\n" +
        define(macro + "_BUILD_ID", hexadecimal(map.at("build_id").fields.front().reset, 8) + "u") +
        define(macro + "_DESIGN_HASH", "UINT64_C(" + hexadecimal(designHashOf(map), 16) + ")");
    text += registerLines(macro, map);
    text += "\n/* Values of the field error.code. */\n";
    for (const ErrorName& error : errorNames(project))
        text += define(macro + "_ERROR_" + error.name,
                       std::to_string(static_cast<std::uint32_t>(error.code)) + "u");
    return text + streamLines(name, project) + "\n#endif\n";
}

std::string errorCases(const std::string& macro, const Project& project) {
    std::string cases;
    for (const ErrorName& error : errorNames(project))
        cases +=
            "    case " + macro + "_ERROR_" + error.name + ": return \"" + error.text + "\";\n";
    return cases;
}

/// Where the block design has everything; without one, where designs of Vivado begin.
void addAddresses(const Project& project, TemplateValues& values) {
    std::uint64_t control = 0x44a00000, dma = 0x41e00000, stride = 0x10000;
    if (processorOf(project.device) != Processor::None) {
        const System system = systemOf(project);
        control = system.controlAddress;
        dma = system.dmas.front().address;
        stride = system.windowBytes;
    }
    values["CONTROL_BASE"] = hexadecimal(control, 8) + "u";
    values["DMA_BASE"] = hexadecimal(dma, 8) + "u";
    values["DMA_STRIDE"] = hexadecimal(stride, 5) + "u";
}

/// Of what moves frames.
void addMovementValues(const Project& project, TemplateValues& values) {
    std::string buffers;
    std::vector<std::string> list, files, lines, bytes;
    for (const SoftwareStream& stream : softwareStreams(project)) {
        const std::string buffer = "buffer_" + std::to_string(list.size());
        buffers += "static _Alignas(64) uint8_t " + buffer + "[" +
                   std::to_string(stream.frameBytes) + "]; /* " + stream.identifier + " */\n";
        list.push_back(buffer);
        files.push_back(quoted(stream.stream->vectors));
        lines.push_back(std::to_string(stream.lines) + "u");
        bytes.push_back(std::to_string(stream.stream->vectorBits / 8) + "u");
    }
    values["BUFFERS"] = buffers;
    values["BUFFER_LIST"] = bracedList(list);
    values["VECTOR_FILES"] = bracedList(files);
    values["VECTOR_LINES"] = bracedList(lines);
    values["VECTOR_BYTES"] = bracedList(bytes);
}

} // namespace

files::FolderFiles cDriverFiles(const Project& project) {
    const std::string name = softwareName(project);
    const std::string begin = "sw/" + name;
    TemplateValues values = {{"NAME", name},
                             {"MACRO", upperCase(name)},
                             {"ERROR_CASES", errorCases(upperCase(name), project)},
                             {"WEIGHTS", project.memory ? "yes" : ""},
                             {"WRITES", writesMemory(project) ? "yes" : ""},
                             {"NO_WEIGHTS", project.memory ? "" : "yes"},
                             {"WEIGHTS_SOURCE", project.memory ? " " + name + "_weights.c" : ""}};
    files::FolderFiles files;
    files[begin + "_regs.h"] = registersHeader(name, project);
    files[begin + ".h"] = filledTemplate("driver.h", values);
    files[begin + ".c"] = filledTemplate("driver.c", values);
    if (!framesCanMove(project))
        return files;
    addMovementValues(project, values);
    addAddresses(project, values);
    for (const char* file : {"dma.h", "dma.c", "board.h", "uio.c", "linux.c", "bare_metal.c"})
        files[begin + "_" + file] = filledTemplate(file, values);
    if (project.memory)
        files[begin + "_weights.c"] = filledTemplate("weights.c", values);
    const bool checked = hasGoldenVectors(project);
    if (checked)
        files[begin + "_check.c"] = filledTemplate("check.c", values);
    values["CHECK"] = checked ? " " + name + "_check" : "";
    files["sw/Makefile"] = filledTemplate("software.mk", values);
    return files;
}

} // namespace marquetry::vendor
