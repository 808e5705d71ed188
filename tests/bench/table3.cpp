// SkeleShare's Table III beside ours.
//
//   table3 TABLE3.csv EXAMPLES
//
// For every row of SkeleShare's own designs: our design of the same workload on arria10 at the same
// DSP blocks and the device file's bandwidth, 200 MHz, cost `cycles`, the second time with calls
// that may overlap; and T of the published models at the same D (two units of D to a DSP block).
// Rows without a published design (10 to 12) run the ablation under `published`. A workload that
// EXAMPLES does not hold is said to be missing.
#include "engine/frontend/parser.h"
#include "engine/session/explore.h"

#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <sstream>

namespace marquetry {

namespace {

struct Workload {
    const char* row;
    const char* file;
    const char* without;
};

constexpr Workload kWorkloads[] = {
    {"1", "vgg_cifar/vgg_cifar.mq", ""},
    {"3", "skeleshare/tiny_yolo/tiny_yolo.mq", ""},
    {"6", "skeleshare/self_attention/self_attention.mq", ""},
    {"8", "skeleshare/stencil/stencil.mq", ""},
    {"10", "vgg_cifar/vgg_cifar.mq", "sharing"},
    {"11", "vgg_cifar/vgg_cifar.mq", "padding"},
    {"12", "vgg_cifar/vgg_cifar.mq", "tiling"},
    {"14", "vgg_cifar/vgg_cifar.mq", ""},
    {"15", "vgg_cifar/vgg_cifar.mq", ""},
    {"17", "vgg_cifar/vgg_cifar.mq", ""},
};

struct Published {
    std::string name;
    std::string gops;
    std::string blocks;
};

std::map<std::string, Published> readTable(const char* path) {
    std::map<std::string, Published> rows;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        std::istringstream row(line);
        std::vector<std::string> cells;
        for (std::string cell; std::getline(row, cell, ',');)
            cells.push_back(cell);
        if (cells.size() > 5)
            rows[cells[0]] = {cells[1], cells[5], cells.size() > 6 ? cells[6] : ""};
    }
    return rows;
}

std::string summary(const std::string& path, design::CostModel cost, double dsp,
                    const std::string& without, bool overlap = false) {
    auto parsed = frontend::parseFile(path);
    if (!parsed)
        return "missing";
    auto program = frontend::selectItem(*std::move(parsed), "");
    if (!program)
        return "missing";
    session::Settings settings;
    settings.cost = cost;
    settings.limits["dsp"] = dsp;
    if (!without.empty())
        settings.without = {without};
    if (!overlap)
        settings.without.emplace_back("overlap");
    const auto result =
        session::explore(std::make_shared<const ir::Program>(*std::move(program)), settings, {});
    if (!result)
        return result.error().front().message;
    const extract::ExtractResult& found = result->extraction;
    if (!found.design)
        return found.infeasible.empty() ? "none" : "none (" + found.infeasible.front().code + ")";
    std::ostringstream text;
    text << found.design->cycles << " cycles, " << std::setprecision(4) << found.design->gops
         << " GOPS, DSP " << found.design->resources.dsp;
    if (cost == design::CostModel::Cycles)
        text << ", M20K " << found.design->resources.bram;
    text << ", " << extract::toString(found.status);
    return text.str();
}

void print(const Workload& workload, const Published& row, const std::string& examples) {
    const std::string path = examples + "/" + workload.file;
    const double blocks = row.blocks.empty() ? 1152 : std::stod(row.blocks);
    std::cout << "row " << workload.row << "  " << row.name << ": published " << row.gops
              << (row.blocks.empty() ? "" : " GOPS at " + row.blocks + " DSP blocks") << "\n";
    if (!std::filesystem::exists(path)) {
        std::cout << "    " << workload.file << " is missing\n";
        return;
    }
    for (const bool overlap : {false, true})
        if (*workload.without == '\0')
            std::cout << (overlap ? "    cycles          " : "    calls apart     ")
                      << summary(path, design::CostModel::Cycles, blocks, workload.without, overlap)
                      << "\n";
    for (design::CostModel cost : {design::CostModel::Published, design::CostModel::PublishedOpen})
        std::cout << "    " << std::left << std::setw(16) << toString(cost)
                  << summary(path, cost, 2 * blocks, workload.without) << "\n";
}

} // namespace

} // namespace marquetry

int main(int argc, char** argv) {
    if (argc < 3) {
        std::cerr << "usage: table3 TABLE3.csv EXAMPLES\n";
        return 2;
    }
    const auto table = marquetry::readTable(argv[1]);
    for (const marquetry::Workload& workload : marquetry::kWorkloads)
        if (const auto row = table.find(workload.row); row != table.end())
            marquetry::print(workload, row->second, argv[2]);
    return 0;
}
