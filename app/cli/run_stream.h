// `marquetry run` of a stream: its inputs from files, its outputs and what is undefined in them to
// files. An undefined word is written as 0; NAME.defined.bin has one byte per word, 1 where it is
// defined. Thread rule: main thread.
#pragma once

#include "app/cli/outputs.h"
#include "app/cli/report.h"
#include "engine/ir/stream_program.h"

#include <string>
#include <vector>

namespace marquetry::cli {

struct RunOptions {
    std::string file;
    std::string item;
    std::vector<std::string> inputs; ///< "name=FILE"
    std::string out;
    bool all = false; ///< of designs: every value
    bool force = false;
    bool json = false;
};

/// The output folder, and the files of the run besides the program's own.
OutputPlace outputOf(const RunOptions& options, std::vector<std::string> programFiles);

/// Exit status.
int runStream(const RunOptions& options, const ir::StreamProgram& stream);

} // namespace marquetry::cli
