#include "engine/frontend/onnx/handlers.h"

#include "engine/frontend/onnx/pads.h"

namespace marquetry::frontend::onnx {

const HandlerTable& handlers() {
    static const HandlerTable kTable = [] {
        HandlerTable table;
        addQuantiseNodes(table);
        addLinearNodes(table);
        addQOperatorNodes(table);
        addArithmeticNodes(table);
        addFunctionNodes(table);
        addPoolNodes(table);
        addViewNodes(table);
        addConstantNodes(table);
        addPadNodes(table);
        addRowNodes(table);
        return table;
    }();
    return kTable;
}

std::string handlerKey(const OnnxNode& node) {
    if (node.domain.empty())
        return node.op;
    const bool qonnx = node.domain.starts_with("qonnx") || node.domain.starts_with("finn") ||
                       node.domain == "onnx.brevitas";
    return (qonnx ? "qonnx" : node.domain) + "." + node.op;
}

} // namespace marquetry::frontend::onnx
