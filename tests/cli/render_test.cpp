// --render: every view that a user can open is drawn without a display, and what it shows is what
// the other commands say.
#include "tests/cli/cli_fixture.h"

#ifdef MARQUETRY_HAS_WINDOW

#include <set>

namespace marquetry::cli_test {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class Render : public Cli {
protected:
    static std::string design() { return example("running_example") + " --device xc7z020"; }
    static std::string stream() {
        return test::sourceFolder() +
               "/examples/streams/conv/conv.mq --item conv_4x4 --throughput 1";
    }
    static std::string memory() {
        return test::sourceFolder() + "/examples/memories/memories.mq --item sobel";
    }

    /// The bytes of what is drawn.
    std::string drawn(const std::string& command, const std::string& view,
                      const std::string& file) const {
        const std::string out = path(file);
        const Outcome outcome = run(command + " --render " + view + " --out " + out);
        EXPECT_EQ(outcome.status, 0) << command << " " << view << "\n" << outcome.err;
        EXPECT_EQ(outcome.out, "wrote " + out + "\n") << view;
        return contents(out);
    }
    /// A picture of either form; what stands in the one of lines.
    std::string pictures(const std::string& command, const std::string& view) const {
        const std::string png = drawn(command, view, view + ".png");
        EXPECT_THAT(png, StartsWith("\x89PNG")) << view;
        EXPECT_GT(png.size(), 2000U) << view << " is as good as empty";
        const std::string svg = drawn(command, view, view + ".svg");
        EXPECT_THAT(svg, AllOf(HasSubstr("<svg"), HasSubstr("<text"))) << view;
        return svg;
    }
    std::string text(const std::string& command, const std::string& view) const {
        const std::string first = drawn(command, view, view + ".txt");
        EXPECT_THAT(first, StartsWith("Marquetry, " + view + ":\n"));
        return drawn(command, view, view + ".txt"); // it is ours to be written again
    }
    Json answer(const std::string& command) const {
        return Json::parse(run(command + " --json").out);
    }
    void refuses(const std::string& command, const std::string& code, const std::string& hint) {
        const Outcome outcome = run(command + " --out " + path("refused.png"));
        EXPECT_EQ(outcome.status, 2) << command;
        EXPECT_THAT(outcome.err, AllOf(HasSubstr("[" + code + "]"), HasSubstr(hint))) << command;
        EXPECT_FALSE(fs::exists(path("refused.png"))) << command;
    }
    /// The Verilog files of an export.
    std::set<std::string> modulesOf(const std::string& command) const {
        EXPECT_EQ(run("export " + command + " --out " + path("exported")).status, 0) << command;
        std::set<std::string> names;
        for (const auto& file : fs::directory_iterator(path("exported") + "/rtl"))
            if (file.path().extension() == ".v")
                names.insert("rtl/" + file.path().filename().string());
        return names;
    }
};

TEST_F(Render, DrawsEveryViewOfADesign) {
    for (const char* const view : {"egraph", "sharing", "ledger", "schedule", "pareto", "rules",
                                   "inspector", "memories", "program", "progress", "pins", "log"})
        pictures("explore " + design(), view);
    EXPECT_THAT(pictures("explore " + design(), "hdl"), HasSubstr("aclk"));
}

TEST_F(Render, DrawsTheWholeWindow) {
    const std::string svg = pictures("explore " + design(), "window");
    for (const char* const tab : {"Ledger", "Schedule", "Sharing", "Memories", "HDL", "Pareto"})
        EXPECT_THAT(svg, HasSubstr(std::string(">") + tab + "<")) << tab;
    refuses("explore " + design() + " --render window --show nothing", "view-subject", "ledger");
}

TEST_F(Render, SaysOfADesignWhatTheOtherCommandsSay) {
    const std::string explore = "explore " + design();
    const Json found = answer(explore)["design"];
    const std::string unit = found["calls"][0]["unit"];
    EXPECT_THAT(text(explore, "program"), HasSubstr(contents(example("running_example"))));
    EXPECT_THAT(text(explore, "inspector"), HasSubstr("unit " + unit));
    EXPECT_THAT(text(explore + " --show R-TILE-MV", "inspector"), HasSubstr("R-TILE-MV"));
    const std::string layer = found["calls"][0]["layer"];
    EXPECT_THAT(text(explore + " --show " + layer, "inspector"), HasSubstr(layer));
    EXPECT_THAT(text(explore, "log"), HasSubstr("$ marquetry explore"));
    const std::string hdl = text(explore, "hdl");
    for (const std::string& file : modulesOf(design()))
        EXPECT_THAT(hdl, HasSubstr(file));
    EXPECT_THAT(text(explore + " --without sharing", "rules"), HasSubstr("[ ] sharing"));
    const std::string pins = R"( --pins '{"pins": [{"kind": "never-share", "target": ")" +
                             unit.substr(0, unit.find(" #")) + "\"}]}'";
    EXPECT_THAT(text(explore + pins, "pins"), HasSubstr("never"));
}

