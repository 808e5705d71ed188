// Simulators that do not what they should, and benches that somebody has edited.
#include "tests/artefact/export_fixture.h"
#include "tests/lower_design/test_designs.h"

#include <fstream>

namespace marquetry {
namespace {

namespace fs = std::filesystem;
using hdl::Simulator;

class Simulators : public test::ExportTest {
protected:
    Simulators() : path_(::getenv("PATH")) {}
    ~Simulators() override { ::setenv("PATH", path_.c_str(), 1); }

    /// `vvp` is this script of a shell from now on, and nothing needs to be built.
    void pretend(const std::string& script) const {
        fs::create_directories(path("bin"));
        for (const auto& [name, text] :
             {std::pair("iverilog", std::string("exit 0")), std::pair("vvp", script)}) {
            const std::string tool = path("bin") + "/" + name;
            std::ofstream(tool) << "#!/bin/sh\n" << text << "\n";
            fs::permissions(tool, fs::perms::owner_all);
        }
        ::setenv("PATH", (path("bin") + ":" + path_).c_str(), 1);
    }

    Result<hdl::VerifyReport> verify(Simulator simulator = Simulator::Icarus,
                                     bool waveforms = false) {
        const test::TestDesign design = test::convPoolRequant();
        if (!fs::exists(path("export")))
            exportTo("export", design);
        const auto opened = test::openedDesign(path("export"));
        hdl::VerifyParams params{simulator, 1, 1, true};
        params.waveforms = waveforms;
        return opened ? hdl::verifyArtefact(*opened, design.program, params)
                      : Result<hdl::VerifyReport>(opened.error());
    }

