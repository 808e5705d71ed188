// Session files are opened: everything is as it was, whatever became of the program meanwhile.
#include "engine/session/session_file.h"
#include "tests/session/session_harness.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/text_files.h"

#include <gmock/gmock.h>

namespace marquetry::session {
namespace {

namespace fs = std::filesystem;

const char* const kItems = R"(memory cross {
  array a : i32[8, 8];
  for i in 0 .. 6, j in 0 .. 6 { read a[i+1, j], a[i, j+1], a[i+1, j+2], a[i+2, j+1]; }
}
memory row {
  array b : i32[16];
  for i in 0 .. 12 { read b[i], b[i+1], b[i+2]; }
}
stream triple {
  input x  : Seq 12 u8;
  output y = map(fn v -> add(v, 3), x);
}
)";

banking::SchemePins fourBanks() {
    banking::SchemePins pins;
    pins.banks = 4;
    return pins;
}

class SessionOpening : public ::testing::Test {
protected:
    std::string write(const std::string& name, const std::string& text) {
        EXPECT_TRUE(test::writeText(folder_ / name, text));
        return folder_ / name;
    }

    /// As the file would be read.
    static OpenSession open(const SessionFile& session,
                            SessionProgram program = SessionProgram::Same,
                            const std::string& path = {}) {
        const auto read = parseSession(printSession(session), "one.mqs");
        EXPECT_TRUE(read) << format(read.error());
        return {path, std::make_shared<const SessionFile>(*read), program};
    }

    /// The session of two layers with pins, explored.
    SessionFile explored(Harness& harness) {
        EXPECT_TRUE(harness.run(OpenFile{write("a.mq", kTwoLayers), ""}).accepted);
        harness.settle(ChangeSettings{Harness::withDsp(512)});
        before_ = harness.settle(session::Run{});
        for (const design::DesignUnit& unit : before_->design->units)
            if (unit.shared)
                harness.settle(
                    AddPin{{0, design::PinKind::NeverShare, toString(unit.shape), "", true}});
        const auto pinned = harness.fresh();
        EXPECT_FALSE(pinned->pins.empty());
        harness.settle(AddPin{{0, design::PinKind::Share, pinned->pins[0].target, "", true}});
        before_ = harness.settle(EnablePin{harness.fresh()->pins.back().id, false});
        return sessionOf(*before_);
    }

    test::TemporaryFolder folder_;
    std::shared_ptr<const Snapshot> before_;
};

TEST_F(SessionOpening, BringsEverythingBackAndSearchesAgain) {
    Harness first;
    const SessionFile session = explored(first);
    EXPECT_TRUE(session.searched);
    Harness second;
    const auto after = second.settle(open(session));
    EXPECT_EQ(after->phase, Phase::Ready);
    EXPECT_EQ(text(*after), text(*before_));
    EXPECT_EQ(after->settings, before_->settings);
    EXPECT_FALSE(after->canUndo) << "it begins here";
    EXPECT_EQ(sessionOf(*after), session);
    EXPECT_TRUE(after->diagnostics.empty());
}

TEST_F(SessionOpening, WhatWasNotSearchedIsNotSearched) {
    Harness harness;
    SessionFile session = explored(harness);
    session.searched = false;
    Harness second;
    EXPECT_EQ(second.settle(open(session))->phase, Phase::Loaded);
}

TEST_F(SessionOpening, IsUndoneByNothingAndReplacesWhatWasOpen) {
    Harness harness;
    const SessionFile session = explored(harness);
    harness.settle(OpenText{kItems, "items.mq"});
    harness.settle(PinBanks{"row", fourBanks()});
    const auto after = harness.settle(open(session));
    EXPECT_EQ(sessionOf(*after), session);
    EXPECT_FALSE(harness.run(Undo{}).accepted);
}

TEST_F(SessionOpening, OfAProgramThatChangedAsksWhichIsMeant) {
    Harness first;
    const SessionFile session = explored(first);
    const std::string changed = std::string(kTwoLayers) + "// changed\n";
    write("a.mq", changed);
    Harness second;
    second.settle(OpenText{kItems, "items.mq"});
    const Acknowledgement refused = second.run(open(session));
    EXPECT_TRUE(hasCode(refused.diagnostics, "program-changed"));
    const auto untouched = second.settled();
    EXPECT_EQ(untouched->file, "items.mq") << "nothing is opened meanwhile";
    EXPECT_EQ(untouched->settings, Settings());
    const auto held = second.settle(open(session, SessionProgram::Held));
    EXPECT_EQ(*held->source, kTwoLayers);
    EXPECT_EQ(text(*held), text(*before_));
    const auto file = second.settle(open(session, SessionProgram::File));
    EXPECT_EQ(*file->source, changed);
    EXPECT_EQ(file->pins.size(), before_->pins.size());
    EXPECT_EQ(sessionOf(*file).program, session.program);
}

