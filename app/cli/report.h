// What all sub-commands share: the JSON envelope, and diagnostics as text and as JSON.
//
// Every JSON object starts with "marquetry" and "schema". Text that is not UTF-8 (file names) is
// written with replacement characters. Thread rule: main thread.
#pragma once

#include "app/cli/cli.h"
#include "engine/ir/program.h"
#include "engine/ir/stream_type.h"
#include "engine/support/diagnostic.h"
#include "engine/support/json.h"

#include <string>

namespace marquetry::cli {

using Json = nlohmann::ordered_json;

Json makeReport();
Json toJson(const Diagnostics& diagnostics);

/// {"name", "type"} of a value.
Json namedType(const std::string& name, const ir::Type& type);
Json namedType(const std::string& name, const ir::StreamType& type);

/// One object and a newline on standard output.
void printJson(const Json& json);
std::string dump(const Json& json);

/// Writes the diagnostics to standard error and, for --json, {"errors": […]} to standard output.
/// Yields the exit status: kAnswerIsNo when the first of them is an answer, else kInputError.
ExitStatus fail(const Diagnostics& diagnostics, bool json);

} // namespace marquetry::cli
