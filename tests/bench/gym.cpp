// Published e-graphs of extraction-gym: exact extraction within 30 seconds, CBC included.
//
//   gym FOLDER
//
// For every file its cost, the bound, whether it is proven, and the time taken beside the limit.
#include "tests/bench/goals.h"

#include "engine/term_extract/build.h"
#include "engine/term_extract/extract.h"

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace marquetry::bench {
namespace {

constexpr double kSeconds = 30;

void extracted(const std::filesystem::path& path) {
    std::stringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    const auto graph = egraph::parseJson(text.str());
    const auto read = graph ? term_extract::problemOf(*graph) : graph.error();
    if (!read) {
        std::printf("%s\n", format(read.error()).c_str());
        return;
    }
    Result<term_extract::TermExtractResult> result = makeError("", "");
    test::Effort effort = Figures::effort(0);
    const test::Span span = test::spanOf([&] {
        effort = test::effortOf(
            [&] { result = term_extract::extract(read->problem, {.seconds = kSeconds}, {}); });
    });
    if (!result)
        return;
    std::printf("%s: %zu e-nodes, cost %.10g, bound %.10g, %s, processor time %.4f s\n",
                path.filename().c_str(), read->problem.nodeCount(), result->dagCost,
                result->lowerBound, result->optimal ? "proven" : "open", Figures::seconds(effort));
    report("    on the wall", span, 1.1 * kSeconds);
}

} // namespace
} // namespace marquetry::bench

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: gym FOLDER\n");
        return 2;
    }
    std::set<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(argv[1]))
        if (entry.path().extension() == ".json")
            files.insert(entry.path());
    for (const std::filesystem::path& path : files)
        marquetry::bench::extracted(path);
    return 0;
}
