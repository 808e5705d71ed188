#include "engine/artefact/shelled_hardware.h"

namespace marquetry::hdl {

Result<NamedHardware> shelledHardware(const ShellCore& core, const std::string& name,
                                      const AxisBench& alone, const AxiForm& form,
                                      const files::FolderFiles& vectors, int count) {
    auto shelled = inShell(core, name, alone, form);
    if (!shelled)
        return shelled.error();
    ProjectRoles roles = rolesOf(shelled->bench, kAxiBench, count);
    roles.control = std::move(shelled->control);
    return NamedHardware{std::move(shelled->names), axiBenches(shelled->bench), std::move(roles),
                         behindShell(vectors, alone, core, form)};
}

} // namespace marquetry::hdl
