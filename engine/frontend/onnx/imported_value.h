// What an imported value is in its file, in words.
//
// Thread rule: pure.
#pragma once

#include "engine/frontend/onnx/imported.h"

namespace marquetry::frontend::onnx {

ir::ImportedValue importedValueOf(const ImportNote& note);

/// "real value = 0.5 × integer - 3"; numbers per channel are given by the least and the greatest.
std::string readingText(const ImportNote& note);

} // namespace marquetry::frontend::onnx
