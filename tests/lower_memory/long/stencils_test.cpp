// The eight stencils, synthesised: the chosen scheme against what Spatial's search accepts first.
#include "tests/lower_memory/banked_fixture.h"
#include "tests/lower_memory/calibration/samples.h"
#include "tests/lower_memory/calibration/spatial_order.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <set>

namespace marquetry::hdl {
namespace {

const std::set<std::string> kStencils = {"denoise", "deconv",    "denoise_ur", "bicubic",
                                         "sobel",   "motion_lv", "motion_lh",  "motion_c"};

double size(const device::Resources& made) {
    return made.lut + made.ff;
}

TEST(Stencils, TheChosenSchemeIsNoLargerThanSpatialsFirst) {
    for (const ir::MemoryProgram& item : exampleMemories()) {
        if (!kStencils.contains(item.name))
            continue;
        SCOPED_TRACE(item.name);
        // Equal maps are synthesised once.
        std::vector<BankedMemory> memories = {plannedMemory(item)};
        std::vector<std::string> found = {"chosen"};
        std::vector<std::vector<ir::FlatMap>> seen;
        for (const FirstAccepted& first : firstAccepted(item)) {
            const std::string rules = first.view + " " + first.numbers + "/" + first.constants;
            const auto same = std::ranges::find(seen, first.maps);
            if (same != seen.end()) {
                found[static_cast<std::size_t>(same - seen.begin()) + 1] += ", " + rules;
                continue;
            }
            seen.push_back(first.maps);
            found.push_back(rules);
            memories.push_back(memoryWith(item, first.maps));
            memories.back().name = item.name + "_" + std::to_string(seen.size());
        }
        const test::TemporaryFolder folder;
        const auto made = synthesise(memories, folder.string());
        ASSERT_TRUE(made.has_value());
        double best = 1e9;
        for (std::size_t k = 0; k < memories.size(); ++k) {
            std::cout << "| `" << item.name << "` | " << found[k] << " | "
                      << memories[k].scheme.text() << " | " << (*made)[k].lut << " + "
                      << (*made)[k].ff << " = " << size((*made)[k]) << " |\n";
            if (k > 0)
                best = std::min(best, size((*made)[k]));
        }
        EXPECT_LE(size((*made)[0]), best);
    }
}

} // namespace
} // namespace marquetry::hdl
