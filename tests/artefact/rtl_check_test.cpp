// Hardware that would act when it is simulated is refused; what our writers emit is not.
#include "engine/artefact/rtl_check.h"
#include "engine/lower_design/lower_design.h"
#include "tests/artefact/export_fixture.h"
#include "tests/lower_design/random_design.h"
#include "tests/lower_design/test_designs.h"

namespace marquetry {
namespace {

/// What is said of rtl/m.v with this text, or "ok".
std::string judged(const std::string& text, const files::FolderFiles& bench = {}) {
    const files::FolderFiles files = {{"rtl/m.v", text}, {"rtl/w.mem", "00\n"}};
    const Status status = hdl::checkRtl(files, bench);
    if (status)
        return "ok";
    EXPECT_EQ(status.error().front().code, "export-damaged");
    return status.error().front().message;
}

std::string inModule(const std::string& text) {
    return "// a module\nmodule m (\n    input  wire aclk\n);\n" + text + "\nendmodule\n";
}

TEST(RtlCheck, AcceptsWhatIsOurs) {
    std::vector<test::TestDesign> designs = test::allDesigns();
    for (std::uint64_t seed = 0; seed < 10; ++seed)
        designs.push_back(test::randomDesign(seed));
    for (const test::TestDesign& design : designs) {
        files::FolderFiles files;
        const std::vector<std::vector<std::int64_t>> noWeights(design.schedule.units.size());
        const auto circuits = hdl::streamCircuits(design.schedule, design.program);
        ASSERT_TRUE(circuits);
        const hdl::Netlist netlist =
            hdl::lowerDesign(design.schedule, noWeights, *circuits).netlist;
        for (const hdl::Module& module : netlist.modules)
            files["rtl/" + module.name + ".v"] = module.verilog;
        for (const hdl::MemoryFile& memory : netlist.memories)
            files["rtl/" + memory.name] = memory.text;
        const Status status = hdl::checkRtl(files, {});
        EXPECT_TRUE(status) << format(status.error());
    }
}

TEST(RtlCheck, AcceptsPlainHardware) {
    for (const char* const text :
         {"wire signed [3:0] a = $signed(4'h3);", "(* ram_style = \"block\" *) reg [7:0] q [0:1];",
          "reg [7:0] q [0:1]; initial $readmemh(\"w.mem\", q);",
          "`ifndef SYNTHESIS\nalways @(posedge aclk) begin $display(\"m: r0 does not reach\"); "
          "$stop; end\n`else\n`endif",
          "sub #(.WIDTH(3)) s (.aclk(aclk), .q(q));", "// $system(\"id\") `include a.b\n",
          "/* $fopen\n \\ */ wire \t x;"})
        EXPECT_EQ(judged(inModule(text)), "ok") << text;
}

TEST(RtlCheck, RefusesWhatActs) {
    for (const char* const text : {"initial $system(\"touch x\");",
                                   "integer f; initial f = $fopen(\"x\", \"w\");",
                                   "initial $c(\"system(\\\"id\\\");\");",
                                   "initial $c1;",
                                   "initial $fwrite(1, \"x\");",
                                   "import \"DPI-C\" function int system(input string s);",
                                   "export \"DPI-C\" task t;",
                                   "`include \"/etc/passwd\"",
                                   "`define x 1",
                                   "`systemc_header",
                                   "`timescale 1ns/1ns",
                                   "initial $display(\"{\\\"pass\\\":true}\");",
                                   "initial $display(\"{pass}\");",
                                   "initial $display(\"%c\", 123);",
                                   "initial $display(\"plain\", aclk);",
                                   "initial $display(aclk);",
                                   "initial $finish;",
                                   "initial $stop(2);",
                                   "initial $readmemh(\"/etc/passwd\", q);",
                                   "initial $readmemh(\"../w.mem\", q);",
                                   "initial $readmemh(\"other.mem\", q);",
                                   "initial $readmemh(file, q);",
                                   "initial $readmemh(\"w.mem\");",
                                   "initial $writememh(\"w.mem\", q);",
                                   "initial $dumpfile(\"x\");",
                                   "bind m other b ();",
                                   "initial force tb.mismatches = 0;",
                                   "initial m_tb.mismatches = 0;",
                                   "wire x = sub.y;",
                                   "wire x = g[0].y;",
                                   "wire \\escaped ;",
                                   "wire x$y;",
                                   "wire [$] x;",
                                   "class c; endclass",
                                   "package p;",
                                   "initial $value$plusargs(\"seed=%d\", q);",
                                   "wire a; /* no end",
                                   "wire \"no end;",
                                   "wire x\x01;",
                                   "wire \xc3\xa9;"})
        EXPECT_NE(judged(inModule(text)), "ok") << text;
}

TEST(RtlCheck, NamesFileAndLine) {
    EXPECT_EQ(judged(inModule("\n/*\n*/ initial $system(\"id\");")),
              "rtl/m.v:7: the system task $system is not simulated");
    EXPECT_EQ(judged(inModule("`include \"x\"")),
              "rtl/m.v:5: the directive `include is not simulated");
}

TEST(RtlCheck, OneModulePerFileOfTheFilesName) {
    EXPECT_NE(judged("module other; endmodule\n"), "ok");
    EXPECT_NE(judged("module m; endmodule\nmodule m; endmodule\n"), "ok");
    EXPECT_NE(judged("// nothing\n"), "ok");
    EXPECT_NE(judged("macromodule m; endmodule\n"), "ok");
}

TEST(RtlCheck, NoModuleTakesThePlaceOfTheBench) {
    EXPECT_NE(judged(inModule(""), {{"tb/tb.v", "module m (\n"}}), "ok");
    EXPECT_NE(judged(inModule(""), {{"tb/tb.v", "module m;\n"}}), "ok");
    EXPECT_EQ(judged(inModule(""), {{"tb/tb.v", "module m_tb;\n  m dut (.aclk(aclk));\n"}}), "ok");
}

} // namespace
} // namespace marquetry
