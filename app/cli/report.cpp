#include "app/cli/report.h"

#include "engine/support/quote.h"

#include <iostream>

namespace marquetry::cli {

namespace {

Json diagnosticJson(const Diagnostic& diagnostic) {
    Json json;
    json["code"] = diagnostic.code;
    json["message"] = diagnostic.message;
    if (!diagnostic.file.empty())
        json["file"] = diagnostic.file;
    if (diagnostic.range.known()) {
        json["line"] = diagnostic.range.line;
        json["column"] = diagnostic.range.column;
    }
    if (!diagnostic.hint.empty())
        json["hint"] = diagnostic.hint;
    if (!diagnostic.notes.empty())
        json["notes"] = diagnostic.notes;
    return json;
}

} // namespace

Json makeReport() {
    Json json;
    json["marquetry"] = MARQUETRY_VERSION;
    json["schema"] = 1;
    return json;
}

Json toJson(const Diagnostics& diagnostics) {
    Json list = Json::array();
    for (const Diagnostic& diagnostic : diagnostics)
        list.push_back(diagnosticJson(diagnostic));
    return list;
}

Json namedType(const std::string& name, const ir::Type& type) {
    Json json;
    json["name"] = name;
    json["type"] = ir::toString(type);
    return json;
}

Json namedType(const std::string& name, const ir::StreamType& type) {
    Json json;
    json["name"] = name;
    json["type"] = ir::toString(type);
    return json;
}

std::string dump(const Json& json) {
    return printableJson(json.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

void printJson(const Json& json) {
    std::cout << dump(json);
}

ExitStatus fail(const Diagnostics& diagnostics, bool json) {
    std::cerr << format(diagnostics);
    if (json) {
        Json report = makeReport();
        Diagnostics errors;
        Diagnostics warnings;
        for (const Diagnostic& diagnostic : diagnostics)
            (diagnostic.severity == Severity::Error ? errors : warnings).push_back(diagnostic);
        report["errors"] = toJson(errors);
        report["warnings"] = toJson(warnings);
        printJson(report);
    }
    const bool answered = !diagnostics.empty() && diagnostics.front().isAnswer;
    return answered ? kAnswerIsNo : kInputError;
}

} // namespace marquetry::cli
