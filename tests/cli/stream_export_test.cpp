// `export` and `verify` on stream items.
#include "tests/cli/cli_fixture.h"

namespace marquetry::cli_test {
namespace {

using ::testing::HasSubstr;

const std::string kStream = "stream s { input x : Seq 8 u8; output a = map(fn v -> add(v, 5), x);\n"
                            "output b = map2(sub, x, shift(2, x)); }\n";

TEST_F(Cli, ExportsAndVerifiesAStream) {
    const std::string file = write("s.mq", kStream);
    const Outcome exported =
        run("export " + file + " --throughput 1/2 --out " + path("export") + " --json");
    ASSERT_EQ(exported.status, 0) << exported.err;
    const auto predicted = Json::parse(exported.out)["predicted_cycles"];
    const Outcome verified =
        run("verify " + path("export") + " --simulator iverilog --vectors 4 --json");
    ASSERT_EQ(verified.status, 0) << verified.err;
    const Json report = Json::parse(verified.out);
    EXPECT_EQ(report["pass"], true);
    EXPECT_EQ(report["predicted_cycles"], predicted);
    EXPECT_EQ(report["cycles_of_vectors"],
              Json::array({predicted, predicted, predicted, predicted}));
    EXPECT_THAT(contents(path("export/rtl/s_kernel.v")), HasSubstr("Input x : TSeq 8 "));
}

/// More clocks than a bench waits without progress: it must see the progress.
TEST_F(Cli, VerifiesManyFramesOfAStream) {
    const std::string file = write("s.mq", kStream);
    ASSERT_EQ(run("export " + file + " --out " + path("export")).status, 0);
    for (const char* const simulator : {"verilator", "iverilog"}) {
        const Outcome verified =
            run("verify " + path("export") + " --vectors 300 --json --simulator " + simulator);
        EXPECT_EQ(verified.status, 0) << simulator << verified.err << verified.out;
    }
}

TEST_F(Cli, RefusesToExportAStreamThatHasNoSchedule) {
    const std::string file = write("s.mq", kStream);
    const Outcome none = run("export " + file + " --throughput 3 --out " + path("o"));
    EXPECT_EQ(none.status, 1) << "the answer is no";
    EXPECT_THAT(none.err, HasSubstr("[infeasible-throughput]"));
    const Outcome target =
        run("export " + file + " --throughput 2 --target vhdl --out " + path("o"));
    EXPECT_EQ(target.status, 2);
    EXPECT_THAT(target.err, HasSubstr("[unknown-target]"));
}

TEST_F(Cli, AChangedStreamExportIsDamaged) {
    const std::string file = write("s.mq", kStream);
    ASSERT_EQ(run("export " + file + " --out " + path("export")).status, 0);
    const std::string design = contents(path("export/DESIGN.json"));
    write("export/DESIGN.json", design + "\n");
    const Outcome damaged = run("verify " + path("export"));
    EXPECT_EQ(damaged.status, 2);
    EXPECT_THAT(damaged.err, HasSubstr("[export-damaged]"));
}

} // namespace
} // namespace marquetry::cli_test
