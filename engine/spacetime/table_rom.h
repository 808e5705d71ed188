// How a table of a stream is built, and whether a device has room for it.
//
// Errors: too-large, with the place of the lookup. Thread rule: pure.
#pragma once

#include "engine/device/device.h"
#include "engine/device/rom.h"
#include "engine/ir/stream_program.h"
#include "engine/support/result.h"

namespace marquetry::spacetime {

/// With as many bits as its words need, by their range.
device::Rom tableRom(const ir::StreamTable& table);
/// Bits that tell the words of a table apart from each other as numbers: those above are zeros, or
/// the sign.
int tableBits(const ir::StreamTable& table);

/// Whether each table of a program fits the device by itself.
Status checkTables(const ir::StreamProgram& program, const device::Device& device);

} // namespace marquetry::spacetime
