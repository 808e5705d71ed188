// Waveforms on demand: an FST of the first run, whoever simulates it.
#include "engine/artefact/simulation.h"
#include "tests/artefact/export_fixture.h"
#include "tests/lower_design/test_designs.h"

namespace marquetry {

using hdl::Simulator;
using hdl::VerifyReport;
using test::TestDesign;

namespace {

class Waveforms : public test::ExportTest {
protected:
    /// Of a right design, and of what the report says beside them.
    VerifyReport traced(Simulator simulator, hdl::ExportInterface interface = {}) {
        const TestDesign design = test::convPoolRequant();
        hdl::ExportRequest request = test::requestFor(design);
        request.form.interface = interface;
        EXPECT_TRUE(hdl::exportArtefact(hdl::designArtefact(request), path("traced")));
        hdl::VerifyParams params{simulator, 1, 1, true};
        params.waveforms = true;
        return verified(path("traced"), design, params);
    }

    /// The header block: its kind 0, its length 329, and behind the times, the byte order of the
    /// writer: e as a double. And names of the hardware, packed or not, that take some room.
    static void expectFst(const std::string& bytes) {
        ASSERT_GT(bytes.size(), 1000U);
        EXPECT_EQ(bytes.substr(0, 9), std::string("\0\0\0\0\0\0\0\x01\x49", 9));
        double e = 0;
        std::copy_n(bytes.data() + 25, sizeof e, reinterpret_cast<char*>(&e));
        EXPECT_DOUBLE_EQ(e, 2.7182818284590452354);
    }
};

} // namespace

TEST_F(Waveforms, AreWrittenByVerilator) {
    const VerifyReport report = traced(Simulator::Verilator);
    EXPECT_TRUE(report.pass);
    EXPECT_EQ(report.cycles, std::vector{report.predictedCycles});
    expectFst(report.waveforms);
}

TEST_F(Waveforms, AreWrittenBehindRegistersByVerilator) {
    const VerifyReport report = traced(Simulator::Verilator, hdl::ExportInterface::Axi);
    EXPECT_TRUE(report.pass);
    expectFst(report.waveforms);
}

TEST_F(Waveforms, AreWrittenByIcarus) {
    const VerifyReport report = traced(Simulator::Icarus);
    EXPECT_TRUE(report.pass);
    expectFst(report.waveforms);
}

TEST_F(Waveforms, OfAFailingRunTakeThePlaceOfItsTrace) {
    const TestDesign design = test::convPoolRequant();
    const std::string folder = exportTo("failing", design);
    patch(folder, "rtl/conv_pool_unit_conv_3x3_epilogue.v", "x[31:7]", "x[30:6]");
    hdl::VerifyParams params{Simulator::Icarus, 1, 1, true};
    params.waveforms = true;
    const VerifyReport report = verified(folder, design, params);
    EXPECT_FALSE(report.pass);
    EXPECT_TRUE(report.checkpoints && report.checkpoints->wrong);
    expectFst(report.waveforms);
    EXPECT_EQ(report.trace, "");
}

TEST_F(Waveforms, AreNotWrittenUnlessTheyAreAskedFor) {
    const TestDesign design = test::convPoolRequant();
    const VerifyReport report =
        verified(exportTo("quiet", design), design, {Simulator::Icarus, 1, 1, true});
    EXPECT_TRUE(report.pass);
    EXPECT_EQ(report.waveforms, "");
}

} // namespace marquetry
