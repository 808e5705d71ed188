#include "app/cli/output_folder.h"

#include <filesystem>
#include <fstream>

namespace marquetry::cli {

namespace fs = std::filesystem;

namespace {

Diagnostic unwritable(const std::string& folder, const std::string& why) {
    return makeError("file-unwritable", "cannot use '" + folder + "' as the output folder: " + why,
                     "give a folder you may write to with --out");
}

} // namespace

Status prepareOutputFolder(const std::string& folder, const std::string& marker) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error || !fs::is_directory(folder, error))
        return unwritable(folder, error ? error.message() : "it is not a folder");
    const bool empty = fs::is_empty(folder, error);
    if (error)
        return unwritable(folder, error.message());
    if (!empty && !fs::exists(fs::path(folder) / marker, error))
        return makeError("output-exists",
                         "the folder '" + folder + "' exists, is not empty, and is not ours",
                         "it has no " + marker + "; give an empty or a new folder");
    return ok();
}

Status writeJsonFile(const std::string& path, const std::string& text) {
    std::error_code error;
    const bool regular = fs::is_regular_file(path, error);
    if (regular && fs::file_size(path, error) > 0) {
        char first = 0;
        std::ifstream(path, std::ios::binary) >> first;
        if (first != '{')
            return makeError("output-exists", "'" + path + "' exists and is no JSON object of ours",
                             "give another file with --out, or remove it yourself");
    }
    return writeTextFile(path, text);
}

Status writeTextFile(const std::string& path, const std::string& text) {
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (!file)
        return makeError("file-unwritable", "cannot write '" + path + "'",
                         "check that its folder exists and may be written");
    return ok();
}

} // namespace marquetry::cli
