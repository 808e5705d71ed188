#include "engine/vendor/software.h"

#include "engine/rtl/scope.h"
#include "engine/support/assert.h"
#include "engine/support/checked_math.h"
#include "engine/vendor/c_driver.h"
#include "engine/vendor/python_driver.h"

#include <algorithm>
#include <cctype>

namespace marquetry::vendor {

namespace {

/// What 26 bits of a DMA's length register hold, the most there can be (PG021).
constexpr std::int64_t kLongestTransfer = (std::int64_t{1} << 26) - 1;

std::int64_t frameBytesOf(const ProjectStream& stream) {
    return ceilDiv(stream.frameBits, stream.tdataBits) * (stream.tdataBits / 8);
}

const char* nameOf(hdl::ControlError error) {
    switch (error) {
    case hdl::ControlError::None:
        return "NONE";
    case hdl::ControlError::InputLength:
        return "INPUT_LENGTH";
    case hdl::ControlError::Aborted:
        return "ABORTED";
    case hdl::ControlError::MemoryResponse:
        return "MEMORY_RESPONSE";
    case hdl::ControlError::Watchdog:
        return "WATCHDOG";
    }
    ENGINE_ASSERT(false, "an error has a name");
    return "";
}

const char* textOf(hdl::ControlError error, bool writes) {
    switch (error) {
    case hdl::ControlError::None:
        return "no error";
    case hdl::ControlError::InputLength:
        return "an input's TLAST came early or late";
    case hdl::ControlError::Aborted:
        return "the frame was aborted";
    case hdl::ControlError::MemoryResponse:
        return writes ? "external memory answered a read or a write with an error"
                      : "external memory answered a read with an error";
    case hdl::ControlError::Watchdog:
        return "nothing moved for as long as the watchdog allows";
    }
    ENGINE_ASSERT(false, "an error has a text");
    return "";
}

} // namespace

bool hasSoftware(const Project& project) {
    return project.control.has_value() && !project.streams.empty();
}

bool framesCanMove(const Project& project) {
    if (project.device.family != "xc7" && project.device.family != "xcup")
        return false;
    return std::ranges::all_of(project.streams, [](const ProjectStream& stream) {
        return stream.frameBits > 0 && stream.frameBits <= 8 * kLongestTransfer &&
               frameBytesOf(stream) <= kLongestTransfer;
    });
}

bool hasGoldenVectors(const Project& project) {
    return framesCanMove(project) &&
           std::ranges::none_of(project.streams, &std::string::empty, &ProjectStream::vectors);
}

bool writesMemory(const Project& project) {
    return project.memory && project.memory->write;
}

std::vector<SoftwareStream> softwareStreams(const Project& project) {
    ENGINE_ASSERT(hasSoftware(project), "there are registers");
    std::vector<std::uint32_t> offsets;
    for (const hdl::ControlRegister& reg : project.control->registers.registers)
        if (reg.name.starts_with("stalls_"))
            offsets.push_back(reg.offset);
    ENGINE_ASSERT(offsets.size() == project.streams.size(), "every stream has its counter");
    std::vector<SoftwareStream> streams;
    rtl::Scope scope("");
    for (const bool inputs : {true, false})
        for (const ProjectStream& stream : project.streams)
            if (stream.isInput == inputs)
                streams.push_back({&stream, scope.give(rtl::identifier(stream.name)),
                                   offsets[streams.size()], frameBytesOf(stream),
                                   ceilDiv(stream.frameBits, stream.vectorBits)});
    return streams;
}

std::vector<SoftwareRegister> softwareRegisters(const hdl::RegisterMap& map) {
    std::vector<SoftwareRegister> registers;
    rtl::Scope scope("");
    for (const hdl::ControlRegister& reg : map.registers)
        registers.push_back({&reg, upperCase(scope.give(rtl::identifier(reg.name)))});
    return registers;
}

std::vector<ErrorName> errorNames(const Project& project) {
    using enum hdl::ControlError;
    const bool writes = writesMemory(project);
    std::vector<ErrorName> names;
    for (const hdl::ControlError error : {None, InputLength, Aborted, MemoryResponse, Watchdog})
        names.push_back({error, nameOf(error), textOf(error, writes)});
    return names;
}

std::string softwareName(const Project& project) {
    return rtl::identifier(project.name);
}

std::uint64_t designHashOf(const hdl::RegisterMap& map) {
    return static_cast<std::uint64_t>(map.at("design_hash_high").fields.front().reset) << 32 |
           map.at("design_hash_low").fields.front().reset;
}

std::string upperCase(std::string text) {
    std::ranges::transform(text, text.begin(), [](char c) {
        return static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    });
    return text;
}

std::string hexadecimal(std::uint64_t value, int digits) {
    constexpr char kDigits[] = "0123456789abcdef";
    std::string text = "0x";
    for (int low = 4 * (digits - 1); low >= 0; low -= 4)
        text += kDigits[value >> low & 15];
    return text;
}

files::FolderFiles softwareFiles(const Project& project) {
    if (!hasSoftware(project))
        return {};
    files::FolderFiles files = cDriverFiles(project);
    files.merge(pythonDriverFiles(project));
    return files;
}

} // namespace marquetry::vendor
