// What each operator of a file means: one function for each, by domain and name.
//
// A handler gives its node's outputs values, or fails with a fault; outputs without a value count
// as failed. Keys are "Conv", "com.microsoft.QLinearAdd"; domains of QONNX are one, "qonnx".
// Thread rule: one import's own.
#pragma once

#include "engine/frontend/onnx/importer.h"

#include <map>
#include <string>

namespace marquetry::frontend::onnx {

using Handler = void (*)(const NodeUse&);
using HandlerTable = std::map<std::string, Handler>;

/// All of them.
const HandlerTable& handlers();
/// The key of a node.
std::string handlerKey(const OnnxNode& node);

void addQuantiseNodes(HandlerTable& table);
void addLinearNodes(HandlerTable& table);
void addQOperatorNodes(HandlerTable& table);
void addArithmeticNodes(HandlerTable& table);
void addFunctionNodes(HandlerTable& table);
void addPoolNodes(HandlerTable& table);
void addViewNodes(HandlerTable& table);
void addConstantNodes(HandlerTable& table);
void addShiftAndSignNodes(HandlerTable& table);
void addRowNodes(HandlerTable& table);

/// Whether the inputs are constants from which the node is computed; it is then.
bool foldConstants(const NodeUse& use);

} // namespace marquetry::frontend::onnx
