#include "engine/artefact/verilator_runtime.h"

#include "engine/support/cache.h"
#include "engine/support/files.h"
#include "engine/support/sha256.h"
#include "engine/support/text_stream.h"

#include <optional>
#include <string_view>

namespace marquetry::hdl {

namespace {

constexpr std::size_t kMostKept = 40;
constexpr const char* kKind = "verilator";

/// What Verilator says in its list of classes: "VM_TRACE = 1", and the names under VM_GLOBAL_FAST.
struct Classes {
    std::string settings;
    std::vector<std::string> runtime;
};

Classes classesOf(const std::string& list) {
    Classes classes;
    TextIn lines(list);
    bool runtime = false;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("VM_")) {
            runtime = line.starts_with("VM_GLOBAL_");
            if (line.find(" = ") != std::string::npos)
                classes.settings += line + "\n";
        } else if (runtime && line.starts_with("\t")) {
            classes.runtime.push_back(line.substr(1, line.find(' ') - 1));
        }
    }
    return classes;
}

/// What follows the hash in a kept file; nothing when it is another's.
std::optional<std::string_view> whole(std::string_view kept) {
    const std::size_t hash = sha256("").size();
    if (kept.size() < hash || sha256(kept.substr(hash)) != kept.substr(0, hash))
        return std::nullopt;
    return kept.substr(hash);
}

} // namespace

VerilatorRuntime::VerilatorRuntime(const files::PrivateFolder& folder, const SimulatorInput& input,
                                   Waveform waveform)
    : folder_(folder),
      objects_(objectsFolder(waveform)),
      classes_(objects_ + "/V" + input.top + "_classes.mk") {}

Status VerilatorRuntime::place(const std::string& versions) {
    const auto list = files::read(folder_.path() + "/" + classes_);
    if (versions.empty() || !list)
        return ok();
    const Classes classes = classesOf(*list);
    hash_ = sha256(versions + classes.settings + kRuntimeOptimisation);
    for (const std::string& name : classes.runtime) {
        const auto kept = files::inCache(kKind, keptName(name));
        const auto bytes = kept ? whole(*kept) : std::nullopt;
        if (!bytes) {
            missing_.push_back(name);
            continue;
        }
        if (Status status = folder_.write(objectName(name), *bytes); !status)
            return status;
    }
    return ok();
}

void VerilatorRuntime::keep() const {
    for (const std::string& name : missing_)
        if (const auto bytes = files::read(folder_.path() + "/" + objectName(name)))
            (void)files::keepInCache(kKind, keptName(name), sha256(*bytes) + *bytes, kMostKept);
}

std::string VerilatorRuntime::objectName(const std::string& name) const {
    return objects_ + "/" + name + ".o";
}

std::string VerilatorRuntime::keptName(const std::string& name) const {
    return name + "-" + hash_ + ".o";
}

} // namespace marquetry::hdl
