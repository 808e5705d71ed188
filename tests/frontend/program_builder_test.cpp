#include "engine/frontend/program_builder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace marquetry::frontend {
namespace {

/// A name that exporters make: a path through their layers, with what was folded into it.
std::string pathOf(std::size_t letters) {
    std::string path;
    while (path.size() < letters)
        path += "model/block_1/batch_normalization/FusedBatchNormV3;";
    return path.substr(0, letters);
}

TEST(ProgramBuilder, NamesOfWeightsFitTheNamesOfFiles) {
    ProgramBuilder builder(pathOf(1000));
    for (const std::size_t letters : {1UL, 90UL, 96UL, 97UL, 255UL, 5000UL})
        ASSERT_TRUE(builder.weight(pathOf(letters), {ir::Scalar::I8, {2}}, {1, -1}));
    const ir::Program program = builder.take();
    EXPECT_LT(program.name.size(), 128U);
    for (const ir::ValueId id : program.weights) {
        const std::string& path = std::get<ir::FileSource>(program.value(id).source).path;
        const std::size_t folder = path.rfind('/') + 1;
        EXPECT_LT(path.size() - folder, 128U) << path;
    }
}

TEST(ProgramBuilder, NamesThatDifferBehindTheirBeginningStayApart) {
    ProgramBuilder builder("net");
    for (int k = 0; k < 20; ++k)
        ASSERT_TRUE(builder.weight(pathOf(300) + std::to_string(k), {ir::Scalar::I8, {1}}, {k}));
    const ir::Program program = builder.take();
    std::set<std::string> names;
    for (const ir::ValueId id : program.weights)
        names.insert(program.value(id).name);
    EXPECT_EQ(names.size(), 20U);
}

} // namespace
} // namespace marquetry::frontend
