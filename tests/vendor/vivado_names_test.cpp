// Exports for Vivado whose folders, items and devices have odd names, and of hardware that is
// built.
#include "tests/vendor/built_projects.h"
#include "tests/vendor/vivado_fixture.h"

namespace marquetry::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Characters that Tcl, shells and lists act on.
constexpr const char* kOddFolder = "a b $here [exit 9] {c ;d\\e \"f' \xc3\xa9 #g";

TEST_F(VivadoTest, NamesOfItemsMayBeginWithUnderscores) {
    vendor::Project project = controlledProject("xc7z020", "pynq-z2");
    project.name = "__x_";
    const std::string folder = exported(project);
    EXPECT_TRUE(std::filesystem::exists(folder + "/xgui/x_v1_0.tcl"));
    expectAllEnd(folder);
}

TEST_F(VivadoTest, PathsThatVivadoDoesNotSupportAreSaid) {
    const char* warning = "WARNING: Vivado does not support all characters of the path";
    const std::string plain = exported(plainProject(), "a plain-1.0_folder");
    EXPECT_THAT(run(plain + "/vivado/estimate.tcl").output, Not(HasSubstr(warning)));
    for (const char* name : {"a$b", "a[b", "a{b", "a}b", "a;b", "a\"b", "a'b", "a,b", "\xc3\xa9"}) {
        const ProcessResult result = run(exported(plainProject(), name) + "/vivado/estimate.tcl");
        EXPECT_EQ(result.exitCode, 0) << name;
        EXPECT_THAT(result.output, HasSubstr(warning)) << name;
    }
}

TEST_F(VivadoTest, ScriptsEndInFoldersOfOddNames) {
    expectAllEnd(exported(controlledProject("xc7z020", "pynq-z2"), kOddFolder));
    expectAllEnd(exported(plainProject(), std::string("-") + kOddFolder));
}

TEST_F(VivadoTest, BuiltDesignsAreFound) {
    const BuiltProject built = builtProject(smallDesign("tiny", 1), "xc7z020", 100);
    ASSERT_FALSE(built.project.sources.empty());
    const std::string folder = written(built.project, built.files, "built");
    expectAllEnd(folder);
    for (const std::string& file : built.project.memories) {
        ASSERT_TRUE(std::filesystem::remove(folder + "/" + file));
        EXPECT_EQ(run(folder + "/vivado/estimate.tcl").exitCode, 1);
    }
}

TEST_F(VivadoTest, DeviceFilesAreNotRun) {
    vendor::Project project = controlledProject();
    project.device.part = "xc7z020[exit 7]\"$x\n}";
    project.device.name = "a `b`\n# c\x1b[31m";
    const std::string folder = exported(project);
    for (const char* script : {"project", "build", "estimate", "package_ip", "system"}) {
        const ProcessResult result = run(folder + "/vivado/" + script + ".tcl");
        EXPECT_EQ(result.exitCode, 1) << script;
        EXPECT_THAT(result.output, HasSubstr("no part 'xc7z020[exit 7]\"$x\\x0a}'")) << script;
        EXPECT_THAT(result.output, Not(HasSubstr("a script ends at its end"))) << script;
    }
    const std::string readme = *readText(folder + "/README.md");
    EXPECT_THAT(readme, HasSubstr("`small_net_top`, a ?b??? c??31m, clock"));
}

} // namespace
} // namespace marquetry::test
