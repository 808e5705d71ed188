#include "engine/lower_stream/estimate_kernel.h"

#include "engine/cost/kernel_area.h"
#include "engine/lower_stream/stream_kernel.h"
#include "engine/rtl/netlist.h"
#include "engine/support/limits.h"

namespace marquetry::hdl {

Result<cost::KernelEstimate> estimateKernel(const spacetime::Graph& circuit,
                                            const device::Device& device, std::stop_token stop,
                                            datapath::Deadline deadline) {
    datapath::DatapathParams params;
    params.mostEstimated = kMaxEstimatedWords;
    params.deadline = deadline;
    const auto made = datapath::makeDatapath(circuit, params, std::move(stop));
    if (!made)
        return made.error();
    const datapath::TimedDatapath& timed = **made;
    std::vector<std::string> inputs;
    for (std::size_t k = 0; k < timed.datapath.inputs.size(); ++k)
        inputs.push_back(cat("in_", k));
    rtl::ModuleLibrary library("kernel");
    const StreamKernel kernel = kernelModule(library, timed, "kernel", inputs, "out_y");
    return cost::KernelEstimate{cost::kernelArea(timed, kernel.parts, device), timed.latency,
                                timed.datapath.unit, timed.pathDelay, *made};
}

} // namespace marquetry::hdl
