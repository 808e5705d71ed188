// What cannot be exported is refused with its reason, and no file is touched.
#include "tests/vendor/exports/exported_folders.h"

namespace marquetry::test {
namespace {

using ::testing::HasSubstr;

struct Refused {
    const char* options;
    const char* code; ///< or what is said instead
};

const std::vector<Refused> kRefused = {
    {"--item d --target vhdl", "[unknown-target]"},
    {"--item d --target Vivado", "[unknown-target]"},
    {"--item d --board pynq", "[unknown-board]"},
    {"--item d --interface AXI", "[interface-form]"},
    {"--item d --device nosuch", "[device-unknown]"},
    {"--item e", "e"},
    {"--item d --target quartus --device xc7z020", "targets that do: 'verilog' and 'vivado'"},
    {"--item d --target vivado --device arria10", "targets that do: 'verilog' and 'quartus'"},
    {"--item m --target open --device xcu250", "[target-device]"},
    {"--item s --target quartus", "[target-device]"},
    {"--item d --clock 0", "[clock-range]"},
    {"--item d --clock -1", "[clock-range]"},
    {"--item d --clock nan", "[clock-range]"},
    {"--item d --clock inf", "[clock-range]"},
    {"--item d --clock 2000", "[clock-range]"},
    {"--item d --clock 1e-300", "[clock-range]"},
    {"--item s --clock 0", "[clock-range]"},
    {"--item m --clock 2000", "[clock-range]"},
    {"--item d --clock fast", "--clock"},
    {"--item d --interface axi --stream-bits 7", "[stream-width]"},
    {"--item d --interface axi --stream-bits 24", "[stream-width]"},
    {"--item d --interface axi --stream-bits 1024", "[stream-width]"},
    {"--item s --interface axi --stream-bits -8", "[stream-width]"},
    {"--item d --interface axi --stream-bits 4294967304", "--stream-bits"},
    {"--item d --stream-bits 32", "[interface-form]"},
    {"--item m --interface axi", "[interface-form]"},
    {"--item d --target vivado --board pynq-z2", "[interface-form]"},
    {"--item d --target vivado --interface axi --board pynq-z2 --device zu7ev", "[board-device]"},
    {"--item d --target vivado --interface axi --board zcu104 --device xcu250", "[board-device]"},
    {"--item d --interface axi --board pynq-z2", "[board-device]"},
    {"--item d --target vivado --interface axi --board pynq-z2 --clock 300", "[board-clock]"},
    {"--item s --target vivado --interface axi --board pynq-z2 --throughput 3",
     "--stream-bits 8 divides them"},
    {"--item s --interface axi --throughput 3 --stream-bits 64", "[stream-width]"},
    {"--item s --interface axi --throughput 5", "[infeasible-throughput]"},
};

TEST_F(ExportedFolders, AreNotMadeOfWhatIsRefused) {
    const auto before = contentsOf(top_.path());
    for (const Refused& refused : kRefused) {
        const auto result = exported(refused.options, top_.path() / "out");
        EXPECT_THAT(result.exitCode, ::testing::AllOf(::testing::Ge(1), ::testing::Le(2)))
            << refused.options;
        EXPECT_THAT(result.output, HasSubstr(refused.code)) << refused.options;
        EXPECT_EQ(contentsOf(top_.path()), before) << refused.options;
        EXPECT_FALSE(std::filesystem::exists(top_.path() / "out")) << refused.options;
    }
}

TEST_F(ExportedFolders, ThatAreThereAreLeftAloneByWhatIsRefused) {
    const auto folder = made("--item d", "out");
    const auto before = contentsOf(folder);
    for (const Refused& refused : kRefused) {
        EXPECT_NE(exported(refused.options, folder).exitCode, 0) << refused.options;
        EXPECT_EQ(contentsOf(folder), before) << refused.options;
    }
}

/// 12 bytes in words of 8: the last word is not full.
TEST_F(ExportedFolders, HoldFramesThatNoWordDivides) {
    for (const char* bits : {"8", "64", "512"}) {
        const auto folder =
            made(std::string("--item s --interface axi --stream-bits ") + bits, bits);
        expectVerified(folder, "iverilog");
    }
}

TEST_F(ExportedFolders, OfItemsWithoutInputs) {
    writeAll(top_, {{"ramp.mq", "stream ramp { output y = counter(12, 1 : u8); }\n"
                                "design still { weight v : i8[4, 8] = random(seed: 5);\n"
                                "weight a : i8[8] = random(seed: 1); output y = mv(v, a); }\n"}});
    for (const char* form : {"stream", "axi"}) {
        const std::string options = std::string(" --interface ") + form;
        const auto folder = top_.path() / form;
        const auto ramp = exported("--item ramp" + options, folder, "ramp.mq");
        ASSERT_EQ(ramp.exitCode, 0) << ramp.output;
        expectWhole(folder);
        expectVerified(folder, "iverilog");
        const auto still = exported("--item still" + options, top_.path() / "still", "ramp.mq");
        EXPECT_EQ(still.exitCode, 2);
        EXPECT_THAT(still.output, HasSubstr("[unsupported-op]"));
        EXPECT_FALSE(std::filesystem::exists(top_.path() / "still"));
    }
    const auto board = top_.path() / "board";
    const auto system =
        exported("--item ramp --target vivado --interface axi --board pynq-z2", board, "ramp.mq");
    EXPECT_EQ(system.exitCode, 0) << system.output;
    expectWhole(board);
}

} // namespace
} // namespace marquetry::test
