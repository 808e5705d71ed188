// What drivers in all languages are made of: the hardware's names and numbers as programs have
// them.
//
// Streams are in the order of the counters of stalls: inputs first. Thread rule: pure.
#pragma once

#include "engine/support/folders.h"
#include "engine/vendor/project.h"
#include "engine/vendor/template_text.h"

#include <cstdint>
#include <string>
#include <vector>

namespace marquetry::vendor {

/// Software drives hardware that has registers and streams.
bool hasSoftware(const Project& project);

/// Whether AXI DMAs can move the frames: the device has those, and all frames are known and as
/// short as a DMA's longest transfer.
bool framesCanMove(const Project& project);
/// Whether they can be checked, too: all streams have golden vectors.
bool hasGoldenVectors(const Project& project);

/// It keeps activations in external memory.
bool writesMemory(const Project& project);

struct SoftwareStream {
    const ProjectStream* stream = nullptr;
    std::string identifier;      ///< unique, letters of one case are like those of the other
    std::uint32_t offset = 0;    ///< of its counter of stalls
    std::int64_t frameBytes = 0; ///< in memory: whole beats
    std::int64_t lines = 0;      ///< of a frame of its golden vectors
};

std::vector<SoftwareStream> softwareStreams(const Project& project);

struct SoftwareRegister {
    const hdl::ControlRegister* reg = nullptr;
    std::string name; ///< unique, in upper case
};

std::vector<SoftwareRegister> softwareRegisters(const hdl::RegisterMap& map);

/// Values of the field error.code: name in upper case, text.
struct ErrorName {
    hdl::ControlError code;
    std::string name, text;
};
std::vector<ErrorName> errorNames(const Project& project);

/// Identifier of the item, as it begins names of files and functions.
std::string softwareName(const Project& project);

std::uint64_t designHashOf(const hdl::RegisterMap& map);

std::string upperCase(std::string text);
/// "0x0000002a" of so many digits.
std::string hexadecimal(std::uint64_t value, int digits);

/// All files: sw/NAME.c and so on; none when there is nothing to drive.
files::FolderFiles softwareFiles(const Project& project);

} // namespace marquetry::vendor
