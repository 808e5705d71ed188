#include "app/command_echo.h"

#include <gtest/gtest.h>

namespace marquetry::test {

using app::commandLine;
using session::Snapshot;

namespace {

Snapshot opened() {
    Snapshot snapshot;
    snapshot.file = "vgg.mq";
    snapshot.settings.limits["dsp"] = 96;
    return snapshot;
}

design::Pin never(int id, const std::string& target) {
    design::Pin pin;
    pin.id = id;
    pin.kind = design::PinKind::NeverShare;
    pin.target = target;
    return pin;
}

} // namespace

TEST(CommandEcho, RunIsAnExploration) {
    EXPECT_EQ(commandLine(session::Run{}, opened()),
              "marquetry explore vgg.mq --device arria10 --limit dsp=96 --objective latency "
              "--seed 1");
}

TEST(CommandEcho, StepCountsIterations) {
    Snapshot snapshot = opened();
    snapshot.iterations.resize(4);
    EXPECT_TRUE(commandLine(session::Step{}, snapshot).ends_with(" --steps 5"));
    EXPECT_TRUE(commandLine(session::Pause{}, snapshot).ends_with(" --steps 4"));
}

TEST(CommandEcho, PinsAreThoseAfterTheCommand) {
    Snapshot snapshot = opened();
    snapshot.pins = {never(1, "Mv 64×576")};
    const std::string added = commandLine(session::AddPin{never(0, "Mv 8×8")}, snapshot);
    EXPECT_NE(added.find("--pins <(echo '"), std::string::npos) << added;
    EXPECT_NE(added.find("Mv 64×576"), std::string::npos) << added;
    EXPECT_NE(added.find("Mv 8×8"), std::string::npos) << added;
    EXPECT_EQ(commandLine(session::RemovePin{1}, snapshot).find("--pins"), std::string::npos);
    EXPECT_EQ(commandLine(session::EnablePin{1, false}, snapshot).find("--pins"),
              std::string::npos);
}

TEST(CommandEcho, QuotesNamesForAShell) {
    Snapshot snapshot = opened();
    snapshot.file = "my net's.mq";
    EXPECT_EQ(commandLine(session::OpenFile{"my net's.mq", ""}, snapshot),
              "marquetry open 'my net'\\''s.mq'");
}

TEST(CommandEcho, ExportAndVerifyNameTheFolder) {
    Snapshot snapshot = opened();
    snapshot.exportedTo = "out";
    EXPECT_TRUE(commandLine(session::Export{"out", "verilog"}, snapshot)
                    .ends_with("--target verilog --out out"));
    EXPECT_EQ(commandLine(session::Verify{}, snapshot),
              "marquetry verify out --simulator verilator --vectors 1 --seed 1");
}

} // namespace marquetry::test
