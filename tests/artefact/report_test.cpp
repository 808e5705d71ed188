// The report of an export: well-formed whatever names hold, with the figures of the hardware.
#include "engine/artefact/axi_export.h"
#include "engine/artefact/memory_artefact.h"
#include "engine/artefact/product_reports.h"
#include "engine/artefact/report_drawing.h"
#include "engine/banking/access.h"
#include "engine/banking/derive.h"
#include "engine/design/cycle_model.h"
#include "engine/device/device_file.h"
#include "engine/frontend/parser.h"
#include "engine/support/json.h"
#include "engine/support/sha256.h"
#include "tests/artefact/export_fixture.h"
#include "tests/frontend/stream_helpers.h"
#include "tests/lower_design/test_designs.h"
#include "tests/lower_stream/kernel_bench.h"
#include "tests/support/text_files.h"

#include <gmock/gmock.h>

#include <iomanip>
#include <regex>
#include <set>
#include <sstream>

namespace marquetry::test {
namespace {

using hdl::ReportPage;
using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::ordered_json;

/// What makes a page no XML; empty: nothing. Every tag is closed by its own, attributes are quoted,
/// and ampersands begin entities.
std::string flawOf(const std::string& page) {
    static const std::regex tag(
        R"(<(/?)([a-zA-Z][a-zA-Z0-9]*)((?:\s+[a-zA-Z][a-zA-Z0-9:-]*="[^"<]*")*)\s*(/?)>)");
    static const std::regex entity("&(?:amp|lt|gt|quot|#39);");
    const std::string doctype = "<!DOCTYPE html>\n";
    if (!page.starts_with(doctype))
        return "no document type";
    std::vector<std::string> open;
    std::smatch match;
    for (auto at = page.begin() + std::ssize(doctype); at != page.end();) {
        const auto from = std::regex_constants::match_continuous;
        if (*at == '&' && !std::regex_search(at, page.end(), match, entity, from))
            return "an ampersand: " + std::string(at, std::min(at + 40, page.end()));
        if (*at == '<') {
            if (!std::regex_search(at, page.end(), match, tag, from))
                return "no tag: " + std::string(at, std::min(at + 40, page.end()));
            if (match[1].length() == 0 && match[4].length() == 0)
                open.push_back(match[2]);
            else if (match[1].length() == 1 && (open.empty() || open.back() != match[2]))
                return "closes what is not open: " + match[0].str();
            else if (match[1].length() == 1)
                open.pop_back();
            at += match[0].length();
            continue;
        }
        ++at;
    }
    return open.empty() ? "" : "never closed: " + open.back();
}

/// Nothing of the page comes from elsewhere or runs.
void expectAlone(const std::string& page) {
    for (const char* const part : {"http", "<script", "<link", "@import", "url("})
        EXPECT_THAT(page, Not(HasSubstr(part)));
    const std::regex source("(?:src|href)=\"(?!data:image/svg\\+xml;base64,)");
    EXPECT_FALSE(std::regex_search(page, source));
    const std::regex handler("<[^>]* on[a-z]+=");
    EXPECT_FALSE(std::regex_search(page, handler));
}

/// The cell behind a name in the Markdown page; the first.
std::string figureIn(const std::string& page, const std::string& name) {
    const std::string begin = "\n| " + name + " | ";
    const std::size_t at = page.find(begin);
    if (at == std::string::npos)
        return "none of " + name;
    const std::size_t from = at + begin.size();
    return page.substr(from, page.find(" |", from) - from);
}

TEST(ReportPages, AreWellFormedWhateverTheyHold) {
    const std::string hostile = "a<b>&\"'`|*_[x](y)</td></table><script>\\ é 中 \xe2\x80\xae"
                                "evil\xe2\x80\x8f \xd8\x9c \x1b[31m \xff \xef\xbf\xbf ``` --> ]]>";
    ReportPage page;
    page.title = page.summary = hostile;
    page.sections = {
        {hostile,
         {hdl::ReportText{hostile}, hdl::ReportList{{hostile, hostile}},
          hdl::ReportTable{{hostile, "n"}, {{hostile, "1"}, {"\n\n# x", "2"}}},
          hdl::ReportCode{hostile + "\n" + hostile},
          hdl::waveform(hostile, hostile, {{hostile, "p.."}, {hostile, "x=.", {hostile}}}),
          hdl::stepsOverTime({hostile}, {{0, hostile, 0, 10}}, 10),
          hdl::banksOf({{0, 1}, {1, 0}}, hostile),
          hdl::ReportPicture{hostile, hostile, "<svg>" + hostile + "</svg>"}}}};
    const std::string text = html(page);
    EXPECT_EQ(flawOf(text), "");
    expectAlone(text);
    const std::string plain = markdown(page);
    for (const std::string& each : {text, plain})
        for (const char* const raw :
             {"\xe2\x80\xae", "\xe2\x80\x8f", "\xd8\x9c", "\x1b", "\xff", "\xef\xbf\xbf"})
            EXPECT_THAT(each, Not(HasSubstr(raw)));
    EXPECT_THAT(text, HasSubstr("é 中"));
    EXPECT_THAT(plain, Not(HasSubstr("\n# x")));
    EXPECT_THAT(plain, HasSubstr("\\|\\*\\_\\[x\\](y)\\</td\\>"));
    EXPECT_THAT(plain, HasSubstr("````\na<b>")) << "the fence is longer than what it holds";
    EXPECT_EQ(text, html(page));
}

TEST(ReportPages, TheCheckOfTheirFormCanFail) {
    const std::string head = "<!DOCTYPE html>\n";
    EXPECT_EQ(flawOf(head + "<p a=\"b\">x &amp; y<br/></p>"), "");
    for (const char* const text :
         {"<p>", "</p>", "<p></b>", "<p a=b></p>", "<p>a & b</p>", "<p <b></p>"})
        EXPECT_NE(flawOf(head + text), "") << text;
}

TEST(ReportPages, HoldPicturesAsImagesOfTheirOwn) {
    ReportPage page;
    const std::string svg = "<svg onload=\"x()\">any</svg>";
    page.sections = {{"Pictures", {hdl::ReportPicture{"Sharing", "of units", svg}}}};
    const std::string text = html(page);
    EXPECT_THAT(text, HasSubstr("data:image/svg+xml;base64,"
                                "PHN2ZyBvbmxvYWQ9IngoKSI+YW55PC9zdmc+\""));
    expectAlone(text);
    for (const auto& [bytes, digits] : std::vector<std::pair<std::string, std::string>>{
             {"", ",\""}, {"a", ",YQ==\""}, {"ab", ",YWI=\""}, {"abc", ",YWJj\""}}) {
        page.sections[0].parts = {hdl::ReportPicture{"", "", bytes}};
        EXPECT_THAT(html(page), HasSubstr("base64" + digits));
    }
    EXPECT_THAT(markdown(page), HasSubstr("The picture is in report.html."));
}

TEST(ReportDrawings, SayTheSameInCharacters) {
    const auto drawing =
        hdl::waveform("w", "", {{"clk", "p.."}, {"d", "x=|", {"ab"}}, {"v", "010"}});
    EXPECT_EQ(drawing.text, "clk  ‾‾‾___‾‾‾___‾‾‾___\n"
                            "d    ------<ab        >\n"
                            "v    ______‾‾‾‾‾‾______\n");
    EXPECT_EQ(hdl::banksOf({{0, 10}, {2, 3}}, "").text, "0    10\n2    3\n");
    EXPECT_EQ(hdl::stepsOverTime({"a", "bc"}, {{0, "s", 0, 32}, {1, "t", 32, 64}}, 64).text,
              "a   " + std::string(32, '#') + std::string(32, '.') + "\nbc  " +
                  std::string(32, '.') + std::string(32, '#') + "\n");
}

class Reports : public ExportTest {
protected:
    std::string read(const std::string& folder, const std::string& name) {
        return *test::readText(folder + "/" + name);
    }

