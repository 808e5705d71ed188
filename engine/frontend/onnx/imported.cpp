#include "engine/frontend/onnx/imported.h"

#include "engine/frontend/onnx/float_tail.h"
#include "engine/frontend/onnx/graph_ports.h"
#include "engine/frontend/onnx/handlers.h"
#include "engine/frontend/onnx/imported_value.h"
#include "engine/frontend/onnx/model_file.h"
#include "engine/frontend/onnx/pads.h"
#include "engine/frontend/onnx/refused_operators.h"
#include "engine/frontend/onnx/requantise.h"
#include "engine/support/files.h"
#include "engine/support/quote.h"

#include <cmath>
#include <filesystem>
#include <set>

namespace marquetry::frontend::onnx {
namespace {

using Kind = GraphValue::Kind;

std::string listOf(const OnnxNode& node) {
    return "the node " + inQuotes(node.name) + " (" + printable(handlerKey(node)) + ")";
}

bool isKnownOperator(const OnnxNode& node, const FloatTail& tail) {
    return handlers().contains(handlerKey(node)) || tail.begins(node);
}

/// Every operator that is not imported is named, whatever stands before it.
void checkOperators(const OnnxModel& model, const FloatTail& tail, Faults& faults) {
    for (const OnnxNode& node : model.nodes) {
        if (isKnownOperator(node, tail))
            continue;
        const Refusal why = refusalOf(node);
        faults.add("onnx-unsupported", listOf(node) + " " + why.what, why.hint);
    }
}

bool hasQuantisation(const OnnxModel& model) {
    return std::any_of(model.nodes.begin(), model.nodes.end(), [](const OnnxNode& node) {
        const std::string& op = node.op;
        return op.find("uantizeLinear") != std::string::npos || op.starts_with("QLinear") ||
               op.starts_with("QGemm") || op.ends_with("Integer") || op == "Quant" ||
               op == "BipolarQuant" || op == "RequantShift" || op == "Round" || op == "Floor";
    });
}

/// A network of floats is told so once, and not for each of its layers.
bool isFloatNetwork(const OnnxModel& model) {
    if (hasQuantisation(model))
        return false;
    for (const OnnxNode& node : model.nodes) {
        const bool linear = node.op == "Conv" || node.op == "Gemm" || node.op == "MatMul";
        if (!linear || node.inputs.size() < 2 || node.inputs[1] < 0)
            continue;
        const auto& weights = model.tensors[static_cast<std::size_t>(node.inputs[1])].constant;
        if (!weights || !isReal(weights->element))
            continue;
        const auto isFraction = [](double w) { return std::floor(w) != w; };
        if (std::any_of(weights->reals.begin(), weights->reals.end(), isFraction))
            return true;
    }
    return false;
}

void setOutputs(Importer& importer, const OnnxNode& node, const GraphValue& value) {
    for (const int id : node.outputs) {
        if (id >= 0)
            importer.value(id) = value;
    }
}

GraphValue failedValue() {
    GraphValue value;
    value.kind = Kind::Failed;
    return value;
}

void goOnWithTail(Importer& importer, const OnnxNode& node, const CutTail& before) {
    if (!FloatTail::goesOn(node)) {
        importer.faults().add("onnx-unsupported",
                              listOf(node) + " reads what the float operator " +
                                  inQuotes(before.nodes.front()) + " gives",
                              "float operators are left out at the end of a network only");
        return setOutputs(importer, node, failedValue());
    }
    auto tail = std::make_shared<CutTail>(before);
    tail->nodes.push_back(node.name);
    GraphValue value;
    value.kind = Kind::Cut;
    value.cut = std::move(tail);
    setOutputs(importer, node, value);
}

/// Whether an input failed, or is cut: then the outputs have their values.
bool isPassedOver(Importer& importer, const OnnxNode& node, const FloatTail& tail) {
    for (const int id : node.inputs) {
        if (id >= 0 &&
            (importer.value(id).kind == Kind::Failed || importer.value(id).kind == Kind::None)) {
            setOutputs(importer, node, failedValue());
            return true;
        }
    }
    for (const int id : node.inputs) {
        if (id < 0 || importer.value(id).kind != Kind::Cut)
            continue;
        goOnWithTail(importer, node, *importer.value(id).cut);
        return true;
    }
    if (!tail.begins(node) || node.inputs.empty() || node.inputs[0] < 0 ||
        importer.value(node.inputs[0]).kind != Kind::Affine)
        return false;
    goOnWithTail(importer, node, CutTail{importer.value(node.inputs[0]).affine, {}});
    return true;
}

/// Integers of the node's own result, so that each of its readers reads the same ones.
bool isComplete(const AffineTensor& tensor) {
    return tensor.step && tensor.low && tensor.high && tensor.terms.size() == 1;
}

void finish(const NodeUse& use, std::size_t output) {
    const int id = use.node().outputs[output];
    if (id < 0)
        return;
    GraphValue& value = use.importer().value(id);
    if (value.kind == Kind::Affine && isComplete(value.affine)) {
        const auto result = settledResult(use, value.affine);
        value = result ? GraphValue::of(*result) : failedValue();
    }
    if (value.kind == Kind::None)
        value = failedValue();
    if (value.kind != Kind::Affine || !value.affine.isPlain())
        return;
    const AffineTensor& tensor = value.affine;
    const AffineTerm& term = tensor.term();
    use.importer().note({term.value,
                         use.tensorName(output),
                         use.node().name,
                         use.node().op,
                         tensor.shape,
                         term.layout,
                         term.scale,
                         tensor.offset,
                         {}});
}

void lookAt(Importer& importer, const OnnxNode& node, const FloatTail& tail) {
    if (isPassedOver(importer, node, tail))
        return;
    const NodeUse use(importer, node);
    if (!readsPads(node)) {
        settlePads(use);
        if (isPassedOver(importer, node, tail))
            return;
    }
    if (!foldConstants(use)) {
        const auto handler = handlers().find(handlerKey(node));
        if (handler != handlers().end())
            handler->second(use);
    }
    for (std::size_t k = 0; k < node.outputs.size(); ++k)
        finish(use, k);
}

Diagnostics warningsOf(Importer& importer, const std::vector<std::string>& cut,
                       const std::vector<ImportNote>& outputs, const std::string& file) {
    // That windows leave rows out is what the file says.
    Diagnostics all;
    for (const Diagnostic& warning : importer.builder().warnings()) {
        if (warning.code != "dropped-elements")
            all.push_back(warning);
    }
    for (const std::string& message : importer.warnings())
        all.push_back(makeWarning("onnx-input", message));
    for (const std::string& message : importer.approximations())
        all.push_back(makeWarning("onnx-approximation", message));
    if (!cut.empty()) {
        std::string nodes;
        for (const std::string& name : cut)
            nodes += (nodes.empty() ? "" : ", ") + inQuotes(name);
        std::string scale;
        for (const ImportNote& output : outputs)
            scale += (scale.empty() ? "; scale of " : ", of ") + inQuotes(output.tensor) + ": " +
                     std::to_string(output.scale.value().toDouble());
        all.push_back(makeWarning("onnx-float-tail",
                                  "float operators at the end are left out: " + nodes + scale));
    }
    for (Diagnostic& warning : all)
        warning.file = file;
    return all;
}

std::vector<ImportNote> sortedNotes(std::vector<ImportNote> notes) {
    std::stable_sort(notes.begin(), notes.end(), [](const ImportNote& a, const ImportNote& b) {
        return a.value.index() < b.value.index();
    });
    return notes;
}

Result<Imported> importModel(OnnxModel model, const std::string& file, const ImportOptions& options,
                             Faults& faults) {
    if (isFloatNetwork(model)) {
        faults.add("onnx-not-quantised",
                   "the network computes with floats: none of its tensors is quantised",
                   "quantise it first: quantize_static of ONNX Runtime, Brevitas, or the like");
        return faults.take(file);
    }
    const FloatTail tail(model);
    checkOperators(model, tail, faults);
    Importer importer(std::move(model), options, faults);
    Imported result;
    result.producer = importer.model().producer;
    result.opset = importer.model().opset();
    result.inputs = giveInputs(importer);
    for (const OnnxNode& node : importer.model().nodes) {
        if (options.stop.stop_requested())
            return makeError("cancelled", "the import was stopped");
        // What is wrong with a network that is too large is of no use to anybody.
        if (!importer.isExhausted())
            lookAt(importer, node, tail);
    }
    if (importer.isExhausted())
        return faults.take(file);
    result.outputs = takeOutputs(importer, result.cut);
    if (!faults.any() && result.outputs.empty())
        faults.add("onnx-graph", "the network has no output that is computed",
                   "check that the export names its outputs");
    if (faults.any())
        return faults.take(file);
    result.warnings = warningsOf(importer, result.cut, result.outputs, file);
    result.notes = sortedNotes(importer.takeNotes());
    result.program = importer.builder().take();
    result.program.file = file;
    // What quantises a value names it: what dequantises it again says nothing new.
    for (const ImportNote& note : result.notes)
        if (result.program.imported.empty() || result.program.imported.back().value != note.value)
            result.program.imported.push_back(importedValueOf(note));
    return result;
}

} // namespace

Result<Imported> importOnnx(std::string_view bytes, const std::string& folder,
                            const std::string& file, const ImportOptions& options) {
    Faults faults;
    OnnxModel model = readModel(bytes, folder, faults);
    if (faults.any())
        return faults.take(file);
    return importModel(std::move(model), file, options, faults);
}

Result<Imported> importOnnxFile(const std::string& path, const ImportOptions& options) {
    auto bytes = files::read(path, kMostModelBytes);
    if (!bytes)
        return bytes.error();
    const std::filesystem::path parent = std::filesystem::path(path).parent_path();
    Faults faults;
    OnnxModel model = readModel(*bytes, parent.empty() ? "." : parent.string(), faults);
    if (faults.any())
        return faults.take(path);
    // What was read is not needed any more, and may be large.
    bytes->clear();
    bytes->shrink_to_fit();
    return importModel(std::move(model), path, options, faults);
}

std::vector<std::int64_t> inFileOrder(const std::vector<std::int64_t>& held,
                                      const FlatLayout& layout) {
    const auto places = flatIndices(layout);
    std::vector<std::int64_t> file(held.size());
    for (std::size_t k = 0; k < held.size(); ++k)
        file[static_cast<std::size_t>(places[k])] = held[k];
    return file;
}

std::vector<std::int64_t> inProgramOrder(const std::vector<std::int64_t>& file,
                                         const FlatLayout& layout) {
    const auto places = flatIndices(layout);
    std::vector<std::int64_t> held(file.size());
    for (std::size_t k = 0; k < file.size(); ++k)
        held[k] = file[static_cast<std::size_t>(places[k])];
    return held;
}

} // namespace marquetry::frontend::onnx
