#include "engine/support/diagnostic.h"

#include <algorithm>

namespace marquetry {

namespace {

Diagnostic make(Severity severity, std::string code, std::string message, std::string hint) {
    Diagnostic diagnostic;
    diagnostic.severity = severity;
    diagnostic.code = std::move(code);
    diagnostic.message = std::move(message);
    diagnostic.hint = std::move(hint);
    return diagnostic;
}

const char* name(Severity severity) {
    switch (severity) {
    case Severity::Error:
        return "error";
    case Severity::Warning:
        return "warning";
    case Severity::Note:
        return "note";
    }
    return "error";
}

} // namespace

Diagnostic makeError(std::string code, std::string message, std::string hint) {
    return make(Severity::Error, std::move(code), std::move(message), std::move(hint));
}

Diagnostic makeAnswer(std::string code, std::string message, std::string hint) {
    Diagnostic answer = makeError(std::move(code), std::move(message), std::move(hint));
    answer.isAnswer = true;
    return answer;
}

Diagnostic makeWarning(std::string code, std::string message, std::string hint) {
    return make(Severity::Warning, std::move(code), std::move(message), std::move(hint));
}

std::string format(const Diagnostic& diagnostic) {
    std::string text;
    if (!diagnostic.file.empty())
        text += diagnostic.file + ":";
    if (diagnostic.range.known())
        text += std::to_string(diagnostic.range.line) + ":" +
                std::to_string(diagnostic.range.column) + ":";
    if (!text.empty())
        text += " ";
    text += std::string(name(diagnostic.severity)) + ": " + diagnostic.message;
    if (!diagnostic.code.empty())
        text += " [" + diagnostic.code + "]";
    text += "\n";
    if (!diagnostic.hint.empty())
        text += "  hint: " + diagnostic.hint + "\n";
    for (const std::string& note : diagnostic.notes)
        text += "  note: " + note + "\n";
    return text;
}

std::string format(const Diagnostics& diagnostics) {
    std::string text;
    for (const Diagnostic& diagnostic : diagnostics)
        text += format(diagnostic);
    return text;
}

bool hasErrors(const Diagnostics& diagnostics) {
    return std::any_of(diagnostics.begin(), diagnostics.end(),
                       [](const Diagnostic& d) { return d.severity == Severity::Error; });
}

} // namespace marquetry
