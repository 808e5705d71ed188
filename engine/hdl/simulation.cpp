#include "engine/hdl/simulation.h"

#include "engine/hdl/manifest.h"
#include "engine/support/process.h"

#include <algorithm>
#include <filesystem>

namespace marquetry::hdl {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string tail(const std::string& text) {
    return text.size() > kShownLog ? text.substr(text.size() - kShownLog) : text;
}

Simulation::Simulation(const std::string& exportFolder, Simulator simulator, std::stop_token stop)
    : simulator_(simulator),
      stop_(std::move(stop)),
      source_(fs::absolute(exportFolder).string()),
      folder_(source_ + "/build/" + nameOf(simulator)) {}

std::vector<std::string> Simulation::modules() const {
    std::vector<std::string> files;
    for (const auto& entry : fs::directory_iterator(source_ + "/rtl"))
        if (entry.path().extension() == ".v")
            files.push_back(entry.path().string());
    std::ranges::sort(files);
    return files;
}

Status Simulation::prepare(const std::map<std::string, std::string>& vectors) const {
    if (!icarus() && folder_.find_first_of(" \t") != std::string::npos)
        return makeError("simulator-build",
                         "Verilator builds with make, which takes no spaces in " + folder_,
                         "move the export to a path without spaces, or use iverilog");
    std::error_code error;
    fs::remove_all(folder_, error);
    fs::create_directories(this->vectors(), error);
    if (error)
        return makeError("output-unwritable", "cannot write " + folder_ + ": " + error.message());
    for (const auto& [name, text] : vectors)
        if (Status status = writeText(this->vectors() + "/" + name, text); !status)
            return status;
    return ok();
}

Status Simulation::build(const std::vector<std::string>& command) const {
    const auto result = runProcess({command, source_ + "/rtl"}, stop_);
    if (!result)
        return result.error();
    if (result->exitCode != 0)
        return makeError("simulator-build", command.front() + " failed with status " +
                                                std::to_string(result->exitCode) + ":\n" +
                                                tail(result->output));
    return ok();
}

Result<std::string> Simulation::run(const std::vector<std::string>& command) const {
    auto result = runProcess({command, source_ + "/rtl"}, stop_);
    if (!result)
        return result.error();
    return std::move(result->output);
}

Json testbenchLine(const std::string& line) {
    std::string text;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const bool value = i > 0 && line[i - 1] == ':';
        const bool unknown = std::string("xXzZ").find(line[i]) != std::string::npos;
        text += value && unknown ? std::string("\"x\"") : std::string(1, line[i]);
    }
    Json json = Json::parse(text, nullptr, false);
    return json.is_object() ? json : Json(Json::value_t::discarded);
}

std::int64_t integer(const Json& json, const char* name) {
    return json.contains(name) && json[name].is_number_integer() ? json[name].get<std::int64_t>()
                                                                 : 0;
}

VerifyMismatch mismatchOf(const Json& json) {
    VerifyMismatch m;
    m.output = json.value("output", "");
    m.vector = integer(json, "vector");
    m.index = integer(json, "index");
    m.expected = integer(json, "expected");
    m.got = integer(json, "got");
    m.cycle = integer(json, "cycle");
    m.what = json.value("what", "element");
    for (const char* const name : {"expected", "got"})
        if (json.contains(name) && json[name].is_string()) {
            m.what += " (unknown bits)";
            break;
        }
    return m;
}

} // namespace marquetry::hdl
