// What an artefact's files are to a vendor's tool: the project of its target (engine/vendor).
//
// Errors: those of vendor::checkProject. Thread rule: pure.
#pragma once

#include "engine/artefact/artefact.h"
#include "engine/artefact/axis_testbench.h"
#include "engine/device/device.h"
#include "engine/vendor/project.h"

namespace marquetry::hdl {

/// What the netlist's ports are, the others being plain ones, and which benches there are.
struct ProjectRoles {
    std::string clock, reset;
    std::vector<vendor::ProjectStream> streams;
    std::optional<vendor::ProjectControl> control{};
    std::vector<vendor::ProjectBench> benches{};
    std::optional<vendor::ProjectMemory> memory{};
};

/// Those of hardware with streams; `file`: of this bench, with so many golden vectors.
ProjectRoles rolesOf(const AxisBench& bench, const std::string& file, int vectors);

vendor::Project projectOf(const Artefact& artefact, const device::Device& device,
                          const ProjectRoles& roles);

/// The artefact with the files of its target's project.
Result<Artefact> withProject(Artefact artefact, const device::Device& device,
                             const ProjectRoles& roles);

} // namespace marquetry::hdl
