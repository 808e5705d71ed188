// Verilator's runtime, compiled: the same for every model, and longer in the making than most.
//
// It is kept in the user's cache folder, found again by the versions of the tools and by all
// settings that reach its compilation. A file that is not whole counts as none.
// Thread rule: as PrivateFolder.
#pragma once

#include "engine/artefact/simulator.h"
#include "engine/support/folders.h"

#include <string>
#include <vector>

namespace marquetry::hdl {

class VerilatorRuntime {
public:
    /// Of the model that Verilator has written, or will, to objectsFolder(waveform).
    VerilatorRuntime(const files::PrivateFolder& folder, const SimulatorInput& input,
                     Waveform waveform);

    /// Puts what is kept where make looks for it. `versions`: of the tools; "": nothing is kept.
    Status place(const std::string& versions);
    /// Keeps what make had to compile. What cannot be kept costs the next one time, and no more.
    void keep() const;

private:
    std::string objectName(const std::string& name) const;
    std::string keptName(const std::string& name) const;

    const files::PrivateFolder& folder_;
    std::string objects_;
    std::string classes_; ///< the file in which Verilator names the parts of the runtime
    std::string hash_;
    std::vector<std::string> missing_;
};

} // namespace marquetry::hdl
