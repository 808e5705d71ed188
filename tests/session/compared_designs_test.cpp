// Designs that are looked at beside the one at hand: of the plot, and of files.
#include "engine/session/controller.h"
#include "engine/session/file_design.h"
#include "engine/session/session_file.h"
#include "tests/session/session_harness.h"
#include "tests/support/temporary_folder.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

namespace marquetry::session {
namespace {

std::optional<design::DesignPoint> otherPoint(const Snapshot& snapshot) {
    for (const design::DesignPoint& point : snapshot.points)
        if (point.onFront && point.feasible && point.cycles != snapshot.design->cycles)
            return point;
    return std::nullopt;
}

TEST(DesignsBeside, AreThoseOfThePlotAndLeaveTheCurrentOne) {
    Harness harness;
    const auto best = harness.explored(512);
    const auto point = otherPoint(*best);
    ASSERT_TRUE(point);
    const auto asked = harness.settle(AskBeside{point});
    EXPECT_EQ(asked->design, best->design);
    EXPECT_EQ(asked->picked, std::nullopt);
    EXPECT_EQ(asked->canUndo, best->canUndo) << "looking is not doing";
    ASSERT_TRUE(asked->beside && asked->beside->design && asked->beside->ledger);
    EXPECT_FALSE(asked->beside->running);
    EXPECT_EQ(asked->beside->point.cycles, point->cycles);
    EXPECT_EQ(asked->beside->design->cycles, point->cycles);
    EXPECT_EQ(asked->beside->design->resources, point->resources);
    const auto chosen = harness.settle(ChoosePoint{*point});
    EXPECT_EQ(chosen->design->cycles, asked->beside->design->cycles);
    EXPECT_EQ(*chosen->ledger, *asked->beside->ledger);
    EXPECT_EQ(harness.settle(AskBeside{})->beside, std::nullopt);
}

TEST(DesignsBeside, EndWithTheSettingsAndAreAmongThoseFound) {
    Harness harness;
    EXPECT_FALSE(harness.run(AskBeside{design::DesignPoint{}}).accepted);
    const auto best = harness.explored(512);
    const auto point = otherPoint(*best);
    ASSERT_TRUE(point);
    design::DesignPoint unknown = *point;
    ++unknown.cycles;
    const Acknowledgement refused = harness.run(AskBeside{unknown});
    ASSERT_FALSE(refused.accepted);
    EXPECT_EQ(refused.diagnostics.front().code, "point-unknown");
    ASSERT_TRUE(harness.settle(AskBeside{point})->beside);
    EXPECT_FALSE(harness.settle(ChangeSettings{Harness::withDsp(256)})->beside);
}

using Texts = std::map<std::string, std::string>;

Texts hdlTexts(const Snapshot& snapshot) {
    Texts texts;
    if (snapshot.hdl)
        for (const HdlFile& file : *snapshot.hdl)
            texts[file.path] = file.text;
    EXPECT_FALSE(texts.empty());
    return texts;
}

/// What `patch` makes of the first text.
std::string patched(const std::string& text, const std::string& diff) {
    std::istringstream lines(text);
    std::istringstream changes(diff);
    std::string made;
    std::string line;
    std::size_t at = 1; // the line of the first text that comes next
    for (std::string change; std::getline(changes, change);) {
        if (change.starts_with("@@ -")) {
            const std::size_t begin = std::stoul(change.substr(4));
            const bool none = change.find(",0 +") != std::string::npos;
            for (; at < begin + (none ? 1 : 0) && std::getline(lines, line); ++at)
                made += line + "\n";
        } else if (change.front() == '+') {
            made += change.substr(1) + "\n";
        } else {
            std::getline(lines, line);
            ++at;
            EXPECT_EQ(line, change.substr(1));
            made += change.front() == ' ' ? line + "\n" : "";
        }
    }
    while (std::getline(lines, line))
        made += line + "\n";
    return made;
}

TEST(DesignsBeside, TheirHdlDiffersWhereItDoes) {
    Harness harness;
    const auto best = harness.explored(512);
    const auto point = otherPoint(*best);
    ASSERT_TRUE(point);
    const auto beside = harness.settle(AskBeside{point})->beside;
    ASSERT_TRUE(beside && beside->design);
    const auto program = best->program;
    const auto asked =
        harness.settle(AskHdlDifference{{best->design, program}, {beside->design, program}});
    ASSERT_TRUE(asked->hdlDifference);
    EXPECT_FALSE(asked->hdlDifference->running);
    EXPECT_EQ(asked->hdlDifference->a, best->design);
    EXPECT_EQ(asked->hdlDifference->b, beside->design);
    EXPECT_EQ(asked->design, best->design) << "looking is not doing";
    const Texts a = hdlTexts(*harness.settled());
    const Texts b = hdlTexts(*harness.settle(ChoosePoint{*point}));
    std::size_t differ = 0;
    Texts seen;
    for (const HdlFileDifference& file : asked->hdlDifference->files) {
        EXPECT_EQ(file.inA, a.contains(file.path)) << file.path;
        EXPECT_EQ(file.inB, b.contains(file.path)) << file.path;
        const std::string before = file.inA ? a.at(file.path) : "";
        EXPECT_EQ(patched(before, file.text), file.inB ? b.at(file.path) : "") << file.path;
        EXPECT_EQ(file.text.empty(), file.removed + file.added == 0) << file.path;
        differ += file.text.empty() ? 0 : 1;
        seen[file.path] = file.text;
    }
    EXPECT_GT(differ, 0U);
    Texts all = a;
    all.insert(b.begin(), b.end());
    EXPECT_EQ(seen.size(), all.size());
}

TEST(DesignsBeside, TheHdlOfADesignIsThatOfItself) {
    Harness harness;
    const auto best = harness.explored(512);
    const DesignOfProgram one{best->design, best->program};
    const auto same = harness.settle(AskHdlDifference{one, one})->hdlDifference;
    ASSERT_TRUE(same && same->problem.empty());
    EXPECT_FALSE(same->files.empty());
    for (const HdlFileDifference& file : same->files)
        EXPECT_EQ(file.text, "") << file.path;
    auto none = std::make_shared<design::Design>(*best->design);
    none->schedule.reset();
    none->notExportable = "nobody builds it";
    const auto refused =
        harness.settle(AskHdlDifference{one, {none, best->program}})->hdlDifference;
    ASSERT_TRUE(refused && !refused->problem.empty());
    EXPECT_TRUE(refused->problem.front().message.starts_with("B: "));
    EXPECT_FALSE(harness.run(AskHdlDifference{one, {best->design, nullptr}}).accepted);
    EXPECT_FALSE(harness.settle(AskHdlDifference{})->hdlDifference);
}

TEST(DesignsBeside, HdlIsComparedAgainAfterWhatInterruptsAndNotAfterAStop) {
    Harness harness;
    const auto best = harness.explored(512);
    const DesignOfProgram one{best->design, best->program};
    Controller controller({[](Ticket, const Status&) {}, [] {}});
    controller.handle(1, AskHdlDifference{one, one});
    ASSERT_EQ(controller.nextWork(), Work::Write);
    std::stop_source interrupted;
    interrupted.request_stop();
    controller.work(interrupted.get_token());
    EXPECT_TRUE(controller.snapshot(false).hdlDifference->running);
    controller.handle(2, StopRun{});
    EXPECT_EQ(controller.nextWork(), Work::None);
    EXPECT_EQ(controller.snapshot(false).hdlDifference->problem.front().code, "stopped");
    controller.handle(3, AskHdlDifference{one, one});
    ASSERT_EQ(controller.begin(), Work::Write);
    controller.recover(makeError("out-of-memory", "there was none"));
    EXPECT_EQ(controller.snapshot(false).hdlDifference->problem.front().code, "out-of-memory");
    controller.handle(4, AskHdlDifference{one, one});
    controller.giveUp();
    EXPECT_EQ(controller.nextWork(), Work::None);
    EXPECT_FALSE(controller.snapshot(false).hdlDifference);
}

class FileDesigns : public ::testing::Test {
protected:
    FileDesigns() {
        std::ofstream(folder_ / "two_layers.mq") << kTwoLayers;
        EXPECT_TRUE(harness_.run(OpenFile{folder_ / "two_layers.mq", ""}).accepted);
        EXPECT_TRUE(harness_.run(ChangeSettings{Harness::withDsp(512)}).accepted);
    }

