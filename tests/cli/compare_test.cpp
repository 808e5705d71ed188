// compare: two designs side by side, against what the other commands print of each.
#include "tests/cli/cli_fixture.h"

#include <filesystem>
#include <map>

namespace marquetry::cli_test {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class CompareCommand : public Cli {
protected:
    /// The design that the options find, as the other commands print it and as a file.
    struct Found {
        std::string file;
        Json design;
        Json ledger;
    };

    Found found(const std::string& name, const std::string& options) const {
        const std::string asked = example("lenet5") + " " + options;
        Found made;
        made.file = path(name);
        made.design =
            Json::parse(run("explore " + asked + " --json --out " + made.file).out)["design"];
        made.ledger = Json::parse(run("ledger " + asked + " --json").out);
        return made;
    }

    static std::vector<std::string> linesOf(const std::string& text) {
        std::vector<std::string> lines;
        std::istringstream in(text);
        for (std::string line; std::getline(in, line);)
            lines.push_back(line);
        return lines;
    }

    static void expectNumber(const Json& number, double a, double b, const std::string& what) {
        EXPECT_DOUBLE_EQ(number["a"].get<double>(), a) << what;
        EXPECT_DOUBLE_EQ(number["b"].get<double>(), b) << what;
        EXPECT_DOUBLE_EQ(number["difference"].get<double>(), b - a) << what;
        if (a == 0)
            EXPECT_TRUE(number["ratio"].is_null()) << what;
        else
            EXPECT_DOUBLE_EQ(number["ratio"].get<double>(), b / a) << what;
    }