    void expectWhole(const std::string& folder) {
        const std::string page = read(folder, "report.html");
        EXPECT_EQ(flawOf(page), "");
        expectAlone(page);
        EXPECT_THAT(page, HasSubstr(sha256(read(folder, "DESIGN.json"))));
        for (const char* const section :
             {"What was built", "Figures, and what they rest on", "Interfaces", "Registers",
              "What is proved", "What was verified, and what was not", "How to reproduce"}) {
            EXPECT_THAT(page, HasSubstr("<h2>" + std::string(section) + "</h2>"));
            EXPECT_THAT(read(folder, "report.md"),
                        HasSubstr("\n## " + std::string(section) + "\n"));
        }
    }
};

TEST_F(Reports, OfDesignsHaveTheFiguresOfTheExport) {
    for (const TestDesign& design : {residualBlock(), twoShapesOneUnit(), convPoolRequant()}) {
        const std::string folder = exportTo("d", design);
        expectWhole(folder);
        const std::string page = read(folder, "report.md");
        const Json report = Json::parse(read(folder, "report.json"));
        EXPECT_EQ(figureIn(page, "clocks from start to done"), report["predicted_cycles"].dump());
        EXPECT_EQ(figureIn(page, "multipliers"), report["multipliers"].dump());
        for (std::size_t k = 0; k < report["steps"].size(); ++k)
            EXPECT_THAT(page, HasSubstr(" | " + report["steps"][k]["cycles"].dump() + " |\n"));
        for (const Json& unit : report["units"])
            EXPECT_THAT(page,
                        HasSubstr(unit["module"].get<std::string>() + " | " +
                                  unit["multipliers"].dump() + " | " + unit["weight_words"].dump() +
                                  " | " + unit["cycles"].dump() + " | "));
    }
}

// In the third column behind the layer, of a schedule without queues: they add up to the run.
TEST_F(Reports, OfDesignsSayWhatTheClocksOfEachLayerGoTo) {
    for (const TestDesign& design : {residualBlock(), twoShapesOneUnit(), convPoolRequant()}) {
        const std::string page = read(exportTo("d", design), "report.md");
        const std::size_t from = page.find("\n## Where the clocks go\n");
        ASSERT_NE(from, std::string::npos);
        const std::string section = page.substr(from, page.find("\n## ", from + 1) - from);
        static const std::regex row(R"(\| [^|]+ \| (call|load|store|move|rows) \| [^|]*\| )"
                                    R"(([a-z/ -]+) \| (\d+) \| [\d.]+ \| (\d+) \|)");
        std::int64_t cycles = 0;
        std::set<std::string> bounds;
        for (auto at = std::sregex_iterator(section.begin(), section.end(), row);
             at != std::sregex_iterator(); ++at) {
            bounds.insert((*at)[2]);
            cycles += std::stoll((*at)[3]);
        }
        EXPECT_EQ(cycles, design::predictCycles(design.schedule).total) << section;
        EXPECT_TRUE(bounds.contains("load/store")) << section;
    }
}

TEST_F(Reports, OfDesignsHaveWhatTheSearchPredicted) {
    auto request = requestFor(wideOutput());
    request.designJson = R"({"device":"xc7z020","settings":{"steps":7},
        "design":{"clock_mhz":125,"resources":{"dsp":8,"lut":1234,"ff":55.5,"bram":1.5}}})";
    ASSERT_TRUE(hdl::exportArtefact(hdl::designArtefact(request), path("d")));
    const std::string page = read(path("d"), "report.md");
    EXPECT_EQ(figureIn(page, "DSP blocks"), "8");
    EXPECT_EQ(figureIn(page, "LUTs"), "1234");
    EXPECT_EQ(figureIn(page, "flip-flops"), "55.5");
    EXPECT_EQ(figureIn(page, "block RAMs"), "1.5");
    EXPECT_EQ(figureIn(page, "clock, MHz"), "125");
    EXPECT_EQ(figureIn(page, "setting steps"), "7");
    EXPECT_THAT(page, HasSubstr("xc7z020clg400-1"));
    request.designJson =
        R"({"device":7,"settings":[1],"pins":"p","design":{"clock_mhz":"x","calls":[1,{"layer":3,"macs":"m"}],
        "units":[1,{"why":{"alternatives":3}}],"resources":{"dsp":"8"}}})";
    ASSERT_TRUE(hdl::exportArtefact(hdl::designArtefact(request), path("odd")));
    expectWhole(path("odd"));
    EXPECT_EQ(figureIn(read(path("odd"), "report.md"), "DSP blocks"), "none of DSP blocks");
}

