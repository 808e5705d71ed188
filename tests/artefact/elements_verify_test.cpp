// Functions of elements as hardware: results and cycles in the simulators.
#include "engine/design/cycle_model.h"
#include "tests/artefact/export_fixture.h"
#include "tests/lower_design/random_elements.h"

namespace marquetry {

namespace {

class ElementsVerified : public test::ExportTest {};

} // namespace

TEST_F(ElementsVerified, InIcarus) {
    for (std::uint64_t seed = 0; seed < 16; ++seed) {
        SCOPED_TRACE(test::randomElementsText(seed));
        const test::TestDesign design = test::randomElements(seed);
        const std::string folder = exportTo(design.program.name, design);
        const hdl::VerifyReport report =
            verified(folder, design, {hdl::Simulator::Icarus, 2, seed, seed % 3 != 0});
        EXPECT_TRUE(report.pass);
        for (const auto& wrong : report.mismatches)
            ADD_FAILURE() << wrong.output << "[" << wrong.index << "]: expected " << wrong.expected
                          << ", got " << wrong.got;
        const std::int64_t predicted = design::predictCycles(design.schedule).total;
        EXPECT_EQ(report.cycles, std::vector<std::int64_t>(2, predicted));
    }
}

} // namespace marquetry
