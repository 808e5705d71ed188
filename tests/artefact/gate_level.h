// Small exports as gates: Yosys' netlist of iCE40 cells against the export's own bench and vectors.
#pragma once

#include "engine/artefact/axi_export.h"
#include "engine/artefact/testbench_writer.h"
#include "engine/device/device_file.h"
#include "tests/artefact/export_fixture.h"
#include "tests/vendor/sample_folders.h"

#include <gmock/gmock.h>

#include <regex>

namespace marquetry::test {

/// A bench of an export, and what it and the hardware are called.
struct GateBench {
    std::string file, bench, top;
};

class GateLevel : public ExportTest {
protected:
    static constexpr const char* kCells = "/usr/share/yosys/ice40/cells_sim.v";
    static constexpr const char* kGates = "gates.v";

    /// gates.v of the export.
    static void synthesise(const std::string& folder, const GateBench& names) {
        // Products keep their registers, as the export's page for these tools asks for.
        const auto made =
            ran({"yosys", "-q", "-p",
                 "read_verilog -DKEEP_PRODUCT_REGISTERS *.v; synth_ice40 -dsp -top " + names.top +
                     std::string("; check -assert; write_verilog -noattr ../") + kGates},
                folder + "/rtl");
        ASSERT_EQ(made.exitCode, 0) << made.output;
        const std::string gates = readText(folder + "/" + kGates).value_or("");
        EXPECT_EQ(gates.find("always @"), std::string::npos) << "no gates alone";
        EXPECT_THAT(gates, ::testing::HasSubstr("SB_LUT4"));
    }

    /// What the bench says of the gates.
    static std::string simulated(const std::string& folder, const GateBench& names) {
        const auto built = ran({"iverilog", "-g2005", "-DNO_ICE40_DEFAULT_ASSIGNMENTS", "-P",
                                names.bench + ".VECTORS=2", "-o", "gates", "-s", names.bench,
                                kGates, kCells, names.file},
                               folder);
        EXPECT_EQ(built.exitCode, 0) << built.output;
        return ran({"vvp", "-n", "gates", "+dir=vectors", "+gaps=1"}, folder).output;
    }

    static void expectRight(const std::string& folder, const GateBench& names) {
        synthesise(folder, names);
        EXPECT_THAT(simulated(folder, names), ::testing::HasSubstr(R"("pass":true,"vectors":2)"))
            << folder;
        breakOne(folder + "/" + kGates);
        EXPECT_THAT(simulated(folder, names),
                    ::testing::Not(::testing::HasSubstr(R"("pass":true)")))
            << folder;
    }

    /// The functions of all look-up tables that hold an exclusive or become another.
    static void breakOne(const std::string& file) {
        const std::string gates = *readText(file);
        const std::string broken = std::regex_replace(
            gates, std::regex("16'h(6996|9669|c33c|3cc3|6666|9966)"), "16'h0000");
        EXPECT_NE(broken, gates);
        ASSERT_TRUE(writeText(file, broken));
    }

    /// The same of a design, exported for the device of these cells. `axi`: behind registers.
    void expectDesignRight(const TestDesign& design, bool axi = false) {
        hdl::ExportRequest request = requestFor(design);
        request.vectors = 2;
        request.device = *device::findDevice("ice40up5k");
        const std::string name = request.program.name;
        GateBench names{hdl::kDesignVerilogBench, name + "_tb", name + "_top"};
        if (axi) {
            request.form.interface = hdl::ExportInterface::Axi;
            request.form.streamBits = 32;
            names = {hdl::kAxiBench, name + "_axi_tb", name + "_axi"};
        }
        expectRight(made(name, hdl::designArtefact(request)), names);
    }

    std::string made(const std::string& name, const Result<hdl::Artefact>& artefact) const {
        EXPECT_TRUE(artefact) << (artefact ? "" : format(artefact.error()));
        EXPECT_TRUE(hdl::exportArtefact(artefact, path(name)));
        return path(name);
    }
};

} // namespace marquetry::test
