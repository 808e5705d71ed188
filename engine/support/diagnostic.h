// Diagnostics: what a user did wrong, where, what was expected, and a hint.
//
// Lines and columns count from 1; columns count UTF-8 code points. A range with line 0 has no
// place in a file (a wrong option, a limit that cannot be met). Thread rule: value types.
#pragma once

#include <string>
#include <vector>

namespace marquetry {

struct SourceRange {
    int line = 0;
    int column = 0;
    int endLine = 0;
    int endColumn = 0; ///< one past the last column

    bool known() const { return line > 0; }
    bool operator==(const SourceRange&) const = default;
};

enum class Severity { Error, Warning, Note };

/// `code` is a stable kebab-case name ("unknown-name", "shape-mismatch"): tests and users rely on
/// it. `message` says what is wrong and what was expected; `hint` how to mend it (may be empty).
struct Diagnostic {
    Severity severity = Severity::Error;
    std::string code;
    std::string message;
    std::string file;
    SourceRange range;
    std::string hint;
    std::vector<std::string> notes;
    /// The question was a good one, and the answer is that there is none of what was asked for.
    bool isAnswer = false;
};

using Diagnostics = std::vector<Diagnostic>;

Diagnostic makeError(std::string code, std::string message, std::string hint = {});
/// An error that is an answer.
Diagnostic makeAnswer(std::string code, std::string message, std::string hint = {});
Diagnostic makeWarning(std::string code, std::string message, std::string hint = {});

/// "file:line:column: error: message [code]" followed by "  hint: …" and "  note: …" lines.
std::string format(const Diagnostic& diagnostic);
std::string format(const Diagnostics& diagnostics);

bool hasErrors(const Diagnostics& diagnostics);

} // namespace marquetry
