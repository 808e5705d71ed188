// Banked memories proven by induction: in every state that the assertions allow, every lane reaches
// its word and no bank is asked for two.
#include "engine/support/process.h"
#include "tests/lower_memory/banked_fixture.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace marquetry::hdl {
namespace {

int ranWith(std::vector<std::string> arguments, const std::string& folder, std::string& output) {
    const auto ran = runProcess({std::move(arguments), folder});
    EXPECT_TRUE(ran.has_value());
    output += ran ? ran->output : "";
    return ran ? ran->exitCode : 127;
}

/// What the assertions and the assumption on the reset depend on, in gates: the counters and the
/// address generators. Words of the memories and what is read have no part in an address.
void writeModel(const BankedMemory& memory, const std::string& folder) {
    std::string files;
    for (const std::string& file : writeMemories({memory}, folder))
        if (!file.ends_with("/top.v"))
            files += " " + file;
    std::string output;
    const std::string script =
        "read_verilog -formal -sv" + files + "; prep -top " + memory.name +
        " -flatten; async2sync; dffunmap; select -set cone t:$assert t:$assume %u %ci*; "
        "delete @cone %n; opt_clean; techmap; opt -full; abc -g AND,XOR,MUX; opt_clean; "
        "select -assert-min 1 t:$assert; write_smt2 -wires model.smt2";
    EXPECT_EQ(ranWith({"yosys", "-q", "-p", script}, folder, output), 0) << output;
}

/// From reset, `steps` clocks.
bool holdsFromReset(const std::string& folder, int steps, std::string& output) {
    return ranWith({"yosys-smtbmc", "--noprogress", "-s", "z3", "-t", std::to_string(steps),
                    "model.smt2"},
                   folder, output) == 0;
}

bool holdsByInduction(const std::string& folder, std::string& output) {
    return ranWith({"yosys-smtbmc", "--noprogress", "-s", "z3", "-i", "-t", "2", "model.smt2"},
                   folder, output) == 0;
}

const std::set<std::string> kStencils = {"denoise", "deconv",    "denoise_ur", "bicubic",
                                         "sobel",   "motion_lv", "motion_lh",  "motion_c"};

TEST(Proof, StencilsAreFreeOfConflictsByInduction) {
    std::set<std::string> proven;
    for (const ir::MemoryProgram& item : exampleMemories()) {
        if (!kStencils.contains(item.name))
            continue;
        SCOPED_TRACE(item.name);
        const test::TemporaryFolder place;
        const std::string folder = place.string();
        writeModel(plannedMemory(item), folder);
        std::string output;
        EXPECT_TRUE(holdsFromReset(folder, 3, output)) << output;
        EXPECT_TRUE(holdsByInduction(folder, output)) << output;
        proven.insert(item.name);
    }
    EXPECT_EQ(proven, kStencils);
}

TEST(Proof, AnXorSchemeIsFreeOfConflictsByInduction) {
    const test::TemporaryFolder place;
    const std::string folder = place.string();
    writeModel(plannedMemory(memoryItem("m", "array a : i8[8192] bank xor([[4097], [2]]); for i in"
                                             " 0 .. 2048 { read a[4*i], a[4*i + 1], a[4*i + 2],"
                                             " a[4*i + 3]; }")),
               folder);
    std::string output;
    EXPECT_TRUE(holdsFromReset(folder, 3, output)) << output;
    EXPECT_TRUE(holdsByInduction(folder, output)) << output;
}

/// As many banks as the stencil needs, in the wrong places.
TEST(Proof, ConflictingSchemesFail) {
    const std::map<std::string, ir::FlatMap> kMutants = {
        {"denoise", {{1, 2}, 1, 4}}, {"sobel", {{1, 2}, 1, 9}}, {"motion_lh", {{1, 0}, 1, 6}}};
    for (const ir::MemoryProgram& item : exampleMemories()) {
        const auto mutant = kMutants.find(item.name);
        if (mutant == kMutants.end())
            continue;
        SCOPED_TRACE(item.name);
        const test::TemporaryFolder place;
        const std::string folder = place.string();
        writeModel(memoryWith(item, {mutant->second}), folder);
        std::string output;
        EXPECT_FALSE(holdsFromReset(folder, 4, output)) << output;
        EXPECT_NE(output.find("Assert failed"), std::string::npos) << output;
    }
}

} // namespace
} // namespace marquetry::hdl