TEST_F(SessionOpening, OfAProgramThatIsGoneTakesItsText) {
    Harness first;
    const SessionFile session = explored(first);
    fs::remove(session.program);
    Harness second;
    const auto after = second.settle(open(session));
    EXPECT_EQ(text(*after), text(*before_));
    EXPECT_TRUE(hasCode(after->diagnostics, "program-gone")) << format(after->diagnostics);
    EXPECT_EQ(sessionOf(*after), session) << "and is the same session still";
}

TEST_F(SessionOpening, FindsAProgramThatMovedWithIt) {
    Harness first;
    const SessionFile session = explored(first);
    fs::create_directory(folder_ / "elsewhere");
    fs::rename(session.program, folder_ / "elsewhere/a.mq");
    Harness second;
    const auto after =
        second.settle(open(session, SessionProgram::Same, folder_ / "elsewhere/one.mqs"));
    EXPECT_EQ(after->file, folder_ / "elsewhere/a.mq");
    EXPECT_TRUE(after->diagnostics.empty());
}

TEST_F(SessionOpening, OfANetworkThatIsGoneIsRefused) {
    SessionFile session;
    session.program = folder_ / "gone.onnx";
    session.text = HeldText(std::string(kTwoLayers));
    Harness harness;
    harness.settle(OpenText{kItems, "items.mq"});
    EXPECT_TRUE(hasCode(harness.run(open(session)).diagnostics, "file-missing"));
    EXPECT_TRUE(hasCode(harness.run(open(session, SessionProgram::Held)).diagnostics, "not-held"));
    EXPECT_EQ(harness.settled()->file, "items.mq");
}

TEST_F(SessionOpening, OfAProgramWithMistakesShowsThem) {
    SessionFile session;
    session.program = write("broken.mq", "design d {");
    session.text = HeldText(std::string("design d {"));
    session.pins = {{1, design::PinKind::Share, "Mv 2×2", "", true}};
    session.banks["row"].pins = fourBanks();
    session.streams["triple"].clocks = 6;
    Harness harness;
    EXPECT_TRUE(harness.run(open(session)).accepted);
    const auto after = harness.settled();
    EXPECT_EQ(after->phase, Phase::Invalid);
    EXPECT_FALSE(after->diagnostics.empty());
    EXPECT_FALSE(hasCode(after->diagnostics, "choice-gone")) << format(after->diagnostics);
    EXPECT_EQ(sessionOf(*after, session), session) << "what was decided stays";
    write("broken.mq", kItems);
    const auto mended = sessionOf(*harness.settle(OpenFile{session.program, ""}), session);
    EXPECT_EQ(mended.banks, session.banks) << "and is there when the mistakes are gone";
    EXPECT_EQ(mended.streams, session.streams);
}

TEST_F(SessionOpening, AStreamThatIsAnotherThanBeforeTakesNoChoice) {
    SessionFile session;
    session.program = write("broken.mq", "stream triple {");
    session.text = HeldText(std::string("stream triple {"));
    session.streams["triple"].circuits[12].outputType = "TSeq 7";
    Harness harness;
    EXPECT_TRUE(harness.run(open(session)).accepted);
    write("broken.mq", kItems);
    const auto mended = harness.settle(OpenFile{session.program, ""});
    EXPECT_EQ(mended->streams.at(0).choice, StreamChoice());
}

TEST_F(SessionOpening, KeepsTheTextOfAProgramThatGoesAway) {
    Harness harness;
    const SessionFile session = explored(harness);
    fs::remove(session.program);
    EXPECT_FALSE(harness.run(OpenFile{session.program, ""}).accepted);
    const SessionFile after = sessionOf(*harness.settled(), session);
    EXPECT_EQ(*after.text, *session.text);
    EXPECT_EQ(after.pins, session.pins);
}

