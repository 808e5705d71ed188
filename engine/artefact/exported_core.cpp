#include "engine/artefact/exported_core.h"

#include "engine/support/json.h"

namespace marquetry::hdl {

Result<ExportedCore> ExportedCore::in(const ExportFolder& source, ShellCore core,
                                      const std::string& name, AxisBench alone) {
    const auto form = axiFormIn(designOf(source));
    if (!form)
        return form.error();
    ExportedCore made;
    made.form_ = *form;
    made.core_ = std::move(core);
    made.bench_ = made.alone_ = std::move(alone);
    if (!made.form_)
        return made;
    auto shelled = inShell(made.core_, name, made.alone_, *made.form_);
    if (!shelled)
        return shelled.error();
    made.bench_ = std::move(shelled->bench);
    return made;
}

bool ExportedCore::convertsStreams() const {
    return form_ && hasConverters(core_, *form_);
}

files::FolderFiles ExportedCore::vectors(files::FolderFiles ofCore) const {
    return form_ ? behindShell(ofCore, alone_, core_, *form_) : ofCore;
}

std::int64_t ExportedCore::cycles(std::int64_t ofCore) const {
    return form_ ? shellCycles(core_, *form_, ofCore) : ofCore;
}

std::int64_t ExportedCore::shellBeatsOfFrame() const {
    std::int64_t beats = 0;
    if (form_)
        for (const auto* streams : {&core_.sources, &core_.sinks})
            for (const CoreStream& stream : *streams)
                beats += shellBeats(stream, form_->streamBits);
    return beats;
}

} // namespace marquetry::hdl
