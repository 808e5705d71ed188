// Device files: JSON, one device or a list of devices; the shipped ones are in resources/devices.
//
// Errors: device-unknown, device-file, device-field (missing, negative or of the wrong kind) with
// the field named. Thread rule: pure but for reading the file.
#pragma once

#include "engine/device/device.h"
#include "engine/support/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace marquetry::device {

Result<std::vector<Device>> parseDevices(std::string_view json, const std::string& file);

/// The devices shipped with the program, in file order (compiled in: no file is needed).
const std::vector<Device>& shippedDevices();

/// `idOrFile` is a shipped id or the path of a device file with one device.
Result<Device> findDevice(const std::string& idOrFile);

inline constexpr const char* kDefaultDevice = "arria10";

} // namespace marquetry::device