TEST_F(Reports, OfImportedNetworksHaveTheirFactorsAndProofs) {
    auto request = requestFor(convPoolRequant());
    const auto pageOf = [&] { return markdown(hdl::designArtefact(request)->page); };
    EXPECT_THAT(pageOf(), Not(HasSubstr("## Requantisation")));
    const ir::LayerPlan plan = ir::planLayers(request.program);
    const ir::Layer& layer = plan.layers.front();
    request.program.imported = {
        {layer.anchor, "conv_0", "Conv", "sums", "real value = 0.5 × integer", "", ""},
        {layer.result, "quant_0", "QuantizeLinear", "y", "real value = 2 × integer", "× 77, >> 9",
         "exact for 4000 sums, 3 ties"}};
    const std::string page = pageOf();
    EXPECT_THAT(page, HasSubstr("## Requantisation"));
    const std::string row = "| " + layer.name + " | ";
    EXPECT_THAT(page, HasSubstr(row + "conv_0 | Conv | sums | real value = 0.5 × integer |"));
    EXPECT_THAT(page, HasSubstr(row + "quant_0 | × 77, \\>\\> 9 | exact for 4000 sums, 3 ties |"));
    EXPECT_THAT(page, Not(HasSubstr(row + "conv_0 | |"))) << "nothing is rounded there";
    EXPECT_EQ(flawOf(html(designArtefact(request)->page)), "");
}

