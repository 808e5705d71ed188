// What of a file can be exported: lists of files before they are written, items by name, and the
// design of a DESIGN.json that was opened.
#include "tests/session/session_harness.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/text_files.h"

#include <filesystem>
#include <fstream>

namespace marquetry::session {
namespace {

namespace fs = std::filesystem;

/// A design with a buffer, a stream of the buffer's name, and a memory.
constexpr const char* kThree = R"(
design d {
  input  x  : i8[8] = random(seed: 1);
  weight v  : i8[4, 8] = random(seed: 5);
  weight w  : i8[4, 4] = random(seed: 6);
  let s     = relu(requant(mv(v, x), shift: 6));
  output y  = mv(w, s);
}
stream s { input x : Seq 12 u8; output y = map(fn v -> add(v, 5), x); }
memory m { array a : i8[8, 8]; for i in 0 .. 8 step 2 par 2 { read a[i, 0]; write a[0, i]; } }
)";

class SessionListing : public ::testing::Test {
protected:
    SessionListing() { std::ofstream(file_) << kThree; }

    std::shared_ptr<const Snapshot> explored(Harness& harness) {
        EXPECT_TRUE(harness.run(OpenFile{file_, ""}).accepted);
        return harness.settle(session::Run{});
    }

    /// The list, and that nothing was written.
    std::shared_ptr<const ExportListing> listed(Harness& harness, const hdl::ExportForm& form,
                                                const std::string& item) {
        const auto snapshot = harness.settle(ListExport{form, item});
        EXPECT_TRUE(snapshot->listing) << item;
        EXPECT_TRUE(snapshot->exportedTo.empty());
        EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), {}), 1) << "the program";
        return snapshot->listing ? snapshot->listing : std::make_shared<const ExportListing>();
    }

    /// That an export writes what the list says.
    void expectWritten(Harness& harness, const std::string& item, const std::string& file) {
        const auto listing = listed(harness, "verilog", item);
        EXPECT_TRUE(listing->problem.empty()) << format(listing->problem);
        const test::TemporaryFolder target;
        const Acknowledgement done = harness.run(Export{target / "out", "verilog", item});
        ASSERT_TRUE(done.accepted) << format(done.diagnostics);
        EXPECT_EQ(std::ranges::count(listing->files, file, &ListedFile::path), 1) << file;
        std::size_t written = 0;
        for (const auto& entry : fs::recursive_directory_iterator(target.path() / "out"))
            written += entry.is_regular_file() ? 1 : 0;
        EXPECT_EQ(written, listing->files.size());
        for (const ListedFile& each : listing->files) {
            const auto text = test::readText((target.path() / "out" / each.path).string());
            ASSERT_TRUE(text) << each.path;
            if (each.path.starts_with("report.") || each.path == "manifest.json")
                continue;
            EXPECT_EQ(each.head, text->substr(0, ListedFile::kHeadBytes)) << each.path;
        }
        ASSERT_TRUE(harness.run(Verify{"", "iverilog", 1, 1, item}).accepted);
        const auto verified = harness.settled();
        EXPECT_TRUE(verified->verify.pass) << verified->verify.message;
        EXPECT_EQ(verified->verify.item, item);
    }

    test::TemporaryFolder folder_;
    std::string file_ = folder_ / "three.mq";
};

TEST_F(SessionListing, TheDesignIsWhatItsExportWrites) {
    Harness harness;
    explored(harness);
    expectWritten(harness, "", "rtl/d_top.v");
}

TEST_F(SessionListing, AStreamBesideADesignIsExportedByItsName) {
    Harness harness;
    const auto before = explored(harness);
    EXPECT_FALSE(before->exportedStream()) << "the design is at hand";
    ASSERT_TRUE(before->exportedStream("s"));
    expectWritten(harness, "s", "rtl/s_top.v");
}

