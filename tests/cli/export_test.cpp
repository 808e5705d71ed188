// `export` and `verify` of designs.
#include "tests/cli/cli_fixture.h"

namespace marquetry::cli_test {
namespace {

TEST_F(Cli, PortsOfDesignsMayHaveTheNamesOfWires) {
    const std::string file = write("d.mq", R"(design d {
  input a : i8[8] = random(seed: 1);
  input a_active : i8[8] = random(seed: 2);
  input in_a : i8[8] = random(seed: 3);
  input a_next : i8[8] = random(seed: 4);
  weight v : i8[4, 8] = random(seed: 5);
  output y = mv(v, a);
  output y_active = mv(v, a_active);
  output z = mv(v, in_a);
  output error = mv(v, a_next);
}
)");
    const Outcome exported =
        run("export " + file + " --device xcu250 --steps 2 --out " + path("export"));
    ASSERT_EQ(exported.status, 0) << exported.err;
    const Outcome verified = run("verify " + path("export") + " --simulator iverilog --json");
    ASSERT_EQ(verified.status, 0) << verified.err;
    EXPECT_EQ(Json::parse(verified.out)["pass"], true);
}

} // namespace
} // namespace marquetry::cli_test