    static std::map<std::string, std::int64_t> cyclesByRow(const Json& ledger) {
        std::map<std::string, std::int64_t> cycles;
        for (const Json& row : ledger["layers"]) {
            const std::string what = row["what"];
            const bool transfer = what == "load" || what == "store";
            cycles[row["name"].get<std::string>() + (transfer ? " " + what : "")] =
                row["clocks"]["cycles"];
        }
        return cycles;
    }
};

TEST_F(CompareCommand, FiguresAreThoseOfTheDesigns) {
    const Found a = found("a.json", "--device xc7z020 --limit dsp=64");
    const Found b = found("b.json", "--device xc7z020 --limit dsp=16");
    const Outcome outcome = run("compare " + a.file + " " + b.file + " --json");
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const Json report = Json::parse(outcome.out);
    EXPECT_EQ(report["schema"], 1);
    EXPECT_EQ(report["program"], "lenet5");
    std::map<std::string, Json> figures;
    for (const Json& figure : report["figures"])
        figures[figure["key"]] = figure;
    for (const char* const key : {"cycles", "frames", "cycles_per_frame", "clock_mhz", "gops"})
        expectNumber(figures.at(key), a.design[key], b.design[key], key);
    for (const char* const key : {"dsp", "bram", "lut", "ff"})
        expectNumber(figures.at(key), a.design["resources"][key], b.design["resources"][key], key);
    expectNumber(figures.at("utilisation_percent"), 100 * a.design["utilisation"].get<double>(),
                 100 * b.design["utilisation"].get<double>(), "utilisation");
    for (const char* const key : {"waiting", "transfer"})
        expectNumber(figures.at(key), a.ledger["total"][key], b.ledger["total"][key], key);
    expectNumber(figures.at("units"), static_cast<double>(a.design["units"].size()),
                 static_cast<double>(b.design["units"].size()), "units");
    EXPECT_EQ(figures.at("cycles")["better"], "A");
    EXPECT_EQ(figures.at("dsp")["better"], "B");
}

TEST_F(CompareCommand, LayersAndUnitsAreThoseOfTheLedgers) {
    const Found a = found("a.json", "--device xc7z020 --limit dsp=64");
    const Found b = found("b.json", "--device xc7z020 --limit dsp=16");
    const Json report = Json::parse(run("compare " + a.file + " " + b.file + " --json").out);
    std::map<std::string, std::int64_t> ofA;
    std::map<std::string, std::int64_t> ofB;
    for (const Json& row : report["layers"]) {
        const std::string what = row["what"];
        const bool transfer = what == "load" || what == "store";
        const std::string name = row["name"].get<std::string>() + (transfer ? " " + what : "");
        if (!row["a"].is_null())
            ofA[name] = row["a"]["cycles"];
        if (!row["b"].is_null())
            ofB[name] = row["b"]["cycles"];
    }
    EXPECT_EQ(ofA, cyclesByRow(a.ledger));
    EXPECT_EQ(ofB, cyclesByRow(b.ledger));
    std::size_t unitsOfA = 0;
    std::size_t unitsOfB = 0;
    for (const Json& unit : report["units"]) {
        unitsOfA += unit["a"].is_null() ? 0 : 1;
        unitsOfB += unit["b"].is_null() ? 0 : 1;
    }
    EXPECT_EQ(unitsOfA, a.design["units"].size());
    EXPECT_EQ(unitsOfB, b.design["units"].size());
}

TEST_F(CompareCommand, WeightsAndBuffersAreThoseOfTheDesigns) {
    const Found a = found("a.json", "--device xc7z020 --limit dsp=64");
    const Found b = found("b.json", "--device xc7z020 --limit dsp=64,bram=8");
    const Json report = Json::parse(run("compare " + a.file + " " + b.file + " --json").out);
    const auto externalOf = [](const Json& ledger) {
        std::map<std::string, bool> external;
        for (const Json& row : ledger["layers"])
            if (!row["weights"].is_null())
                external[row["name"]] = row["weights"]["external"];
        return external;
    };
    std::map<std::string, bool> ofA;
    std::map<std::string, bool> ofB;
    double shares = 0;
    for (const Json& row : report["layers"]) {
        if (!row["a"].is_null() && !row["a"]["external_weights"].is_null())
            ofA[row["name"]] = row["a"]["external_weights"];
        if (!row["b"].is_null() && !row["b"]["external_weights"].is_null())
            ofB[row["name"]] = row["b"]["external_weights"];
        shares += row["a"].is_null() ? 0 : row["a"]["share_percent"].get<double>();
    }
    EXPECT_EQ(ofA, externalOf(a.ledger));
    EXPECT_EQ(ofB, externalOf(b.ledger));
    EXPECT_NEAR(shares, 100, 1e-9);
    const auto bitsOf = [](const Json& buffers) {
        std::multimap<std::string, std::int64_t> bits;
        for (const Json& buffer : buffers)
            bits.emplace(buffer["name"],
                         buffer["words"].get<std::int64_t>() * buffer["width"].get<std::int64_t>());
        return bits;
    };
    for (const auto& [side, design] : {std::pair("a", &a.design), std::pair("b", &b.design)}) {
        std::multimap<std::string, std::int64_t> bits;
        for (const Json& buffer : report["buffers"])
            if (!buffer[side].is_null())
                bits.emplace(buffer["name"], buffer[side]["bits"].get<std::int64_t>());
        EXPECT_EQ(bits, bitsOf((*design)["buffers"])) << side;
    }
}

TEST_F(CompareCommand, PrintsTextAndCsv) {
    const Found a = found("a.json", "--device xc7z020 --limit dsp=64");
    const Found b = found("b.json", "--device zu3eg --limit dsp=16");
    const std::string asked = "compare " + a.file + " " + b.file;
    const Outcome text = run(asked);
    EXPECT_EQ(text.status, 0) << text.err;
    EXPECT_THAT(text.out, StartsWith("comparison of two designs of lenet5\nA: "));
    EXPECT_THAT(text.out, HasSubstr("note: The devices differ, xc7z020 and zu3eg"));
    EXPECT_THAT(text.out, HasSubstr("within 16 of 360 DSP"));
    const auto figures = linesOf(run(asked + " --csv").out);
    EXPECT_EQ(figures.front(), "figure,measure,a,b,difference,ratio,better");
    const Json report = Json::parse(run(asked + " --json").out);
    EXPECT_EQ(figures.size(), report["figures"].size() + 1);
    const auto layers = linesOf(run(asked + " --csv --table layers").out);
    EXPECT_EQ(layers.size(), report["layers"].size() + 1);
    const auto units = linesOf(run(asked + " --csv --table units").out);
    EXPECT_EQ(units.size(), report["units"].size() + 1);
    const auto buffers = linesOf(run(asked + " --csv --table buffers").out);
    EXPECT_EQ(buffers.size(), report["buffers"].size() + 1);
    EXPECT_EQ(run(asked + " --csv").out, run(asked + " --csv --table figures").out);
}

TEST_F(CompareCommand, AnExportIsTheDesignThatWasExported) {
    const std::string asked = example("running_example") + " --device xc7z020 --limit dsp=16";
    ASSERT_EQ(run("explore " + asked + " --out " + path("one.json")).status, 0);
    ASSERT_EQ(run("export " + asked + " --out " + path("out")).status, 0);
    const Json report = Json::parse(
        run("compare " + path("one.json") + " " + path("out/DESIGN.json") + " --json").out);
    for (const Json& figure : report["figures"])
        EXPECT_EQ(figure["a"], figure["b"]) << figure;
    for (const Json& layer : report["layers"])
        EXPECT_EQ(layer["a"], layer["b"]);
    for (const Json& unit : report["units"])
        EXPECT_EQ(unit["in"], "both");
    for (const Json& buffer : report["buffers"])
        EXPECT_EQ(buffer["a"], buffer["b"]);
    Json ofFolder =
        Json::parse(run("compare " + path("one.json") + " " + path("out") + " --json").out);
    EXPECT_EQ(ofFolder["b"]["name"], path("out"));
    ofFolder["b"] = report["b"];
    EXPECT_EQ(ofFolder, report);
}

#ifdef MARQUETRY_HAS_WINDOW
TEST_F(CompareCommand, DrawsBothDesigns) {
    const Found a = found("a.json", "--device xc7z020 --limit dsp=64");
    const Found b = found("b.json", "--device xc7z020 --limit dsp=16");
    const auto draw = [&](const std::string& with, const std::string& picture) {
        return run("compare " + a.file + " " + with + " --render compare --out " + path(picture));
    };
    for (const char* const picture : {"both.png", "both.svg", "both.txt", "both.csv", "both.md"}) {
        const Outcome drawn = draw(b.file, picture);
        EXPECT_EQ(drawn.status, 0) << drawn.err;
        EXPECT_EQ(drawn.out, "wrote " + path(picture) + "\n");
        EXPECT_EQ(draw(b.file, picture).status, 0) << "it is ours to be written again";
    }
    EXPECT_THAT(contents(path("both.png")), StartsWith("\x89PNG"));
    EXPECT_THAT(contents(path("both.svg")), HasSubstr("<svg"));
    EXPECT_THAT(contents(path("both.txt")), StartsWith("compare\nA, a.json: "));
    EXPECT_THAT(contents(path("both.txt")), HasSubstr("\nB, b.json: "));
    const std::string cycles = std::to_string(a.design["cycles"].get<std::int64_t>());
    EXPECT_THAT(contents(path("both.csv")), HasSubstr("\"Cycles\",\"cycles\",\"" + cycles + "\""));
    write("foreign.png", "somebody's");
    EXPECT_EQ(draw(b.file, "foreign.png").status, 2);
    EXPECT_EQ(contents(path("foreign.png")), "somebody's");
    EXPECT_EQ(draw(path("none.json"), "none.png").status, 2);
    EXPECT_EQ(
        run("compare " + a.file + " " + b.file + " --render ledger --out " + path("x.png")).status,
        2);
    EXPECT_EQ(run("compare " + a.file + " " + b.file + " --render compare").status, 2);
}
#endif

TEST_F(CompareCommand, RefusesWhatIsNoPairOfDesigns) {
    const Found a = found("a.json", "--device xc7z020 --limit dsp=64");
    ASSERT_EQ(run("explore " + example("running_example") + " --out " + path("other.json")).status,
              0);
    const auto refused = [&](const std::string& with, const std::string& code) {
        const Outcome outcome = run("compare " + a.file + " " + with);
        EXPECT_EQ(outcome.status, 2) << with;
        EXPECT_EQ(outcome.out, "") << with;
        EXPECT_THAT(outcome.err, HasSubstr("[" + code + "]"));
        EXPECT_THAT(outcome.err, HasSubstr(with == path("other.json") ? "lenet5" : with));
    };
    refused(path("other.json"), "compare-programs");
    refused(path("none.json"), "file-missing");
    refused(path("none.mqs"), "file-missing");
    refused(example("lenet5"), "design-form");
    std::filesystem::create_directory(path("empty"));
    refused(path("empty"), "design-form");
    refused(write("broken.json", "{\"design\": 1"), "design-form");
    refused(write("broken.mqs", "{\"version\""), "session-syntax");
    Json edited = Json::parse(contents(a.file));
    edited["design"]["cycles"] = 1;
    refused(write("edited.json", edited.dump()), "design-form");
    EXPECT_EQ(run("compare " + a.file).status, 2);
    EXPECT_EQ(run("compare " + a.file + " " + a.file + " --csv --json").status, 2);
    EXPECT_EQ(run("compare " + a.file + " " + a.file + " --table layers").status, 2);
    EXPECT_EQ(run("compare " + a.file + " " + a.file + " --csv --table rows").status, 2);
    const Outcome json = run("compare " + a.file + " " + path("none.json") + " --json");
    EXPECT_EQ(Json::parse(json.out)["errors"][0]["code"], "file-missing");
}

} // namespace marquetry::cli_test