TEST_F(SessionListing, AMemoryBesideADesignIsExportedByItsName) {
    Harness harness;
    explored(harness);
    harness.settle(ShowMemory{"m"});
    expectWritten(harness, "m", "rtl/m.v");
}

/// It is not the stream that the file names so.
TEST_F(SessionListing, ABufferHasANameOfItsOwn) {
    Harness harness;
    const auto snapshot = explored(harness);
    const auto buffer = std::ranges::find_if(snapshot->memories,
                                             [](const MemoryItem& item) { return item.buffer; });
    ASSERT_NE(buffer, snapshot->memories.end());
    for (const MemoryItem& item : snapshot->memories)
        EXPECT_NE(item.program->name, "s");
    const std::string name = buffer->program->name;
    harness.settle(ShowMemory{name});
    const auto listing = listed(harness, "verilog", name);
    EXPECT_FALSE(listing->files.empty()) << format(listing->problem);
    EXPECT_EQ(listing->item, name);
}

TEST_F(SessionListing, AFormThatDoesNotFitIsSaidInTheList) {
    Harness harness;
    explored(harness);
    harness.settle(ShowMemory{"m"});
    hdl::ExportForm axi("verilog");
    axi.interface = hdl::ExportInterface::Axi;
    hdl::ExportForm odd = axi;
    odd.streamBits = 24;
    const auto refused = [&](const hdl::ExportForm& form, const char* item, const char* code) {
        const auto listing = listed(harness, form, item);
        EXPECT_TRUE(hasCode(listing->problem, code)) << item << format(listing->problem);
        EXPECT_TRUE(listing->files.empty());
        EXPECT_EQ(listing->options, hdl::optionsOf(form));
    };
    refused("paper", "", "unknown-target");
    refused("vivado", "", "target-device");
    refused(odd, "", "stream-width");
    refused(odd, "s", "stream-width");
    refused("open", "s", "target-device");
    refused(axi, "m", "interface-form");
    EXPECT_FALSE(harness.settle(ListExport{})->listing) << "the question was dropped";
}

TEST_F(SessionListing, WhatIsNotThereIsRefused) {
    Harness harness;
    const auto code = [&](const std::string& item) {
        const Acknowledgement done = harness.run(ListExport{"verilog", item});
        EXPECT_FALSE(done.accepted) << item;
        return done.diagnostics.empty() ? "" : done.diagnostics[0].code;
    };
    EXPECT_EQ(code(""), "no-program");
    ASSERT_TRUE(harness
                    .run(OpenText{kThree + std::string("stream late { input x : Seq 8 u8; "
                                                       "output y = shift(1, x); }"),
                                  "three.mq"})
                    .accepted);
    harness.settled();
    EXPECT_EQ(code(""), "no-design");
    EXPECT_EQ(code("nothing"), "memory-unknown");
    EXPECT_EQ(code("late"), "stream-unscheduled");
    EXPECT_EQ(code("three.json"), "memory-unknown");
    ASSERT_TRUE(harness.run(ShowStream{"late"}).accepted);
    EXPECT_TRUE(harness.run(ListExport{"verilog", "late"}).accepted) << "it is being scheduled";
    EXPECT_TRUE(harness.settled()->listing);
}

// ---- the design of a file ----

class SessionHeldDesign : public SessionListing {
protected:
    /// Of a design that no search for the best finds.
    void SetUp() override {
        Harness harness;
        ASSERT_TRUE(harness.run(ChangeSettings{Harness::withDsp(512)}).accepted);
        ASSERT_TRUE(harness.run(OpenText{kTwoLayers, "two_layers.mq"}).accepted);
        const auto best = harness.settle(session::Run{});
        EXPECT_EQ(best->foundBy, FoundBy::Search);
        const auto other =
            std::ranges::find_if(best->points, [&](const design::DesignPoint& point) {
                return point.feasible && point.resources.dsp < best->design->resources.dsp;
            });
        ASSERT_NE(other, best->points.end());
        const auto chosen = harness.settle(ChoosePoint{*other});
        EXPECT_EQ(chosen->foundBy, FoundBy::Choice);
        ASSERT_TRUE(chosen->design);
        cycles_ = chosen->design->cycles;
        ASSERT_TRUE(harness.run(Export{first_.string(), "verilog"}).accepted);
        EXPECT_EQ(exportLines(*harness.settled()).size(), 0U) << "no command line finds it";
    }

