// Parameters of an extraction with a limit on DSP blocks alone.
#pragma once

#include "engine/device/device_file.h"
#include "engine/extract/extract.h"

#include <string>

namespace marquetry::test {

inline extract::ExtractParams paramsWithin(double dsp,
                                           design::CostModel model = design::CostModel::Cycles,
                                           const std::string& device = "arria10") {
    extract::ExtractParams params;
    params.model = model;
    params.device = *device::findDevice(device);
    params.limits = params.device.limits;
    params.limits.dsp = dsp;
    return params;
}

} // namespace marquetry::test
