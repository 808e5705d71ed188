// Saturation and extraction by number of layers, beside SkeleShare's Fig. 12, and a long chain.
//
//   scaling [FIG12.csv]
//
// For VGG's first 1…14 layers under the published candidates: e-nodes, saturation seconds,
// extraction seconds of both readings at dsp=1518 with their status, and the published figures.
// Then CPU seconds per layer of chains of VGG's layers up to 210. CPU seconds of one thread; the
// published figures are wall clock.
#include "tests/support/programs.h"

#include "engine/device/device_file.h"
#include "engine/egraph/saturate.h"
#include "engine/extract/extract.h"

#include <ctime>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <sstream>

namespace marquetry {

namespace {

using design::CostModel;

struct Run {
    std::size_t enodes = 0;
    double saturate = 0;
    double extract = 0;
    std::string status;
};

double cpuSeconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

Run run(int layers, CostModel model) {
    rules::LoweringParams lowering;
    lowering.policy = model == CostModel::Cycles ? rules::Policy::Cycles : rules::Policy::Published;
    auto lowered = rules::lower(test::programOf(test::vggText(layers)), lowering);
    Run run;
    const double begin = cpuSeconds();
    egraph::saturate(*lowered->egraph, lowered->rewrites, {});
    run.saturate = cpuSeconds() - begin;
    run.enodes = lowered->egraph->enodeCount();
    extract::ExtractParams params;
    params.model = model;
    params.device = *device::findDevice("arria10");
    params.limits = params.device.limits;
    params.explain = false;
    const double extracting = cpuSeconds();
    const auto result = extract::extract(*lowered, params);
    run.extract = cpuSeconds() - extracting;
    run.status = result ? extract::toString(result->status) : "error";
    return run;
}

/// Rows of the CSV after its comment and its header.
std::vector<std::string> rowsOf(const char* path) {
    std::vector<std::string> rows;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);)
        if (!line.empty() && std::isdigit(static_cast<unsigned char>(line[0])) != 0)
            rows.push_back(line);
    return rows;
}

void printFirstLayers(const std::vector<std::string>& published) {
    std::cout << "layers  e-nodes  saturate s  extract s (published: status)  extract s "
                 "(published-open: status)  | SkeleShare: e-nodes, saturate s, extract s\n";
    for (int layers = 1; layers <= 14; ++layers) {
        const Run strict = run(layers, CostModel::Published);
        const Run open = run(layers, CostModel::PublishedOpen);
        std::cout << std::setw(6) << layers << std::setw(9) << open.enodes << std::fixed
                  << std::setprecision(3) << std::setw(12) << open.saturate << std::setw(11)
                  << strict.extract << " " << std::setw(12) << strict.status << std::setw(10)
                  << open.extract << " " << std::setw(10) << open.status;
        if (static_cast<std::size_t>(layers) <= published.size()) {
            std::istringstream row(published[static_cast<std::size_t>(layers) - 1]);
            std::vector<std::string> cells;
            for (std::string cell; std::getline(row, cell, ',');)
                cells.push_back(cell);
            std::cout << "  | " << cells.at(1) << ", " << cells.at(2) << ", " << cells.at(3)
                      << (cells.at(4) == "1" ? " (limit)" : "");
        }
        std::cout << "\n";
    }
}

void printChains() {
    std::cout
        << "\nchains of VGG's layers: layers, then CPU ms per layer (saturate, extract) under "
           "cycles and published-open\n";
    for (int layers : {4, 14, 28, 56, 112, 210}) {
        std::cout << std::setw(6) << layers;
        for (CostModel model : {CostModel::Cycles, CostModel::PublishedOpen}) {
            const Run one = run(layers, model);
            std::cout << std::fixed << std::setprecision(2) << std::setw(10)
                      << 1000 * one.saturate / layers << std::setw(10)
                      << 1000 * one.extract / layers << " " << one.status;
        }
        std::cout << "\n";
    }
}

} // namespace

} // namespace marquetry

int main(int argc, char** argv) {
    marquetry::printFirstLayers(argc > 1 ? marquetry::rowsOf(argv[1]) : std::vector<std::string>());
    marquetry::printChains();
    return 0;
}