TEST_F(Reports, SayWhichPicturesAreLeftOut) {
    auto request = requestFor(wideOutput());
    const auto pageOf = [&] { return markdown(hdl::designArtefact(request)->page); };
    EXPECT_THAT(pageOf(), HasSubstr("Left out: Sharing, Front."));
    request.extras.pictures = {{"Sharing", "units over time", "<svg/>"}};
    EXPECT_THAT(pageOf(), HasSubstr("Left out: Front."));
    EXPECT_THAT(pageOf(), HasSubstr("**Sharing.** units over time"));
    request.extras.pictures.push_back({"Front", "", "<svg/>"});
    EXPECT_THAT(pageOf(), Not(HasSubstr("Left out")));
}

TEST_F(Reports, HaveEveryRegister) {
    auto request = requestFor(wideOutput());
    request.form.interface = hdl::ExportInterface::Axi;
    const auto shell =
        hdl::controlShell(hdl::coreOf(hdl::makePlan(request.schedule)), {"x", {}, 0});
    ASSERT_TRUE(shell);
    const auto artefact = hdl::designArtefact(request);
    ASSERT_TRUE(artefact);
    const std::string page = markdown(artefact->page);
    for (const hdl::ControlRegister& each : shell->registers.registers) {
        std::ostringstream offset;
        offset << "0x" << std::hex << std::setw(3) << std::setfill('0') << each.offset;
        EXPECT_THAT(page, HasSubstr("| " + offset.str() + " | " + each.name + " | "));
    }
    EXPECT_THAT(page, HasSubstr("s_axi_control_awvalid  ______"));
    EXPECT_THAT(page, HasSubstr("**Read over AXI4-Lite.**"));
    EXPECT_EQ(flawOf(html(artefact->page)), "");
}