    std::string save(const SessionFile& session) const {
        std::ofstream(folder_ / "saved.mqs") << printSession(session);
        return folder_ / "saved.mqs";
    }

    static void expectError(const Result<FileDesign>& result, const std::string& code) {
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().front().code, code);
        EXPECT_FALSE(result.error().front().hint.empty());
    }

    test::TemporaryFolder folder_;
    Harness harness_;
};

TEST_F(FileDesigns, OfASessionAreFoundAgain) {
    const auto found = harness_.settle(session::Run{});
    ASSERT_TRUE(found->design);
    SessionFile session = sessionOf(*found);
    const auto best = readFileDesign(save(session));
    ASSERT_TRUE(best) << format(best.error());
    EXPECT_EQ(best->design->cycles, found->design->cycles);
    EXPECT_EQ(*best->ledger, *found->ledger);
    ASSERT_TRUE(best->bound);
    EXPECT_EQ(std::llround(*best->bound), found->lowerBound);
    const auto chosen = harness_.settle(ChoosePoint{*otherPoint(*found)});
    const auto picked = readFileDesign(save(sessionOf(*chosen)));
    ASSERT_TRUE(picked) << format(picked.error());
    EXPECT_EQ(picked->design->cycles, chosen->design->cycles);
    EXPECT_EQ(*picked->ledger, *chosen->ledger) << "with the limits of the session";
    EXPECT_TRUE(picked->warnings.empty());
    EXPECT_EQ(picked->bound, std::nullopt) << "that of its search is not the session's";
}

TEST_F(FileDesigns, OfASessionThatIsNotItsProgramsAreNone) {
    expectError(readFileDesign(save(sessionOf(*harness_.fresh()))), "no-design");
    const SessionFile session = sessionOf(*harness_.settle(session::Run{}));
    std::ofstream(folder_ / "two_layers.mq") << kTwoLayers << "// changed\n";
    expectError(readFileDesign(save(session)), "program-changed");
    EXPECT_FALSE(readFileDesign(folder_ / "none.mqs"));
    expectError(readFileDesign(folder_ / "two_layers.mq"), "design-form");
}

TEST_F(FileDesigns, OfADesignFileAreWhatItSays) {
    const auto found = harness_.settle(session::Run{});
    const DesignChoices choices{found->settings, found->pins};
    std::ofstream(folder_ / "DESIGN.json") << designJson(*found->design, *found->program, choices);
    const auto read = readFileDesign(folder_ / "DESIGN.json");
    ASSERT_TRUE(read) << format(read.error());
    const design::Design& design = *found->design;
    ASSERT_EQ(read->design->units.size(), design.units.size());
    ASSERT_EQ(read->design->calls.size(), design.calls.size());
    for (std::size_t k = 0; k < design.units.size(); ++k) {
        EXPECT_EQ(read->design->units[k].multipliers, design.units[k].multipliers);
        EXPECT_EQ(read->design->units[k].callSites, design.units[k].callSites);
    }
    for (std::size_t k = 0; k < design.calls.size(); ++k) {
        EXPECT_EQ(read->design->calls[k].unit, design.calls[k].unit);
        EXPECT_EQ(read->design->calls[k].start, design.calls[k].start);
    }
    EXPECT_EQ(read->design->macs, design.macs);
    EXPECT_EQ(read->design->utilisation, design.utilisation);
    EXPECT_EQ(*read->ledger, *found->ledger);
}

TEST_F(FileDesigns, AreAskedForBesideTheOneAtHand) {
    const auto found = harness_.settle(session::Run{});
    const std::string saved = save(sessionOf(*found));
    const DesignChoices choices{found->settings, found->pins};
    const std::string written = folder_ / "DESIGN.json";
    std::ofstream(written) << designJson(*found->design, *found->program, choices);
    const auto chosen = harness_.settle(ChoosePoint{*otherPoint(*found)});
    std::uint64_t number = 0;
    for (const std::string& path : {saved, written, folder_.path().string()}) {
        const auto asked = harness_.settle(AskFile{path});
        ASSERT_TRUE(asked->besideFile) << path;
        EXPECT_EQ(asked->besideFile->path, path);
        EXPECT_FALSE(asked->besideFile->running);
        EXPECT_GT(asked->besideFile->number, number);
        number = asked->besideFile->number;
        ASSERT_TRUE(asked->besideFile->design) << format(asked->besideFile->problem);
        EXPECT_EQ(asked->besideFile->design->cycles, found->design->cycles);
        EXPECT_EQ(*asked->besideFile->ledger, *found->ledger);
        EXPECT_EQ(asked->besideFile->bound.has_value(), path == saved);
        EXPECT_EQ(asked->design, chosen->design) << "looking is not doing";
        EXPECT_EQ(asked->canUndo, chosen->canUndo);
    }
    EXPECT_TRUE(harness_.settle(ChangeSettings{Harness::withDsp(256)})->besideFile)
        << "a file does not change with the settings";
    EXPECT_FALSE(harness_.settle(AskFile{})->besideFile);
}

TEST_F(FileDesigns, ThatAreNoneSayWhy) {
    const auto none = harness_.settle(AskFile{folder_ / "none.json"});
    ASSERT_TRUE(none->besideFile);
    EXPECT_FALSE(none->besideFile->design);
    ASSERT_FALSE(none->besideFile->problem.empty());
    EXPECT_EQ(none->besideFile->problem.front().code, "file-missing");
    const auto program = harness_.settle(AskFile{folder_ / "two_layers.mq"});
    ASSERT_FALSE(program->besideFile->problem.empty());
    EXPECT_EQ(program->besideFile->problem.front().code, "design-form");
    EXPECT_TRUE(program->failure.empty()) << "that is an answer";
}

TEST_F(FileDesigns, AreReadAgainAfterWhatInterruptsAndNotAfterAStop) {
    const auto found = harness_.settle(session::Run{});
    const std::string saved = save(sessionOf(*found));
    Controller controller({[](Ticket, const Status&) {}, [] {}});
    controller.handle(1, AskFile{saved});
    ASSERT_EQ(controller.nextWork(), Work::Extract);
    std::stop_source interrupted;
    interrupted.request_stop();
    controller.work(interrupted.get_token());
    EXPECT_TRUE(controller.snapshot(false).besideFile->running);
    ASSERT_EQ(controller.nextWork(), Work::Extract);
    controller.work({});
    ASSERT_TRUE(controller.snapshot(false).besideFile->design);
    EXPECT_EQ(controller.snapshot(false).besideFile->design->cycles, found->design->cycles);
    controller.handle(2, AskFile{saved});
    EXPECT_TRUE(interrupts(StopRun{}, controller.nextWork()));
    controller.handle(3, StopRun{});
    EXPECT_EQ(controller.nextWork(), Work::None);
    const auto stopped = controller.snapshot(false).besideFile;
    EXPECT_FALSE(stopped->running);
    EXPECT_EQ(stopped->problem.front().code, "stopped");
}

TEST_F(FileDesigns, ThatRanOutOfMemoryAreToldOf) {
    Controller controller({[](Ticket, const Status&) {}, [] {}});
    controller.handle(1, AskFile{folder_ / "none.json"});
    ASSERT_EQ(controller.begin(), Work::Extract);
    controller.recover(makeError("out-of-memory", "there was none"));
    EXPECT_EQ(controller.nextWork(), Work::None) << "it is not tried again and again";
    EXPECT_EQ(controller.snapshot(false).besideFile->problem.front().code, "out-of-memory");
    controller.handle(2, AskFile{folder_ / "none.json"});
    controller.giveUp();
    EXPECT_EQ(controller.nextWork(), Work::None);
    EXPECT_FALSE(controller.snapshot(false).besideFile);
}

} // namespace
} // namespace marquetry::session
