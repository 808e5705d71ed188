// Collects the diagnostics of one file and stops a flood.
//
// After kMaxErrors errors the rest are counted only, and `full()` tells parsers to give up: a
// binary file should not print a thousand lines. Thread rule: one owner.
#pragma once

#include "engine/support/diagnostic.h"

#include <string>

namespace marquetry::frontend {

inline constexpr int kMaxErrors = 50;

class Reporter {
public:
    explicit Reporter(std::string file) : file_(std::move(file)) {}

    void report(Diagnostic diagnostic, const SourceRange& range);

    bool full() const { return errors_ >= kMaxErrors; }
    int errorCount() const { return errors_; }
    const std::string& file() const { return file_; }

    /// Everything reported, in the order of the text.
    Diagnostics take();

private:
    std::string file_;
    Diagnostics diagnostics_;
    int errors_ = 0;
};

} // namespace marquetry::frontend
