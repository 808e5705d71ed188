// What it takes to find banks, to saturate and to extract, beside its goals. Processor time.
//
//   work_times EXAMPLES
#include "engine/banking/derive.h"
#include "tests/banking/memory_helpers.h"
#include "tests/bench/goals.h"
#include "tests/extract/params_within.h"
#include "tests/support/programs.h"
#include "tests/support/spaces.h"

#include "engine/egraph/saturate.h"
#include "engine/extract/extract.h"

namespace marquetry::bench {
namespace {

using design::CostModel;
using test::Effort;

void examples(const std::string& folder) {
    const auto parsed = frontend::parseFile(folder + "/memories/memories.mq");
    if (!parsed) {
        std::printf("%s", format(parsed.error()).c_str());
        return;
    }
    const device::Device device = banking::deviceNamed("arria10");
    const Effort least = test::leastEffortOf(5, [&] {
        for (const ir::MemoryProgram& memory : parsed->memories)
            (void)banking::plan(*banking::accessPattern(memory), {}, device);
    });
    report("banks of the " + std::to_string(parsed->memories.size()) + " published patterns", least,
           0.1);
}

void largeArrays() {
    const auto planned = [](const char* what, const std::string& body) {
        report(what, test::effortOf([&] { (void)banking::planOf(body); }), 30);
    };
    planned("banks for 1 000 lanes",
            "array a : i8[1048576]; for i in 0 .. 1048576 par 1000 { read a[i]; }");
    planned("banks for 2^31 words",
            "array a : i8[2147483648]; for i in 0 .. 2147483648 par 4 { read a[i]; write a[i]; }");
    planned("banks for 2^16 × 2^15 words",
            "array a : i32[65536, 32768]; for i in 0 .. 65534, j in 0 .. 32766 {"
            " read a[i, j+1], a[i+1, j], a[i+1, j+2], a[i+2, j+1]; }");
    planned("a directive for 2^16 × 2^15 words",
            "array a : i32[65536, 32768] bank hierarchical([2, 2], [65536, 1], [1, 1]);"
            " for i in 0 .. 65535, j in 0 .. 32767 { read a[i, j], a[i, j + 1]; }");
    planned("750 writes at once, in 4 · 10^9 iterations",
            "array a : i8[2147483648]; for i in 0 .. 1000000 par 250, j in 0 .. 1000000 {"
            " write a[1000*i], a[1000*i + 1000*j + 1], a[999*j + 1000*i + 500]; }");
    report("parameters of a scheme in six dimensions", test::effortOf([] {
               (void)banking::derive({ir::FlatMap{{1, 2, 3, 4, 5, 6}, 16, 16},
                                      ir::FlatMap{{3, 5, 2, 1, 7, 9}, 128, 2}},
                                     {8, 8, 8, 8, 8, 8});
           }),
           10);
}

void saturation() {
    for (const rules::Policy policy : {rules::Policy::Published, rules::Policy::Cycles}) {
        rules::LoweringParams params;
        params.policy = policy;
        auto vgg = rules::lower(test::programOf(test::vggText()), params);
        report(std::string("saturation of VGG's 14 layers, ") +
                   (policy == rules::Policy::Published ? "published" : "cycles"),
               test::effortOf([&] { egraph::saturate(*vgg->egraph, vgg->rewrites, {}); }), 20);
    }
}

void extraction(CostModel model) {
    const rules::Lowered vgg =
        test::spaceOf(test::vggText(), model, {}, model == CostModel::Cycles ? 0 : 8);
    if (model != CostModel::Cycles)
        for (const double dsp : {576.0, 1152.0, 1518.0, 3036.0, 6072.0}) {
            extract::ExtractParams params = test::paramsWithin(dsp, model);
            params.explain = false;
            report("VGG, " + std::string(toString(model)) + ", dsp " + std::to_string(int(dsp)),
                   test::effortOf([&] { (void)extract::extract(vgg, params); }), 10);
        }
    SplitMix64 rng(77);
    for (int k = 0; k < 10; ++k) {
        extract::ExtractParams params = test::paramsWithin(1518, model);
        params.pins.push_back(test::drawPin(vgg, rng));
        report("VGG, " + std::string(toString(model)) + ", " + toString(params.pins[0]),
               test::effortOf([&] { (void)extract::extract(vgg, params); }), 1);
    }
}

} // namespace
} // namespace marquetry::bench

int main(int argc, char** argv) {
    using namespace marquetry;
    if (argc < 2) {
        std::fprintf(stderr, "usage: work_times EXAMPLES\n");
        return 2;
    }
    bench::examples(argv[1]);
    bench::largeArrays();
    bench::saturation();
    for (const auto model : {design::CostModel::Cycles, design::CostModel::Published,
                             design::CostModel::PublishedOpen})
        bench::extraction(model);
    return 0;
}
