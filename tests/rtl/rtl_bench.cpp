#include "tests/rtl/rtl_bench.h"

#include "engine/rtl/write.h"
#include "engine/support/process.h"
#include "tests/support/temporary_folder.h"

#include <fstream>
#include <sstream>

namespace marquetry::test {

namespace {

void writeFile(const std::string& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

std::string run(std::vector<std::string> arguments, const std::string& folder, int* exitCode) {
    const auto ran = runProcess({std::move(arguments), folder});
    EXPECT_TRUE(ran.has_value());
    *exitCode = ran ? ran->exitCode : 127;
    return ran ? ran->output : "";
}

/// Sets inputs, lets time pass, prints outputs.
std::string benchOf(const rtl::ModulePtr& top, const rtl::Names& names,
                    const std::vector<PortValues>& rows) {
    std::ostringstream text;
    std::ostringstream wiring, format, outputs;
    text << "module bench;\n";
    for (const rtl::NetPtr& port : top->ports()) {
        const bool input = port->kind == rtl::Net::Kind::Input;
        text << (input ? "reg" : "wire") << " [" << port->type.width.value() - 1 << ":0] "
             << names.of(*port) << (input ? " = 0" : "") << ";\n";
        wiring << (wiring.str().empty() ? "." : ", .") << names.of(*port) << "(" << names.of(*port)
               << ")";
        if (input)
            continue;
        format << " %h";
        outputs << ", " << names.of(*port);
    }
    text << names.of(*top) << " dut (" << wiring.str() << ");\ninitial begin\n";
    for (const PortValues& row : rows) {
        for (const auto& [port, value] : row)
            text << names.of(*top->port(port)) << " = 64'h" << std::hex << value << std::dec
                 << ";\n";
        text << "#5;\n"
             << (top->port("aclk") ? "aclk = 1;\n" : "") << "#5 $display(\"row" << format.str()
             << "\"" << outputs.str() << ");\n"
             << (top->port("aclk") ? "aclk = 0;\n" : "");
    }
    text << "$finish;\nend\nendmodule\n";
    return text.str();
}

} // namespace

std::map<std::string, std::string> textsOf(const rtl::ModulePtr& top) {
    const rtl::Names names(top);
    std::map<std::string, std::string> texts;
    for (const rtl::ModulePtr& module : names.modules())
        texts[names.of(*module)] = rtl::writeVerilog(*module, names);
    return texts;
}

std::string textOf(const rtl::ModulePtr& top) {
    std::string all;
    const rtl::Names names(top);
    for (const rtl::ModulePtr& module : names.modules())
        all += rtl::writeVerilog(*module, names);
    return all;
}

std::vector<SeenValues> simulateRows(const rtl::ModulePtr& top,
                                     const std::vector<PortValues>& rows) {
    const TemporaryFolder folder;
    writeFile(folder / "dut.v", textOf(top));
    writeFile(folder / "bench.v", benchOf(top, rtl::Names(top), rows));
    int exitCode = 0;
    const std::string built =
        run({"iverilog", "-g2001", "-Wall", "-s", "bench", "-o", "sim", "dut.v", "bench.v"},
            folder.string(), &exitCode);
    EXPECT_EQ(exitCode, 0) << built << textOf(top);
    std::istringstream lines(run({"vvp", "-n", "sim"}, folder.string(), &exitCode));
    EXPECT_EQ(exitCode, 0);
    std::vector<SeenValues> seen;
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string word;
        words >> word;
        if (word != "row")
            continue;
        SeenValues& row = seen.emplace_back();
        for (const rtl::NetPtr& port : top->ports()) {
            if (port->kind == rtl::Net::Kind::Input)
                continue;
            words >> word;
            const bool known = word.find_first_not_of("0123456789abcdef") == std::string::npos;
            row[port->wanted] =
                known ? std::optional<std::uint64_t>(std::stoull(word, nullptr, 16)) : std::nullopt;
        }
    }
    EXPECT_EQ(seen.size(), rows.size());
    return seen;
}

std::string lintOf(const rtl::ModulePtr& top, const std::vector<std::string>& silenced) {
    const TemporaryFolder folder;
    std::vector<std::string> command = {"verilator",   "--lint-only",  "-Wall",
                                        "-Wno-UNUSED", "--top-module", rtl::Names(top).of(*top)};
    for (const std::string& warning : silenced)
        command.push_back("-Wno-" + warning);
    for (const auto& [name, text] : textsOf(top)) {
        writeFile(folder / (name + ".v"), text);
        command.push_back(name + ".v");
    }
    int exitCode = 0;
    const std::string said = run(std::move(command), folder.string(), &exitCode);
    return exitCode == 0 && said.empty() ? "" : said + "\n" + textOf(top);
}

std::string synthesisOf(const rtl::ModulePtr& top, const std::string& target, rtl::Vendor vendor,
                        std::string* statistics) {
    const TemporaryFolder folder;
    const rtl::Names names(top);
    std::string all;
    for (const rtl::ModulePtr& module : names.modules())
        all += rtl::writeVerilog(*module, names, {vendor});
    writeFile(folder / "dut.v", all);
    int exitCode = 0;
    const std::string log = run({"yosys", "-p",
                                 "read_verilog dut.v; synth_" + target + " -top " + names.of(*top) +
                                     "; check -assert; stat"},
                                folder.string(), &exitCode);
    if (statistics != nullptr)
        *statistics = log;
    std::string complaints = exitCode == 0 ? "" : log;
    if (log.find("Latch inferred") != std::string::npos)
        complaints += "a latch\n";
    return complaints;
}

} // namespace marquetry::test
