#include "engine/frontend/onnx/faults.h"

namespace marquetry::frontend::onnx {

void Faults::add(std::string code, std::string message, std::string hint) {
    if (++count_ <= kMostShown)
        shown_.push_back(makeError(std::move(code), std::move(message), std::move(hint)));
}

Diagnostics Faults::take(const std::string& file) {
    Diagnostics all = std::move(shown_);
    if (count_ > kMostShown)
        all.push_back(makeError("more-errors",
                                "and " + std::to_string(count_ - kMostShown) + " more like these"));
    for (Diagnostic& diagnostic : all)
        diagnostic.file = file;
    shown_.clear();
    count_ = 0;
    return all;
}

} // namespace marquetry::frontend::onnx
