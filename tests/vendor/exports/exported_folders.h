// The program run as a user runs it, without a shell: names of folders are taken as they are.
#pragma once

#include "tests/support/places.h"
#include "tests/vendor/exports/export_checks.h"
#include "tests/vendor/sample_folders.h"

#include <gmock/gmock.h>

#include <sstream>

namespace marquetry::test {

/// A design, a stream and a memory, each of a few words.
inline constexpr const char* kThreeItems = R"(
design d { input a : i8[8] = random(seed: 1); weight v : i8[4, 8] = random(seed: 5); output y = mv(v, a); }
stream s { input x : Seq 12 u8; output y = map(fn v -> add(v, 5), x); }
memory m { array a : i8[8, 8]; for i in 0 .. 8 step 2 par 2 { read a[i, 0]; write a[0, i]; } }
)";

class ExportedFolders : public ::testing::Test {
protected:
    ExportedFolders() { writeAll(top_, {{"three.mq", kThreeItems}}); }

    /// Options are words apart by single spaces.
    ProcessResult exported(const std::string& options, const std::filesystem::path& folder,
                           const std::string& file = "three.mq") const {
        std::vector<std::string> command = {program(), "export", file};
        std::istringstream words(options);
        for (std::string word; words >> word;)
            command.push_back(word);
        command.insert(command.end(), {"--out", folder.string()});
        return ran(command, top_.string());
    }

    std::filesystem::path made(const std::string& options, const std::string& name,
                               const std::string& file = "three.mq") const {
        const std::filesystem::path folder = top_.path() / name;
        const auto result = exported(options, folder, file);
        EXPECT_EQ(result.exitCode, 0) << options << "\n" << result.output;
        return folder;
    }

    void expectWhole(const std::filesystem::path& folder) const {
        EXPECT_THAT(faultsOfExport(folder), ::testing::IsEmpty()) << folder;
    }

    void expectVerified(const std::filesystem::path& folder, const std::string& simulator) const {
        const auto result =
            ran({program(), "verify", folder.string(), "--simulator", simulator}, top_.string());
        EXPECT_EQ(result.exitCode, 0) << folder << "\n" << result.output;
    }

    static files::FolderFiles contentsOf(const std::filesystem::path& folder) {
        files::FolderFiles files;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
            if (entry.is_regular_file())
                files[std::filesystem::relative(entry.path(), folder).generic_string()] =
                    readText(entry.path()).value_or("");
        return files;
    }

    TemporaryFolder top_;
};

} // namespace marquetry::test
