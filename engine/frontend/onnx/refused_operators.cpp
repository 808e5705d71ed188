#include "engine/frontend/onnx/refused_operators.h"

#include "engine/frontend/onnx/handlers.h"

namespace marquetry::frontend::onnx {
namespace {

const std::map<std::string, Refusal>& refusals() {
    const Refusal dynamic{"finds its scale while the network runs",
                          "quantise with fixed scales: quantize_static of ONNX Runtime, for "
                          "example"};
    const Refusal control{"decides while the network runs what is computed",
                          "export the network for one path, its loops unrolled"};
    const Refusal state{"keeps a state from step to step",
                        "export one step of the network, with its state as input and output"};
    const Refusal wrapping{"computes with the bits of integers",
                           "tables of 8 bits say the same: quantise behind it"};
    const Refusal reduction{"reduces a whole dimension to its least or greatest element",
                            "MaxPool does it for pixels; dynamic scales are not imported"};
    static const std::map<std::string, Refusal> kRefusals = {
        {"DynamicQuantizeLinear", dynamic},
        {"com.microsoft.DynamicQuantizeMatMul", dynamic},
        {"com.microsoft.DynamicQuantizeLSTM", dynamic},
        {"com.microsoft.MatMulIntegerToFloat", dynamic},
        {"If", control},
        {"Loop", control},
        {"Scan", control},
        {"LSTM", state},
        {"GRU", state},
        {"RNN", state},
        {"BitShift", wrapping},
        {"Mod", wrapping},
        {"ReduceMin", reduction},
        {"ReduceMax", reduction},
    };
    return kRefusals;
}

} // namespace

Refusal refusalOf(const OnnxNode& node) {
    const auto found = refusals().find(handlerKey(node));
    if (found == refusals().end())
        return {"is an operator that is not imported",
                "end the network before it, or export it with other operators"};
    return {"is not imported: it " + found->second.what, found->second.hint};
}

} // namespace marquetry::frontend::onnx
