// Reports each mistake at a place once, however often the place is looked at.
//
// Thread rule: one owner.
#pragma once

#include "engine/frontend/reporter.h"

#include <optional>
#include <set>
#include <tuple>

namespace marquetry::frontend {

class OnceReporter {
public:
    /// `reporter` must outlive it.
    explicit OnceReporter(Reporter& reporter) : reporter_(reporter) {}

    std::nullopt_t report(const Diagnostic& diagnostic, const SourceRange& range) {
        if (reported_.emplace(range.line, range.column, diagnostic.message).second)
            reporter_.report(diagnostic, range);
        return std::nullopt;
    }

private:
    Reporter& reporter_;
    std::set<std::tuple<int, int, std::string>> reported_;
};

} // namespace marquetry::frontend
