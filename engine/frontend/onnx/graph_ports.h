// Inputs and outputs of the graph as those of the program. Faults go to the import.
// Thread rule: one import's own.
#pragma once

#include "engine/frontend/onnx/importer.h"

namespace marquetry::frontend::onnx {

/// Makes the program's inputs. A float input is the integers that its own first quantisation gives,
/// or integers carried by floats (ImportOptions::inputScalars).
std::vector<ImportNote> giveInputs(Importer& importer);

/// Makes the program's outputs of the graph's.
std::vector<ImportNote> takeOutputs(Importer& importer, std::vector<std::string>& cut);

} // namespace marquetry::frontend::onnx
