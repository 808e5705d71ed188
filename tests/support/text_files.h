// Files of tests, whole: outputs that are looked at, and what is put in their place.
#pragma once

#include "engine/support/files.h"

#include <string>

namespace marquetry::test {

inline Result<std::string> readText(const std::string& path) {
    return files::read(path);
}

/// Replaces whatever is there.
inline Status writeText(const std::string& path, const std::string& text) {
    files::Replace replace;
    replace.force = true;
    const auto written = files::write(path, text, replace);
    return written ? ok() : Status(written.error());
}

} // namespace marquetry::test