TEST_F(Reports, OfStreamsHaveTheFiguresOfTheExport) {
    const ir::StreamProgram program = exampleStream("box2", "box2_4x4");
    hdl::StreamExportRequest request{program, designAt(program, {1, 1}).circuit, "// a test\n"};
    request.device = *device::findDevice("xc7k160t");
    ASSERT_TRUE(hdl::exportArtefact(hdl::streamArtefact(request), path("s")));
    expectWhole(path("s"));
    const std::string page = read(path("s"), "report.md");
    const Json report = Json::parse(read(path("s"), "report.json"));
    const Json stream = Json::parse(read(path("s"), "DESIGN.json"))["stream"];
    EXPECT_EQ(figureIn(page, "clocks from the first beat to the last result"),
              report["predicted_cycles"].dump());
    EXPECT_EQ(figureIn(page, "clocks of a frame"), report["clocks"].dump());
    EXPECT_EQ(figureIn(page, "latency, steps"), stream["latency"].dump());
    EXPECT_EQ(figureIn(page, "register bits of the kernel"), report["register_bits"].dump());
    EXPECT_EQ(figureIn(page, "bits in line buffers"), report["memory_bits"].dump());
    EXPECT_THAT(page, HasSubstr("| LUTs | "));
    request.device = *device::findDevice("arria10");
    ASSERT_TRUE(hdl::exportArtefact(hdl::streamArtefact(request), path("other")));
    EXPECT_THAT(read(path("other"), "report.md"), Not(HasSubstr("| LUTs | ")))
        << "nothing is known of its LUTs";
}

TEST_F(Reports, OfMemoriesHaveTheFiguresOfTheExport) {
    const auto parsed = frontend::parse("memory m { array a : i8[8, 8]; for i in 0 .. 8 step 2 "
                                        "par 2 { read a[i, 0], a[i, 1]; write a[0, i]; } }",
                                        "m.mq");
    ASSERT_TRUE(parsed);
    auto pattern = banking::accessPattern(parsed->memories[0]);
    ASSERT_TRUE(pattern);
    hdl::MemoryExportRequest request;
    request.memory = hdl::describeMemory("m", *pattern, banking::derive({{{2, 1}, 1, 8}}, {8, 8}),
                                         device::shippedDevices().front());
    request.item = "m";
    request.device = device::shippedDevices().front();
    request.device.clockMhz = 10;
    request.memoryJson = R"({"device":"xc7k160t","resources":{"lut":19,"ff":17},"min_banks":4,
                             "proof":"lanes"})";
    ASSERT_TRUE(hdl::exportArtefact(hdl::memoryArtefact(request), path("m")));
    expectWhole(path("m"));
    const std::string page = read(path("m"), "report.md");
    const banking::Scheme& scheme = request.memory.scheme;
    EXPECT_EQ(figureIn(page, "banks of a copy"), std::to_string(scheme.banks()));
    EXPECT_EQ(figureIn(page, "words of a bank"), std::to_string(scheme.depth));
    EXPECT_EQ(figureIn(page, "words in all"), std::to_string(scheme.words));
    EXPECT_EQ(figureIn(page, "LUTs"), "19");
    EXPECT_EQ(figureIn(page, "least banks of one copy that were found"), "4");
    const Json report = Json::parse(read(path("m"), "report.json"));
    EXPECT_EQ(report["program"], "m");
    EXPECT_EQ(figureIn(page, "longest path, ps"), std::to_string(report["path_ps"].get<int>()));
    request.device = device::shippedDevices().front();
    request.device.clockMhz = 990;
    const auto fast = hdl::exportArtefact(hdl::memoryArtefact(request), path("fast"));
    ASSERT_TRUE(fast);
    ASSERT_EQ(fast->warnings.size(), 1U);
    EXPECT_EQ(fast->warnings.front().code, "clock-not-met");
    EXPECT_THAT(page, HasSubstr("\n0    1    2    3    4    5    6    7\n2    3    4"));
}

} // namespace
} // namespace marquetry::test
