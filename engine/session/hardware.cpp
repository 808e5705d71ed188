#include "engine/session/hardware.h"

#include <filesystem>

namespace marquetry::session {

namespace {

Diagnostic missing() {
    return makeError("hdl-missing", "this build has no hardware generator");
}

} // namespace

Hardware::~Hardware() {
    removeTemporary();
}

void Hardware::removeTemporary() {
    if (temporary_.empty())
        return;
    std::error_code ignored;
    std::filesystem::remove_all(temporary_, ignored);
    temporary_.clear();
}

Status Hardware::exportable(const HardwareParams& params) {
    if (!params.design)
        return makeError("no-design", "there is no design yet", "run the exploration first");
    if (!params.design->schedule)
        return makeError("not-exportable", params.design->notExportable);
    return ok();
}

std::vector<HdlFile> Hardware::files(const HardwareParams&) const {
    return {};
}

Status Hardware::exportTo(const HardwareParams&, const std::string&, const std::string&,
                          std::stop_token) {
    return missing();
}

Result<std::string> Hardware::exportTemporarily(const HardwareParams&, std::stop_token) {
    return missing();
}

Status Hardware::verify(const VerifyRequest&, VerifyState&,
                        const std::function<void(const VerifyState&)>&, std::stop_token) {
    return missing();
}

} // namespace marquetry::session