TEST_F(Render, DrawsEveryViewOfAStream) {
    const std::string schedule = "schedule " + stream();
    for (const char* const view :
         {"egraph", "streams", "circuit", "memories", "hdl", "program", "log", "window"})
        pictures(schedule, view);
    const Json answered = answer(schedule);
    const std::string shown = text(schedule, "streams");
    EXPECT_THAT(shown, HasSubstr(answered["output_type"].get<std::string>()));
    const std::string pins = " --output-type '" + answered["output_type"].get<std::string>() + "'";
    EXPECT_THAT(drawn(schedule + pins, "circuit", "pinned.svg"), HasSubstr("<svg"));
    const std::string hdl = text(schedule, "hdl");
    for (const std::string& file : modulesOf(stream()))
        EXPECT_THAT(hdl, HasSubstr(file));
    refuses(schedule + " --render streams --show %999", "view-subject", "there are: ");
    const std::string file = test::sourceFolder() + "/examples/streams/conv/conv.mq";
    refuses("schedule " + file + " --throughput much --render streams", "bad-throughput", "1/3");
    const Outcome none =
        run("schedule " + file + " --throughput 99/98 --render streams --out " + path("none.png"));
    EXPECT_EQ(none.status, 1) << "there is no such circuit";
    EXPECT_FALSE(fs::exists(path("none.png")));
}

TEST_F(Render, DrawsEveryViewOfAMemory) {
    const std::string bank = "bank " + memory();
    for (const char* const view : {"memories", "hdl", "program", "log", "window"})
        pictures(bank, view);
    EXPECT_THAT(text(bank, "memories"),
                HasSubstr("N=" + std::to_string(answer(bank)["banks"].get<int>()) + " "));
    // A picture of the banks with other numbers is another picture.
    EXPECT_NE(drawn(bank + " --banks 16", "memories", "more.svg"),
              drawn(bank, "memories", "fewer.svg"));
}

TEST_F(Render, NamesTheViewsThatThereAre) {
    refuses("explore " + design() + " --render nonsense", "view-unknown", "sharing, ledger");
    refuses("explore " + design() + " --render streams", "view-kind", "sharing, ledger");
    refuses("schedule " + stream() + " --render sharing", "view-kind", "streams, circuit");
    refuses("bank " + memory() + " --render pareto", "view-kind", "memories, hdl");
    refuses("explore " + design() + " --render hdl --show no_module", "view-subject", "rtl/");
    refuses("explore " + design() + " --render inspector --show no_unit", "view-subject", "R-");
    const Outcome outcome = run("explore " + design() + " --render hdl --out " + path("table.csv"));
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("[picture-form]"), HasSubstr(".svg")));
    EXPECT_FALSE(fs::exists(path("table.csv")));
}

TEST_F(Render, DrawsNothingWithoutADesign) {
    for (const char* const view : {"sharing", "hdl", "inspector", "window"}) {
        const Outcome outcome = run("explore " + design() + " --limit dsp=0,lut=1 --render " +
                                    view + " --out " + path("none.png"));
        EXPECT_EQ(outcome.status, 1) << view;
        EXPECT_THAT(outcome.err, HasSubstr("error")) << view;
        EXPECT_FALSE(fs::exists(path("none.png"))) << view;
    }
    write("foreign.txt", "somebody's");
    EXPECT_EQ(run("bank " + memory() + " --render hdl --out " + path("foreign.txt")).status, 2);
    EXPECT_EQ(contents(path("foreign.txt")), "somebody's");
}

} // namespace marquetry::cli_test

#endif
