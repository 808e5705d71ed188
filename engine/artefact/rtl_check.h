// What the Verilog of an export may say when it is simulated: hardware, and nothing that acts.
//
// The modules of an export are verified as they are in its folder, and somebody else may have
// written them. Simulators let Verilog run commands, read and write files, and call C. Everything
// is refused that the writers of our modules do not emit:
//   system tasks but $signed, $readmemh("x.mem", … of a file beside the module), $stop, and
//   $display of a plain text, which no result of a bench looks like;
//   directives but `ifdef, `ifndef, `else, `endif;
//   import, export, bind, force, packages, classes and the like;
//   names of other modules' insides (a.b), escaped names;
//   more or other than one module per file, which has the file's name and is none of the bench.
// A text that passes may still be wrong, or no Verilog at all: the simulators tell.
//
// Errors: export-damaged, naming file and line. Complexity: linear. Thread rule: pure.
#pragma once

#include "engine/support/folders.h"
#include "engine/support/result.h"

namespace marquetry::hdl {

/// Of the files of an export, those in rtl/. `bench` is ours: nobody else declares its modules.
Status checkRtl(const files::FolderFiles& files, const files::FolderFiles& bench);

} // namespace marquetry::hdl
