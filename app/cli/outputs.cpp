#include "app/cli/outputs.h"

#include "engine/banking/hls_header.h"
#include "engine/support/json.h"
#include "engine/support/json_depth.h"
#include "engine/support/quote.h"

#include <filesystem>
#include <iostream>

namespace marquetry::cli {

namespace {

using Json = nlohmann::ordered_json;

bool isDesign(std::string_view text) {
    const Json json = parsedJson(text);
    return json.is_object() && json.contains("program") && json.contains("source") &&
           json.contains("design") && json["design"].is_object();
}

/// As egraph::writeJson begins; other writers of the format lay it out differently.
bool isEGraph(std::string_view text) {
    return text.starts_with("{\n \"nodes\": {") || text.starts_with("{\n \"nodes\":{");
}

/// An FST begins with a header block of type 0 and length 329.
bool isWaveforms(std::string_view text) {
    return text.starts_with(std::string_view("\0\0\0\0\0\0\0\x01\x49", 9));
}

/// The header x0,x1,…,bank,offset.
bool isBankTable(std::string_view text) {
    const std::string_view header = text.substr(0, text.find('\n'));
    std::string expected;
    for (int d = 0; expected.size() <= header.size(); ++d) {
        if (header == expected + "bank,offset")
            return true;
        expected += "x" + std::to_string(d) + ",";
    }
    return false;
}

files::Replace ruleOf(const OutputPlace& output, FileKind kind) {
    files::Replace rule;
    switch (kind) {
    case FileKind::Design:
        rule.kind = "a design that Marquetry wrote";
        rule.isOfKind = isDesign;
        break;
    case FileKind::EGraph:
        rule.kind = "an e-graph that Marquetry wrote";
        rule.isOfKind = isEGraph;
        break;
    case FileKind::BankTable:
        rule.kind = "a bank table that Marquetry wrote";
        rule.isOfKind = isBankTable;
        break;
    case FileKind::HlsHeader:
        rule.kind = "a header of banks that Marquetry wrote";
        rule.isOfKind = [](std::string_view text) { return text.starts_with(banking::kHlsHead); };
        break;
    case FileKind::Program:
        rule.kind = "a program that Marquetry converted";
        rule.isOfKind = [](std::string_view text) { return text.starts_with(kConvertedHead); };
        break;
    case FileKind::Waveforms:
        rule.kind = "waveforms in FST format";
        rule.isOfKind = isWaveforms;
        break;
    }
    rule.inputs = output.inputs;
    rule.force = output.force;
    return rule;
}

/// The marker lists the files of a folder.
void addListed(const Json& report, files::OwnedFiles& owned) {
    if (report.contains("files") && report["files"].is_array())
        for (const Json& file : report["files"])
            if (file.is_string())
                owned[file.get<std::string>()] = "";
}

void addRunFiles(const Json& report, files::OwnedFiles& owned) {
    addListed(report, owned);
    if (!report.contains("outputs") || !report["outputs"].is_array())
        return;
    for (const Json& output : report["outputs"])
        for (const char* const field : {"file", "defined_file"})
            if (output.is_object() && output.contains(field) && output[field].is_string())
                owned[output[field].get<std::string>()] = "";
}

std::optional<files::OwnedFiles> ownedBy(FolderKind kind, const std::string& folder) {
    const auto text = files::read(folder + "/" + markerOf(kind));
    const Json report = text ? parsedJson(*text) : Json(Json::value_t::discarded);
    if (!report.is_object() || !report.contains("marquetry"))
        return std::nullopt;
    files::OwnedFiles owned{{markerOf(kind), ""}};
    if (kind == FolderKind::Run)
        addRunFiles(report, owned);
    else if (kind == FolderKind::Schedule)
        owned["circuit.txt"] = "";
    else
        addListed(report, owned);
    return owned;
}

files::ReplaceFolder ruleOf(const OutputPlace& output, FolderKind kind) {
    files::ReplaceFolder rule;
    rule.kind =
        std::string("a folder that Marquetry wrote: it has no ") + markerOf(kind) + " of ours";
    rule.owned = [kind](const std::string& folder) { return ownedBy(kind, folder); };
    rule.inputs = output.inputs;
    rule.force = output.force;
    return rule;
}

Status saidAloud(const Result<files::Written>& written) {
    if (!written)
        return written.error();
    std::cerr << format(written->warnings);
    return ok();
}

} // namespace

const char* markerOf(FolderKind kind) {
    switch (kind) {
    case FolderKind::Run:
        return "RUN.json";
    case FolderKind::Schedule:
        return "schedule.json";
    case FolderKind::Weights:
        return "WEIGHTS.json";
    }
    return "";
}

void addForceOption(CLI::App& command, bool& force) {
    command.add_flag("--force", force, "replace files that are not ours or have been edited");
}

std::string folderWord(const std::string& folder) {
    return shellWord(folder.starts_with("-") ? "./" + folder : folder);
}

Status checkFile(const OutputPlace& output, FileKind kind) {
    return output.path.empty() ? ok() : files::check(output.path, ruleOf(output, kind));
}

Status checkFolder(const OutputPlace& output, FolderKind kind) {
    return output.path.empty() ? ok() : files::checkFolder(output.path, ruleOf(output, kind));
}

Status writeFile(const OutputPlace& output, FileKind kind, std::string_view bytes) {
    return saidAloud(files::write(output.path, bytes, ruleOf(output, kind)));
}

Status writeFolder(const OutputPlace& output, FolderKind kind, const files::FolderFiles& files) {
    return saidAloud(files::replaceFolder(output.path, files, ruleOf(output, kind)));
}

} // namespace marquetry::cli
