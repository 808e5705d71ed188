#include "engine/frontend/reporter.h"

#include <algorithm>
#include <tuple>

namespace marquetry::frontend {

void Reporter::report(Diagnostic diagnostic, const SourceRange& range) {
    if (full())
        return;
    diagnostic.file = file_;
    diagnostic.range = range;
    if (diagnostic.severity == Severity::Error && ++errors_ == kMaxErrors)
        diagnostic.notes.push_back("too many mistakes: the rest of the file was not looked at");
    diagnostics_.push_back(std::move(diagnostic));
}

Diagnostics Reporter::take() {
    std::stable_sort(
        diagnostics_.begin(), diagnostics_.end(), [](const Diagnostic& a, const Diagnostic& b) {
            return std::tie(a.range.line, a.range.column) < std::tie(b.range.line, b.range.column);
        });
    return std::move(diagnostics_);
}

} // namespace marquetry::frontend
