#include "engine/frontend/onnx/topological_order.h"

#include "engine/support/quote.h"

#include <queue>

namespace marquetry::frontend::onnx {
namespace {

using Edges = std::vector<std::vector<std::size_t>>;

/// For each node those that read it, once per use.
Edges readersOf(const OnnxModel& model) {
    constexpr std::size_t kNone = static_cast<std::size_t>(-1);
    std::vector<std::size_t> maker(model.tensors.size(), kNone);
    for (std::size_t k = 0; k < model.nodes.size(); ++k) {
        for (const int id : model.nodes[k].outputs) {
            if (id >= 0)
                maker[static_cast<std::size_t>(id)] = k;
        }
    }
    Edges readers(model.nodes.size());
    for (std::size_t k = 0; k < model.nodes.size(); ++k) {
        for (const int id : model.nodes[k].inputs) {
            if (id >= 0 && maker[static_cast<std::size_t>(id)] != kNone)
                readers[maker[static_cast<std::size_t>(id)]].push_back(k);
        }
    }
    return readers;
}

} // namespace

void sortNodes(OnnxModel& model, Faults& faults) {
    const Edges readers = readersOf(model);
    std::vector<std::size_t> waits(model.nodes.size());
    for (const auto& those : readers) {
        for (const std::size_t reader : those)
            ++waits[reader];
    }
    std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
    for (std::size_t k = 0; k < waits.size(); ++k) {
        if (waits[k] == 0)
            ready.push(k);
    }
    std::vector<OnnxNode> sorted;
    sorted.reserve(model.nodes.size());
    while (!ready.empty()) {
        const std::size_t node = ready.top();
        ready.pop();
        sorted.push_back(std::move(model.nodes[node]));
        for (const std::size_t reader : readers[node]) {
            if (--waits[reader] == 0)
                ready.push(reader);
        }
    }
    if (sorted.size() < model.nodes.size()) {
        const auto stuck = std::find_if(waits.begin(), waits.end(), [](auto n) { return n > 0; });
        const OnnxNode& node = model.nodes[static_cast<std::size_t>(stuck - waits.begin())];
        faults.add("onnx-graph",
                   "the node " + inQuotes(node.name) +
                       " waits for its own result: the graph has "
                       "a cycle",
                   "the file is damaged; export it again");
    }
    model.nodes = std::move(sorted);
}

} // namespace marquetry::frontend::onnx
