#include "engine/frontend/onnx/graph_ports.h"
#include "engine/frontend/onnx/handlers.h"
#include "engine/frontend/onnx/quantise.h"
#include "engine/support/quote.h"

#include <set>

namespace marquetry::frontend::onnx {
namespace {

using Readers = std::map<int, std::vector<const OnnxNode*>>;

Readers nodesReading(const OnnxModel& model) {
    Readers readers;
    for (const OnnxNode& node : model.nodes) {
        for (const int id : node.inputs)
            readers[id].push_back(&node);
    }
    return readers;
}

bool passesOn(const OnnxNode& node) {
    static const std::set<std::string> kViews = {"Identity", "Dropout",   "Reshape",   "Flatten",
                                                 "Squeeze",  "Unsqueeze", "Transpose", "Cast"};
    return node.domain.empty() && kViews.contains(node.op);
}

bool quantises(const OnnxNode& node) {
    const std::string key = handlerKey(node);
    return key == "QuantizeLinear" || key == "qonnx.Quant" || key == "Quant";
}

bool readsRows(const OnnxNode& node) {
    static const std::set<std::string> kReaders = {"MatMul", "MatMulInteger", "QLinearMatMul",
                                                   "LayerNormalization"};
    return kReaders.contains(handlerKey(node));
}

/// What reads the tensor, views and quantisations looked through.
struct FirstReaders {
    std::vector<const OnnxNode*> quantisers;
    bool others = false;
    bool viewed = false; ///< a Transpose or a Reshape is among the first readers
    bool rows = false;   ///< a matrix is among them, or what normalises rows
};

void follow(const Readers& readers, int tensor, bool quantised, int depth, FirstReaders& found) {
    const auto those = readers.find(tensor);
    if (those == readers.end() || depth > 16)
        return;
    for (const OnnxNode* node : those->second) {
        if (node->inputs.empty() || node->inputs[0] != tensor || node->outputs.empty())
            continue;
        const bool dequantises = node->op == "DequantizeLinear";
        if (quantises(*node) && !quantised) {
            found.quantisers.push_back(node);
            follow(readers, node->outputs[0], true, depth + 1, found);
        } else if (passesOn(*node) || dequantises) {
            found.viewed = found.viewed || node->op == "Transpose" || node->op == "Reshape" ||
                           node->op == "Flatten";
            follow(readers, node->outputs[0], quantised, depth + 1, found);
        } else {
            found.others = found.others || !quantised;
            found.rows = found.rows || readsRows(*node);
        }
    }
}

std::optional<Dims> shapeOfInput(Importer& importer, const GraphPort& port) {
    const std::string name = inQuotes(importer.tensorName(port.tensor));
    Dims shape = port.dims;
    if (!shape.empty() && shape[0] < 0)
        shape[0] = 1;
    const bool open = std::any_of(shape.begin(), shape.end(), [](auto d) { return d < 1; });
    if (!port.hasShape || open) {
        importer.faults().add("onnx-shape",
                              "the input " + name + " has dimensions that are not fixed",
                              "only the first one, the batch, may be; export with fixed sizes");
        return std::nullopt;
    }
    double elements = 1;
    for (const std::int64_t dim : shape)
        elements *= static_cast<double>(dim);
    if (elements > static_cast<double>(1 << 26)) {
        importer.faults().add("too-large", "the input " + name + " has more than 2^26 elements",
                              "import a smaller network");
        return std::nullopt;
    }
    return shape;
}

struct InputPlan {
    ir::Scalar scalar = ir::Scalar::U8;
    PerChannel scale = PerChannel::all(Rational(1));
    PerChannel offset;
    std::optional<ir::Range> range{}; ///< narrower than the scalar's
};

std::optional<ir::Scalar> scalarOfElement(Element element) {
    return isInteger(element) ? ir::narrowestScalar(lowestOf(element), highestOf(element))
                              : std::nullopt;
}

std::optional<InputPlan> quantisedPlan(Importer& importer, const std::string& name,
                                       const FirstReaders& found) {
    std::optional<InputGrid> grid;
    for (const OnnxNode* node : found.quantisers) {
        const auto next = inputGrid(NodeUse(importer, *node));
        if (!next)
            return std::nullopt;
        if (grid && *grid != *next) {
            importer.faults().add("onnx-unsupported",
                                  "the input " + inQuotes(name) +
                                      " is quantised in two different ways",
                                  "quantise it once");
            return std::nullopt;
        }
        grid = next;
    }
    const auto scalar = ir::narrowestScalar(grid->least, grid->greatest);
    if (!scalar)
        return std::nullopt;
    importer.warn("the input " + inQuotes(name) + " is the integers that its first " +
                  "quantisation gives: " + std::string(ir::info(*scalar).name) + ", scale " +
                  std::to_string(grid->scale.toDouble()) + ", zero point " +
                  std::to_string(grid->zero));
    return InputPlan{*scalar, PerChannel::all(grid->scale),
                     PerChannel::all(Rational(-grid->zero) * grid->scale),
                     ir::Range{grid->least, grid->greatest}};
}

std::optional<InputPlan> planOf(Importer& importer, const GraphPort& port,
                                const FirstReaders& found) {
    const std::string& name = importer.tensorName(port.tensor);
    InputPlan plan;
    if (!isReal(port.element)) {
        const auto scalar = scalarOfElement(port.element);
        if (!scalar) {
            importer.faults().add("onnx-unsupported",
                                  "the input " + inQuotes(name) + " has the type " +
                                      nameOf(port.element),
                                  "inputs are floats, or integers of at most 32 bits");
            return std::nullopt;
        }
        plan.scalar = *scalar;
        return plan;
    }
    if (!found.quantisers.empty() && !found.others)
        return quantisedPlan(importer, name, found);
    const auto wanted = importer.options().inputScalars.find(name);
    if (wanted != importer.options().inputScalars.end())
        plan.scalar = wanted->second;
    else
        importer.warn("the input " + inQuotes(name) +
                      " is taken as integers of 8 bits without a sign: the network quantises it "
                      "nowhere");
    return plan;
}

Dims heldDims(const Dims& shape, bool channelsLast) {
    Dims dims;
    if (channelsLast && shape.size() >= 3) {
        dims.assign(shape.begin() + 2, shape.end());
        dims.push_back(shape[1]);
        return dims;
    }
    const auto first = std::find_if(shape.begin(), shape.end(), [](auto d) { return d != 1; });
    dims.assign(first, shape.end());
    return dims.empty() ? Dims{1} : dims;
}

/// What a reader of the file is told: elements of QuantizeLinear's result are what is put in.
std::optional<ImportNote> giveInput(Importer& importer, const GraphPort& port,
                                    const Readers& readers) {
    FirstReaders found;
    follow(readers, port.tensor, false, 0, found);
    const auto shape = shapeOfInput(importer, port);
    const auto plan = shape ? planOf(importer, port, found) : std::nullopt;
    if (!plan)
        return std::nullopt;
    const bool channelsLast =
        shape->size() >= 3 && (*shape)[0] == 1 && !found.viewed && !found.rows;
    AffineTensor tensor;
    tensor.shape = *shape;
    tensor.offset = plan->offset;
    tensor.element = port.element;
    const std::string& name = importer.tensorName(port.tensor);
    auto value = importer.builder().input(name, {plan->scalar, heldDims(*shape, channelsLast)});
    if (!value) {
        importer.faults().add(value.error().front().code, value.error().front().message);
        return std::nullopt;
    }
    tensor.terms = {
        {*value, channelsLast ? activationLayout(*shape) : naturalLayout(*shape), plan->scale}};
    if (plan->range)
        tensor.terms.front().bounds = {{}, {*plan->range}};
    const ImportNote note{*value,      name,         "", "Input", *shape, tensor.term().layout,
                          plan->scale, plan->offset, {}};
    importer.value(port.tensor) = GraphValue::of(std::move(tensor));
    return note;
}

} // namespace

std::vector<ImportNote> giveInputs(Importer& importer) {
    const Readers readers = nodesReading(importer.model());
    std::vector<ImportNote> notes;
    for (const GraphPort& port : importer.model().inputs) {
        importer.value(port.tensor).kind = GraphValue::Kind::Failed;
        if (!readers.contains(port.tensor))
            continue;
        if (auto note = giveInput(importer, port, readers)) {
            importer.note(*note);
            notes.push_back(std::move(*note));
        }
    }
    return notes;
}

} // namespace marquetry::frontend::onnx
