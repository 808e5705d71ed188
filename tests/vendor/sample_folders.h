// Folders of exports, and programs that are run in them.
#pragma once

#include "engine/support/folders.h"
#include "engine/support/process.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/text_files.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace marquetry::test {

/// A failed start fails the test.
inline ProcessResult ran(const std::vector<std::string>& arguments, const std::string& folder) {
    ProcessParams params;
    params.arguments = arguments;
    params.folder = folder;
    const auto result = runProcess(params);
    if (!result) {
        ADD_FAILURE() << format(result.error());
        return {-1, {}};
    }
    return *result;
}

inline void writeAll(const std::filesystem::path& folder, const files::FolderFiles& files) {
    for (const auto& [path, text] : files) {
        std::filesystem::create_directories((folder / path).parent_path());
        if (const auto written = writeText(folder / path, text); !written)
            ADD_FAILURE() << format(written.error());
    }
}

inline void writeAll(const TemporaryFolder& folder, const files::FolderFiles& files) {
    writeAll(folder.path(), files);
}

} // namespace marquetry::test
