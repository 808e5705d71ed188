// What exports say of memories is in the words of the device's vendor.
#include "tests/cli/cli_fixture.h"

#include <regex>
#include <set>

namespace marquetry::cli_test {
namespace {

class AttributesCli : public Cli {
protected:
    /// Of all modules: "(* ram_style = … *)" gives "ram_style". Those of Yosys are left out.
    std::set<std::string> attributesOf(const std::string& program, const std::string& options) {
        const std::string file = write("item.mq", program);
        const Outcome exported =
            run("export " + file + " --force " + options + " --out " + path("export"));
        EXPECT_EQ(exported.status, 0) << exported.err;
        static const std::regex attribute(R"(\(\*([^)]*)\*\))");
        static const std::regex word(R"((\w+)(?: = "[^"]*")?)");
        std::set<std::string> found;
        for (const auto& entry : fs::directory_iterator(path("export/rtl"))) {
            const std::string text = contents(entry.path());
            for (std::sregex_iterator at(text.begin(), text.end(), attribute), end; at != end;
                 ++at) {
                const std::string inside = (*at)[1];
                for (std::sregex_iterator w(inside.begin(), inside.end(), word); w != end; ++w)
                    found.insert((*w)[1]);
            }
        }
        found.erase("keep");
        found.erase("mem2reg");
        return found;
    }
};

constexpr const char* kPlainDesign = R"(design d {
  input x : i8[8] = random(seed: 1);
  weight w : i8[4, 8] = random(seed: 2);
  output y = mv(w, x);
}
)";
constexpr const char* kPlainMemory =
    "memory m { array a : i8[64, 64]; for i in 0 .. 64 { read a[i, 0], a[i, 1]; write a[?r(i), 2]; "
    "} }\n";
constexpr const char* kPlainStream = R"(stream s {
  input x : Seq 4096 u8;
  output y = map2(add, x, shift(1024, x));
}
)";

TEST_F(AttributesCli, OfDesignsAndMemoriesAreTheVendors) {
    const std::pair<std::string, std::set<std::string>> vendors[] = {
        {"arria10", {"ramstyle", "romstyle"}},
        {"xcu250", {"ram_style", "rom_style"}},
        {"lfe5u-85f", {"syn_ramstyle", "syn_romstyle"}}};
    for (const auto& [device, words] : vendors) {
        SCOPED_TRACE(device);
        EXPECT_EQ(attributesOf(kPlainDesign, "--steps 2 --device " + device), words);
        EXPECT_EQ(attributesOf(kPlainMemory, "--device " + device), std::set{*words.begin()});
    }
}

/// Synthesis chooses what line buffers are made of.
TEST_F(AttributesCli, OfStreamsAreNone) {
    EXPECT_EQ(attributesOf(kPlainStream, "--device xcu250"), std::set<std::string>());
}

} // namespace
} // namespace marquetry::cli_test