    std::string answer(Simulator simulator = Simulator::Icarus) {
        const auto report = verify(simulator);
        return !report ? report.error().front().code : report->pass ? "pass" : "fail";
    }

private:
    std::string path_;
};

TEST_F(Simulators, MayPrintAnything) {
    const auto report = verify();
    ASSERT_TRUE(report);
    ASSERT_TRUE(report->pass);
    const std::string cycles = std::to_string(report->predictedCycles);
    const auto prints = [&](const std::string& text) { pretend("cat <<'END'\n" + text + "\nEND"); };
    prints("{\"counted\":" + cycles + "}\n{\"pass\":true,\"vectors\":1,\"mismatches\":0}");
    EXPECT_EQ(answer(), "pass") << "the script stands for a simulator";
    for (const char* const text :
         {"", "[]", "null", "{\"pass\"", "{\"counted\":1}", "{\"mismatch\":{}}",
          "{\"mismatch\":[1,2]}", "{\"mismatch\":{\"output\":7,\"vector\":\"x\",\"what\":[]}}"}) {
        prints(text);
        EXPECT_EQ(answer(), "simulator-run") << text;
    }
    for (const char* const text :
         {"{\"pass\":\"true\"}", "{\"pass\":1,\"mismatches\":\"none\"}", "{\"pass\":[true]}",
          "{\"pass\":true,\"mismatches\":3}", "{\"pass\":true,\"cycles\":\"many\"}",
          "{\"pass\":true,\"cycles\":[\"x\",{},1e99]}", "{\"pass\":true,\"cycles\":{\"a\":[]}}",
          "{\"pass\":true}", "{\"counted\":\"all\"}\n{\"pass\":true}",
          "{\"mismatch\":{\"output\":[],\"index\":{}}}\n{\"pass\":true}"}) {
        prints(text);
        EXPECT_EQ(answer(), "fail") << text;
    }
    prints(std::string(100'000, '[') + "\n{\"a\":" + std::string(100'000, '{'));
    EXPECT_EQ(answer(), "simulator-run");
}

TEST_F(Simulators, MayWriteNoWaveforms) {
    pretend("echo '{\"counted\":1}'; echo '{\"pass\":true,\"mismatches\":0}'");
    const auto report = verify(Simulator::Icarus, true);
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error().front().code, "no-waveform");
    EXPECT_NE(report.error().front().hint, "");
}

TEST_F(Simulators, MayPrintWithoutEnd) {
    pretend("while :; do echo '{\"counted\":1}'; done");
    EXPECT_EQ(answer(), "process-output");
}

TEST_F(Simulators, MayLeaveAChildWithTheirPipe) {
    pretend("sleep 1000 & exit 0");
    EXPECT_EQ(answer(), "simulator-run");
}

TEST_F(Simulators, MayFailToBuild) {
    pretend("");
    std::ofstream(path("bin") + "/iverilog") << "#!/bin/sh\nprintf 'no \\033[31m'; exit 7\n";
    const auto report = verify();
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error().front().code, "simulator-build");
    EXPECT_EQ(report.error().front().message, "iverilog failed with status 7:\nno \\x1b[31m");
}

TEST_F(Simulators, SeeNothingOfThePathOfTheExport) {
    const std::string log = path("log");
    pretend("{ env; echo \"$@\"; pwd; } >" + log + "; pwd");
    ::setenv("MAKEFLAGS", "-j7", 1);
    const auto report = verify();
    ::unsetenv("MAKEFLAGS");
    ASSERT_FALSE(report);
    const std::string seen = *files::read(log);
    EXPECT_EQ(seen.find(path("export")), std::string::npos);
    EXPECT_EQ(seen.find("MAKEFLAGS"), std::string::npos);
    const std::string message = report.error().front().message;
    const std::string folder =
        message.substr(message.find('\n') + 1, message.rfind('\n') - message.find('\n') - 1);
    EXPECT_NE(seen.find("TMPDIR=" + folder + "\n"), std::string::npos) << folder;
    EXPECT_FALSE(fs::exists(folder)) << "nothing is left of it";
}

TEST_F(Simulators, AnEditedBenchIsNotRun) {
    exportTo("export", test::convPoolRequant());
    ASSERT_EQ(answer(), "pass");
    patch(path("export"), "tb/tb_icarus.v", "module conv_pool_tb;",
          "module conv_pool_tb; initial $display(\"{\\\"pass\\\":true}\");");
    for (const Simulator simulator : {Simulator::Icarus, Simulator::Verilator}) {
        const auto report = verify(simulator);
        ASSERT_FALSE(report);
        EXPECT_EQ(report.error().front().code, "export-damaged");
        EXPECT_EQ(report.error().front().message,
                  "'tb/tb_icarus.v' is not the bench of this design");
    }
    exportTo("export2", test::convPoolRequant());
    fs::remove_all(path("export"));
    fs::rename(path("export2"), path("export"));
    patch(path("export"), "tb/tb_verilator.cpp", "int main(", "int main() {} int other(");
    EXPECT_EQ(answer(), "export-damaged");
}

TEST_F(Simulators, HardwareThatActsIsNotSimulated) {
    exportTo("export", test::convPoolRequant());
    patch(path("export"), "rtl/conv_pool_top.v", "endmodule",
          "initial $system(\"touch " + path("pwned") + "\");\nendmodule");
    for (const Simulator simulator : {Simulator::Icarus, Simulator::Verilator})
        EXPECT_EQ(answer(simulator), "export-damaged");
    EXPECT_FALSE(fs::exists(path("pwned")));
}

TEST_F(Simulators, ATraceIsKeptInTheCacheOfTheUser) {
    exportTo("export", test::convPoolRequant());
    patch(path("export"), "rtl/conv_pool_unit_conv_3x3_epilogue.v", "x[31:7]", "x[30:6]");
    const auto failed = verify();
    ASSERT_TRUE(failed) << format(failed.error());
    EXPECT_FALSE(failed->pass);
    EXPECT_TRUE(failed->trace.starts_with(path("cache") + "/marquetry/traces/conv_pool-"));
    EXPECT_TRUE(failed->trace.ends_with(".vcd"));
    EXPECT_TRUE(files::read(failed->trace)->starts_with("$date"));
    EXPECT_EQ(verify()->trace, failed->trace) << "the same run has the same trace";
    ::unsetenv("XDG_CACHE_HOME");
    const char* const home = ::getenv("HOME");
    const std::string before = home != nullptr ? home : "";
    ::setenv("HOME", "/proc/nowhere", 1);
    const auto untraced = verify();
    ::setenv("HOME", before.c_str(), 1);
    ASSERT_TRUE(untraced);
    EXPECT_FALSE(untraced->pass);
    EXPECT_EQ(untraced->trace, "");
    EXPECT_NE(untraced->traceNote.find("there is no cache folder"), std::string::npos);
}

} // namespace
} // namespace marquetry
