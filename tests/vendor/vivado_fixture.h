// Exports for Vivado in temporary folders, and their scripts run under the stand-ins.
#pragma once

#include "engine/vendor/targets.h"
#include "tests/support/places.h"
#include "tests/vendor/sample_folders.h"
#include "tests/vendor/sample_projects.h"

#include <gmock/gmock.h>

#include <map>
#include <optional>

namespace marquetry::test {

using Environment = std::map<std::string, std::optional<std::string>>;

class VivadoTest : public ::testing::Test {
protected:
    /// The project's export, in a folder of this name; its path.
    std::string exported(const vendor::Project& project, const std::string& name = "export") {
        const Status status = vendor::checkProject("vivado", project);
        EXPECT_TRUE(status.has_value()) << format(status.error());
        return written(project, sampleFiles(project), name);
    }

    /// The same with this hardware.
    std::string written(const vendor::Project& project, const files::FolderFiles& hardware,
                        const std::string& name) {
        const std::string folder = folder_ / name;
        writeAll(folder, hardware);
        writeAll(folder, vendor::projectFiles("vivado", project));
        return folder;
    }

    /// Runs a script of an export under the stand-ins, from elsewhere.
    ProcessResult run(const std::string& script, Environment environment = {},
                      const std::vector<std::string>& arguments = {}) {
        ProcessParams params;
        params.arguments = {"tclsh", sourceFolder() + "/tests/vendor/stub/stub.tcl", "vivado",
                            script};
        params.arguments.insert(params.arguments.end(), arguments.begin(), arguments.end());
        params.folder = folder_.string();
        environment["LC_ALL"] = "C.UTF-8";
        params.environment = std::move(environment);
        const auto result = runProcess(params);
        if (!result) {
            ADD_FAILURE() << format(result.error());
            return {-1, {}};
        }
        return *result;
    }

    void expectEnds(const std::string& script, Environment environment = {}) {
        const ProcessResult result = run(script, std::move(environment));
        EXPECT_EQ(result.exitCode, 0) << script << "\n" << result.output;
        EXPECT_THAT(result.output, ::testing::HasSubstr("script ended")) << script;
    }

    void expectAllEnd(const std::string& folder) {
        int scripts = 0;
        for (const auto& entry : std::filesystem::directory_iterator(folder + "/vivado"))
            if (entry.path().extension() == ".tcl") {
                expectEnds(entry.path());
                ++scripts;
            }
        EXPECT_GE(scripts, 4);
    }

private:
    TemporaryFolder folder_;
};

/// Replaces the only place of `from`.
inline void patch(const std::string& file, const std::string& from, const std::string& to) {
    auto text = readText(file);
    ASSERT_TRUE(text.has_value()) << file;
    const auto at = text->find(from);
    ASSERT_NE(at, std::string::npos) << from << " in " << file;
    text->replace(at, from.size(), to);
    ASSERT_TRUE(writeText(file, *text).has_value());
}

} // namespace marquetry::test
