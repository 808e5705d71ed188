// The networks of examples/networks from their files to simulated Verilog.
#pragma once

#include "tests/cli/cli_fixture.h"
#include "tests/support/places.h"

#include <gtest/gtest.h>

#include <string>

namespace marquetry::cli_test {

class ExampleNetwork : public Cli, public testing::WithParamInterface<std::string> {
protected:
    /// Every word of two vectors, and the cycles that were predicted.
    void exportAndVerify() const {
        const std::string file =
            test::sourceFolder() + "/examples/networks/" + GetParam() + ".onnx";
        const Outcome exported = run("export " + file + " --device xc7z020 --out " + path("rtl"));
        ASSERT_EQ(exported.status, 0) << exported.err;
        const Outcome outcome =
            run("verify " + path("rtl") + " --simulator verilator --vectors 2 --json");
        ASSERT_EQ(outcome.status, 0) << outcome.err;
        const Json verified = Json::parse(outcome.out);
        EXPECT_EQ(verified["pass"], true);
        EXPECT_EQ(verified["cycles"], verified["predicted_cycles"]);
    }
};

} // namespace marquetry::cli_test
