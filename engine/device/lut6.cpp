#include "engine/device/lut6.h"

namespace marquetry::device {

bool hasLut6(const Device& device) {
    return device.family == "xc7" || device.family == "xcup";
}

} // namespace marquetry::device
