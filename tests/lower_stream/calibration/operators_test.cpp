// The table by which the search compares (area_table.h), regenerated: every operator on words
// synthesised alone, its LUTs per bit and its DSP blocks.
#include "engine/rtl/printed.h"
#include "engine/spacetime/area_table.h"
#include "tests/lower_stream/calibration/samples.h"
#include "tests/lower_stream/kernel_synthesis.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

namespace marquetry::test {
namespace {

using ir::StreamOp;

const std::vector<int> kWidths = {8, 16, 32};

/// One operator in each clock, all operands new.
std::string streamOf(StreamOp op, int width) {
    const std::string name(ir::info(op).name);
    const std::string word = hdl::cat(op == StreamOp::Abs ? "i" : "u", width);
    const std::string head = hdl::cat("stream s { input x : Seq 4 ", word, "; ");
    const std::string both = hdl::cat(head, "input z : Seq 4 ", word, "; ");
    if (op == StreamOp::Abs)
        return head + "output y = map(fn v -> abs(v), x); }";
    if (op == StreamOp::If)
        return both + "input c : Seq 4 bit; output y = map2(fn c p -> if(c, fst(p), snd(p)), c, "
                      "map2(tuple, x, z)); }";
    return hdl::cat(both, "output y = map2(", name, ", x, z); }");
}

struct Case {
    StreamOp op;
    int width;
};

/// Areas of the operators on `kWidths` bits, in one run.
std::map<StreamOp, std::map<int, device::Resources>> operators(const std::vector<StreamOp>& ops) {
    std::vector<Case> cases;
    std::vector<hdl::Netlist> netlists;
    for (const StreamOp op : ops) {
        for (const int width : kWidths) {
            const auto built =
                build({static_cast<std::int64_t>(cases.size()), 4, streamOf(op, width), {}});
            EXPECT_TRUE(built) << ir::info(op).name;
            cases.push_back({op, width});
            netlists.push_back(hdl::printed(finished(built->kernel.module)));
        }
    }
    const TemporaryFolder folder;
    const auto made = synthesise(netlists, folder.string());
    EXPECT_TRUE(made.has_value());
    std::map<StreamOp, std::map<int, device::Resources>> areas;
    for (std::size_t k = 0; made && k < cases.size(); ++k)
        areas[cases[k].op][cases[k].width] = (*made)[k];
    return areas;
}

TEST(OperatorCalibration, LutsPerBitAreThoseOfTheTable) {
    std::vector<StreamOp> ops;
    std::map<StreamOp, double> stated;
    for (const spacetime::AtomArea& area : spacetime::kAtomAreas) {
        stated[area.op] = area.lutPerBit;
        const bool onWords = area.op != StreamOp::Not && area.op != StreamOp::Fst &&
                             area.op != StreamOp::Snd && !ir::isCast(area.op);
        if (onWords)
            ops.push_back(area.op);
    }
    for (const auto& [op, areas] : operators(ops)) {
        double perBit = 0;
        for (const auto& [width, area] : areas)
            perBit += area.lut / width / static_cast<double>(areas.size());
        std::printf("%s: %.3f\n", std::string(ir::info(op).name).c_str(), perBit);
        // To the next tenth.
        EXPECT_NEAR(stated[op], std::round(perBit * 10) / 10, 1e-9) << ir::info(op).name;
    }
}

TEST(OperatorCalibration, ProductsTakeWhatTheTableSays) {
    const auto areas = operators({StreamOp::Mul});
    for (const auto& [width, area] : areas.at(StreamOp::Mul)) {
        const int bits = width;
        const auto entry = std::ranges::find_if(
            spacetime::kProductAreas,
            [bits](const spacetime::ProductArea& product) { return bits <= product.bits; });
        EXPECT_EQ(area.dsp, entry->dsp) << width;
        EXPECT_EQ(area.lut, entry->lut) << width;
    }
}

} // namespace
} // namespace marquetry::test
