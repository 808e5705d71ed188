// A disk that is full, broken, read-only or closed at any call of any command that writes.
#include "engine/support/file_system.h"
#include "tests/cli/reliability/commands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace marquetry::reliability {
namespace {

using ::testing::HasSubstr;

struct Fault {
    int cause;
    bool lasting; ///< every later call fails too
};

class Faults : public ::testing::TestWithParam<std::size_t> {
protected:
    ~Faults() override { file_system::setFault({}); }

    Workplace place_;
};

/// Each call of the writer fails in turn. In the end the target is the old or the new version,
/// beside it lies nothing else, the message says the cause, and the next run works.
TEST_P(Faults, TheTargetIsTheOldOrTheNewVersion) {
    const Writer& writer = place_.writers()[GetParam()];
    place_.put("out/mine", "mine");
    const std::string target = place_.path("out/target");
    const auto write = [&](bool other) { return place_.write(writer, target, other); };
    ASSERT_EQ(write(true).status, 0) << writer.name;
    const auto after = treeOf(target);
    ASSERT_EQ(write(false).status, 0) << writer.name;
    const auto before = treeOf(target);
    std::size_t injected = 0;
    for (const Fault fault : {Fault{ENOSPC, true}, Fault{EIO, false}, Fault{EACCES, false},
                              Fault{EMFILE, false}, Fault{EROFS, true}}) {
        int failing = 0;
        for (int calls = 1; calls >= failing; ++failing) {
            calls = 0;
            file_system::setFault([&](std::string_view) {
                const int call = calls++;
                return call == failing || (fault.lasting && call > failing) ? fault.cause : 0;
            });
            const Outcome outcome = write(true);
            file_system::setFault({});
            const bool failed = calls > failing;
            ASSERT_EQ(outcome.status, failed ? 2 : 0) << writer.name << " " << outcome.err;
            if (failed) {
                ++injected;
                EXPECT_THAT(outcome.err, HasSubstr(strerror(fault.cause))) << writer.name;
            }
            const auto now = treeOf(target);
            EXPECT_TRUE(now == before || now == after) << writer.name << " " << failing;
            EXPECT_EQ(tree(place_.path("out")).size(),
                      treeOf(target).size() + (writer.folder ? 2 : 1))
                << writer.name << " leaves something at " << failing;
        }
        ASSERT_EQ(write(false).status, 0) << writer.name;
        EXPECT_TRUE(treeOf(target) == before) << writer.name;
    }
    EXPECT_GE(injected, 20U);
    RecordProperty("injected", static_cast<int>(injected));
}

INSTANTIATE_TEST_SUITE_P(Every, Faults, ::testing::Range(std::size_t{0}, std::size_t{11}),
                         [](const auto& test) {
                             std::string name = Workplace().writers()[test.param].name;
                             std::ranges::replace(name, ' ', '_');
                             return name;
                         });

TEST(FaultsOfAll, NoWriterIsLeftOut) {
    EXPECT_EQ(Workplace().writers().size(), 11U);
}

} // namespace
} // namespace marquetry::reliability
