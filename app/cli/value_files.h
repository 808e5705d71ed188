// Every value of a run in files: values/NAME.npy, listed in values.json as {"name", "file", "type",
// "shape", "layout"}. Those of a network have the names, shapes and layouts of its own file; values
// that are no tensor of that file are left out. Thread rule: pure.
#pragma once

#include "app/cli/report.h"
#include "engine/frontend/onnx/imported.h"
#include "engine/ir/interpreter.h"
#include "engine/support/folders.h"

namespace marquetry::cli {

/// `imported`: null of a program in the language. The names of the files that were added.
Json addAllValues(files::FolderFiles& files, const ir::Program& program,
                  const frontend::onnx::Imported* imported, const ir::InterpreterResult& result);

} // namespace marquetry::cli
