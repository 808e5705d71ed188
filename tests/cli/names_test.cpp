// Exports of items and ports with troublesome names, from the program's text to both simulators.
#include "tests/cli/cli_fixture.h"

namespace marquetry::cli_test {
namespace {

class NamesCli : public Cli {
protected:
    void expectVerified(const std::string& item, const std::string& program) {
        SCOPED_TRACE(item);
        const std::string file = write(item + ".mq", program);
        const Outcome exported =
            run("export " + file + " --device xcu250 --steps 2 --out " + path("of_" + item));
        ASSERT_EQ(exported.status, 0) << exported.err;
        for (const char* simulator : {"iverilog", "verilator"}) {
            const Outcome verified = run("verify " + path("of_" + item) +
                                         " --vectors 2 --simulator " + simulator + " --json");
            ASSERT_EQ(verified.status, 0) << simulator << verified.err;
            EXPECT_EQ(Json::parse(verified.out)["pass"], true) << simulator;
        }
        const Outcome read = readByYosys(path("of_" + item + "/rtl"));
        EXPECT_EQ(read.status, 0) << read.err;
    }

    /// All modules of the folder, whichever is the top.
    Outcome readByYosys(const std::string& folder) const {
        const std::string command = "cd '" + folder + "' && yosys -q -p 'read_verilog *.v; " +
                                    "hierarchy -check -auto-top; proc; check -assert' >" +
                                    path("stdout") + " 2>" + path("stderr") + " </dev/null";
        const int status = std::system(command.c_str());
        return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents(path("stdout")),
                contents(path("stderr"))};
    }
};

TEST_F(NamesCli, OfMemoriesAreFreeOfReservedWords) {
    const std::string body =
        " { array a : i8[8, 8]; for i in 0 .. 8 { read a[i, 0], a[i, 1]; write a[?r(i), 2]; } }\n";
    expectVerified("specify", "memory specify" + body);
    EXPECT_TRUE(fs::exists(path("of_specify/rtl/specify_x.v")));
    EXPECT_EQ(Json::parse(contents(path("of_specify/DESIGN.json")))["program"], "specify");
    for (const std::string name : {"aclk", "step0", "Words"})
        expectVerified(name, "memory " + name + body);
}

TEST_F(NamesCli, OfStreamsAndTheirPortsMayBeAnything) {
    expectVerified("word", R"(stream word {
  input top : Seq 4 u8;
  input Top : Seq 4 u8;
  input a__b : Seq 4 u8;
  input wreal : Seq 4 u8;
  let sum = map2(add, map2(sub, top, Top), map2(add, a__b, wreal));
  output _ = map(fn v -> add(v, 1), sum);
}
)");
}

/// Names of ports of the kernel, of library modules and of the bench.
TEST_F(NamesCli, OfStreamsMayBeThoseOfTheirParts) {
    expectVerified("kernel", R"(stream kernel {
  input valid : Seq 4 u8;
  input kernel_top : Seq 4 u8;
  input Kernel_tb : Seq 4 u8;
  output valid_2 = map2(add, valid, map2(add, kernel_top, Kernel_tb));
}
)");
}

TEST_F(NamesCli, MayBeLong) {
    const std::string name(200, 'm');
    expectVerified("long", "design " + name + " { input " + name + " : i8[8] = random(seed: 1); " +
                               "weight w : i8[4, 8] = random(seed: 2); output " + name +
                               "_y = mv(w, " + name + "); }\n");
}

TEST_F(NamesCli, OfDesignsAndTheirPortsMayBeAnything) {
    expectVerified("Load", R"(design Load {
  input top : i8[8] = random(seed: 1);
  input Top : i8[8] = random(seed: 2);
  input load_top_top : i8[8] = random(seed: 3);
  weight signal : i8[4, 8] = random(seed: 4);
  output aclk = mv(signal, top);
  output ACLK = mv(signal, Top);
  output load__top = mv(signal, load_top_top);
}
)");
    expectVerified("block_memory", R"(design block_memory {
  input block_memory_tb : i8[8] = random(seed: 1);
  input Block_Memory_Top : i8[8] = random(seed: 2);
  weight module : i8[4, 8] = random(seed: 4);
  output done = mv(module, block_memory_tb);
  output a__b = mv(module, Block_Memory_Top);
}
)");
}

} // namespace
} // namespace marquetry::cli_test
