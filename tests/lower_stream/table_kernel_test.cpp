// Tables of constants as circuits and as kernels: what the interpreter says, in LUTs and in block
// RAM, in frames back to back, with gaps, and with X in every slot that is not valid.
#include "tests/lower_stream/kernel_checks.h"

#include "engine/cost/kernel_area.h"
#include "engine/rtl/printed.h"

namespace marquetry::test {
namespace {

/// "let t = table([…] : type);" of words without a pattern.
std::string tableText(std::int64_t words, const std::string& type, std::int64_t low,
                      std::int64_t high) {
    SplitMix64 random(static_cast<std::uint64_t>(words));
    std::string text = "let t = table([";
    for (std::int64_t k = 0; k < words; ++k)
        text += hdl::cat(k == 0 ? "" : ", ", random.range(low, high));
    return text + "] : " + type + ");\n";
}

/// Lookups whose table is in block RAM.
std::int64_t lookupsInBlockRam(const KernelCase& one) {
    const datapath::TimedDatapath timed = test::timed(one.circuit, one.rearranging);
    std::int64_t count = 0;
    for (std::size_t k = 0; k < timed.datapath.cells.size(); ++k)
        count += timed.isInBlockRam(k) ? 1 : 0;
    return count;
}

struct Words {
    std::int64_t count;
    std::string type;
    std::int64_t low;
    std::int64_t high;
    bool inBlockRam;
};

TEST(StreamTableKernel, EverySizeAtEveryRate) {
    const std::vector<Words> tables = {
        {2, "u8", 0, 255, false},          {10, "i8", -128, 127, false},
        {64, "u32", 0, 4294967295, false}, {100, "i32", -20, 9, false},
        {256, "u8", 0, 255, false},        {600, "u32", 0, 4294967295, true},
        {3000, "i16", -300, 299, true},    {4096, "u8", 0, 255, true},
        {512, "bit", 0, 1, false}};
    std::vector<KernelCase> cases;
    for (const Words& words : tables) {
        const std::string text =
            "stream s { input x : Seq 12 u16;\n" +
            tableText(words.count, words.type, words.low, words.high) +
            hdl::cat("output y = map(fn v -> t(clamp(lsr(v, 4), 0, ", words.count - 1, ")), x); }");
        for (const std::int64_t clocks : {1, 3, 6, 12, 24}) {
            addCircuit(frontend::streamOf(text), clocks, hdl::cat("t", words.count, "_", clocks),
                       cases);
            const auto inBlockRam = lookupsInBlockRam(cases.back());
            const std::int64_t lanes = std::max<std::int64_t>(1, 12 / clocks);
            EXPECT_EQ(inBlockRam, words.inBlockRam ? lanes : 0) << words.count << " " << clocks;
        }
    }
    expectEqual(cases, 10'000);
}

/// What meets a word that block RAM reads waits for it, in registers, memories, and loops.
TEST(StreamTableKernel, OthersWaitForBlockRam) {
    const std::string big = tableText(2048, "u32", 0, 4294967295);
    std::string sums = "let t = table([0";
    for (int k = 1; k < 2048; ++k)
        sums += hdl::cat(", ", k);
    sums += "] : u32);\n";
    const std::string one = "t(and(v, 2047))";
    const std::vector<std::string> bodies = {
        "input x : Seq 24 u32;\n" + big + "output y = map(fn v -> add(" + one + ", v), x); }",
        "input x : Seq 24 u32;\n" + big + "output y = map2(sub, x, shift(2, map(fn v -> " + one +
            ", x))); }",
        "input x : Seq 600 u32;\n" + big + "let z = map(fn v -> " + one +
            ", x); output y = map2(add, z, shift(400, z)); }",
        "input x : Seq 600 u32;\n" + big + "let z = map(fn v -> " + one +
            ", x); output y = shift(400, map2(fn a b -> xor(a, lsl(b, 1)), z, shift(1, z))); }",
        "input x : Seq 24 u32;\n" + sums +
            "output y = reduce(assoc fn a b -> t(and(add(a, b), 2047)), map(fn v -> and(v, 2047), "
            "x)); }"};
    std::vector<KernelCase> cases;
    for (std::size_t k = 0; k < bodies.size(); ++k) {
        const std::int64_t length = k == 2 || k == 3 ? 600 : 24;
        for (const std::int64_t clocks : {length / 2, length, 2 * length}) {
            addCircuit(frontend::streamOf("stream s { " + bodies[k]), clocks,
                       hdl::cat("w", k, "_", clocks), cases);
            if (testing::Test::HasFailure())
                return;
            EXPECT_GT(lookupsInBlockRam(cases.back()), 0) << cases.back().name;
        }
    }
    expectEqual(cases, 50'000);
}

TEST(StreamTableKernel, TwoLanesShareAMemory) {
    std::vector<KernelCase> cases;
    const std::string text = "stream s { input x : Seq 12 u16;\n" + tableText(4096, "u8", 0, 255) +
                             "output y = map(fn v -> t(lsr(v, 4)), x); }";
    for (const auto& [clocks, memories] :
         {std::pair(12, 1), std::pair(6, 1), std::pair(4, 2), std::pair(3, 2), std::pair(1, 6)}) {
        addCircuit(frontend::streamOf(text), clocks, hdl::cat("m", clocks), cases);
        const datapath::TimedDatapath timed = test::timed(cases.back().circuit);
        rtl::ModuleLibrary library("m");
        const hdl::StreamKernel kernel = hdl::kernelModule(library, timed, "m", {"x"}, "y");
        const std::string verilog = hdl::printed(finished(kernel.module)).modules.back().verilog;
        int found = 0;
        for (std::size_t at = 0; (at = verilog.find("$readmemh", at)) != std::string::npos; ++at)
            ++found;
        EXPECT_EQ(found, memories) << clocks;
        const device::Resources area = cost::kernelArea(timed, kernel.parts, spacetime::kintex());
        EXPECT_EQ(area.bram, memories) << clocks;
    }
    expectEqual(cases, 1'000);
}

} // namespace
} // namespace marquetry::test
