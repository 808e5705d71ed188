// The estimate of a circuit's kernel: its datapath is made, and its modules to count what they
// take.
//
// Errors: those of datapath::makeDatapath, which refuses more than kMaxEstimatedWords cells.
// Thread rule: pure.
#pragma once

#include "engine/cost/kernel_estimate.h"
#include "engine/datapath/make_datapath.h"
#include "engine/device/device.h"

namespace marquetry::hdl {

Result<cost::KernelEstimate> estimateKernel(const spacetime::Graph& circuit,
                                            const device::Device& device, std::stop_token stop = {},
                                            datapath::Deadline deadline = datapath::kNoDeadline);

} // namespace marquetry::hdl