TEST_F(SessionOpening, BringsBanksAndStreamsBack) {
    Harness first;
    ASSERT_TRUE(first.run(OpenFile{write("items.mq", kItems), ""}).accepted);
    first.settle(PinBanks{"row", fourBanks()});
    const auto planned = first.settle(ShowMemory{"cross"});
    const auto& front = planned->memories.at(0).plan->front;
    const banking::Scheme& last = front.back().scheme;
    first.settle(ChooseBanks{"cross", {last.maps, last.copies}});
    first.settle(SetThroughput{"triple", {1, 2}});
    const SessionFile session = sessionOf(*first.settled());
    EXPECT_EQ(session.banks.size(), 2U);
    EXPECT_EQ(session.streams.size(), 1U);
    EXPECT_EQ(session.memory, "cross");
    Harness second;
    const auto after = second.settle(open(session));
    EXPECT_EQ(sessionOf(*after), session);
    EXPECT_EQ(after->memories.at(0).chosen, front.size() - 1);
    EXPECT_TRUE(after->diagnostics.empty()) << format(after->diagnostics);
}

TEST_F(SessionOpening, ChoicesOfWhatIsGoneAreToldAndLeftOut) {
    SessionFile session;
    session.program = write("items.mq", kItems);
    session.text = HeldText(std::string(kItems));
    session.banks["row"].pins.alpha = {1, 2}; // of two dimensions
    session.banks["cross"].pins.banks = 5;
    session.streams["quadruple"].clocks = 4;
    session.streams["triple"].circuits[12].outputType = "TSeq 7";
    session.memory = "column";
    Harness harness;
    const auto after = harness.settle(open(session));
    const SessionFile left = sessionOf(*after);
    EXPECT_THAT(left.banks, testing::ElementsAre(testing::Key("cross")));
    EXPECT_THAT(left.streams, testing::IsEmpty());
    std::string told;
    for (const Diagnostic& warning : after->diagnostics)
        told += format(warning);
    for (const char* const gone : {"'row'", "'quadruple'", "'triple'"})
        EXPECT_NE(told.find(gone), std::string::npos) << told;
}

/// A buffer comes with a design: until then nobody knows whether it fits.
TEST_F(SessionOpening, ChoicesOfBuffersWaitForTheDesign) {
    Harness first;
    const SessionFile explored = this->explored(first);
    const auto buffers = first.settled();
    ASSERT_FALSE(buffers->memories.empty());
    const std::string name = buffers->memories.front().program->name;
    SessionFile session = explored;
    session.banks[name].pins.banks = 64;
    session.searched = false;
    Harness second;
    const auto loaded = second.settle(open(session));
    EXPECT_TRUE(sessionOf(*loaded).banks.empty()) << "there is no buffer yet";
    EXPECT_EQ(sessionOf(*loaded, session).banks, session.banks) << "but the choice is remembered";
    const auto after = second.settle(session::Run{});
    EXPECT_EQ(sessionOf(*after, session).banks, session.banks);
    EXPECT_EQ(after->memories.front().choice.pins.banks, 64);
    session.banks[name].pins = {};
    session.banks[name].pins.alpha = {1};
    Harness third;
    third.settle(open(session));
    EXPECT_EQ(third.settle(session::Run{})->memories.front().choice, BankChoice())
        << "an array of other dimensions takes no choice";
}

TEST_F(SessionOpening, OnADeviceThatIsGoneTakesTheUsualOne) {
    Harness first;
    SessionFile session = explored(first);
    session.settings.device = folder_ / "gone.json";
    Harness second;
    const auto after = second.settle(open(session));
    EXPECT_EQ(after->settings.device, Settings().device);
    EXPECT_TRUE(hasCode(after->diagnostics, "device-gone")) << format(after->diagnostics);
    session.settings.device = "arria10";
    session.settings.limits["fun"] = 1;
    EXPECT_TRUE(hasCode(second.run(open(session)).diagnostics, "limit-unknown"));
    EXPECT_EQ(second.settled()->settings, after->settings) << "nothing is changed";
}

TEST_F(SessionOpening, IsWrittenIntoTheLogAsACommandLine) {
    Harness first;
    const SessionFile session = explored(first);
    Harness second;
    const auto after =
        second.settle(open(session, SessionProgram::Same, "/sessions/my session.mqs"));
    std::string commands;
    for (const LogLine& line : after->log)
        if (line.kind == LineKind::Command)
            commands += line.text + "\n";
    EXPECT_NE(commands.find("marquetry open '/sessions/my session.mqs'"), std::string::npos)
        << commands;
}

} // namespace
} // namespace marquetry::session