    static std::vector<std::string> exportLines(const Snapshot& snapshot) {
        std::vector<std::string> lines;
        for (const LogLine& line : snapshot.log)
            if (line.text.starts_with("$ marquetry export"))
                lines.push_back(line.text);
        return lines;
    }

    void expectSame(const std::string& one, const std::string& other) {
        for (const auto& entry : fs::recursive_directory_iterator(one)) {
            const std::string path = fs::relative(entry.path(), one).string();
            if (!entry.is_regular_file() || path.starts_with("report.") || path == "manifest.json")
                continue;
            const auto left = test::readText(entry.path().string());
            const auto right = test::readText(other + "/" + path);
            ASSERT_TRUE(left && right) << path;
            EXPECT_TRUE(*left == *right) << path;
        }
    }

    test::TemporaryFolder place_;
    fs::path first_ = place_.path() / "first";
    std::int64_t cycles_ = 0;
};

TEST_F(SessionHeldDesign, IsExportedAsItIs) {
    const std::string design = (first_ / "DESIGN.json").string();
    Harness harness;
    const auto opened = harness.settle(OpenFile{design, ""});
    ASSERT_TRUE(opened->held);
    EXPECT_TRUE(opened->heldAtHand);
    EXPECT_TRUE(opened->held->problem.empty()) << format(opened->held->problem);
    EXPECT_EQ(opened->held->cycles, cycles_);
    EXPECT_TRUE(opened->hdl) << "its hardware is at hand before any search";
    EXPECT_FALSE(opened->design);
    const std::string again = place_ / "again";
    ASSERT_TRUE(harness.run(Export{again, "verilog"}).accepted);
    expectSame(first_.string(), again);
    const auto exported = harness.settled();
    ASSERT_EQ(exportLines(*exported).size(), 1U);
    EXPECT_EQ(exportLines(*exported)[0],
              "$ marquetry export " + design + " --target verilog --out " + again);

    const auto searched = harness.settle(session::Run{});
    ASSERT_TRUE(searched->design);
    EXPECT_FALSE(searched->heldAtHand) << "the search's is";
    const std::string named = place_ / "named";
    ASSERT_TRUE(harness.run(Export{named, "verilog", design}).accepted);
    expectSame(first_.string(), named);
    ASSERT_TRUE(harness.run(Verify{"", "iverilog", 1, 1, design}).accepted);
    EXPECT_EQ(harness.settled()->verify.predictedCycles, cycles_);
    EXPECT_FALSE(harness.settle(OpenText{kTwoLayers, "two_layers.mq"})->held) << "another file";
}

TEST_F(SessionHeldDesign, IsNotExportedOfAProgramThatHasChanged) {
    fs::path program;
    for (const auto& entry : fs::directory_iterator(first_ / "program"))
        program = entry.path();
    std::string text = kTwoLayers;
    text.replace(text.find("seed: 2"), 7, "seed: 9");
    ASSERT_TRUE(test::writeText(program.string(), text));
    Harness harness;
    const auto opened = harness.settle(OpenFile{(first_ / "DESIGN.json").string(), ""});
    ASSERT_TRUE(opened->held);
    EXPECT_TRUE(hasCode(opened->held->problem, "design-stale")) << format(opened->held->problem);
    EXPECT_FALSE(opened->hdl);
    EXPECT_TRUE(
        hasCode(harness.run(Export{place_ / "again", "verilog"}).diagnostics, "design-stale"));
    EXPECT_FALSE(fs::exists(place_.path() / "again"));
}

} // namespace
} // namespace marquetry::session
