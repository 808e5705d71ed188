#include "tests/vendor/core_file.h"

#include "engine/support/json.h"

#include <regex>
#include <set>
#include <sstream>
#include <vector>

namespace marquetry::test {

namespace {

using Json = nlohmann::ordered_json;

struct Line {
    std::size_t indent = 0;
    std::string text;
    int number = 0;
};

struct CoreFault {
    std::string text;
};

[[noreturn]] void fail(const Line& line, const std::string& what) {
    throw CoreFault{"line " + std::to_string(line.number) + ": " + what + ": " + line.text};
}

std::vector<Line> linesOf(const std::string& text) {
    std::vector<Line> lines;
    std::istringstream stream(text);
    int number = 0;
    for (std::string line; std::getline(stream, line);) {
        ++number;
        const std::size_t indent = line.find_first_not_of(' ');
        if (indent == line.npos)
            continue;
        lines.push_back({indent, line.substr(indent), number});
        if (line[indent] == '\t' || indent % 2 != 0)
            fail(lines.back(), "bad indent");
    }
    return lines;
}

/// A word, a quoted one, "[a, b]" or "{a: b}".
Json scalar(const Line& line, const std::string& text) {
    static const std::regex kPlain("[A-Za-z0-9_./+-][A-Za-z0-9_./:+ -]*");
    static const std::regex kQuoted("\"([^\"\\\\]*)\"");
    static const std::regex kSplit(", ");
    std::smatch match;
    if (std::regex_match(text, match, kQuoted))
        return match[1].str();
    const bool list = text.starts_with('[') && text.ends_with(']');
    if (list || (text.starts_with('{') && text.ends_with('}'))) {
        Json all = list ? Json::array() : Json::object();
        const std::string inner = text.substr(1, text.size() - 2);
        for (std::sregex_token_iterator it(inner.begin(), inner.end(), kSplit, -1), end; it != end;
             ++it) {
            const std::string part = *it;
            const std::size_t colon = part.find(": ");
            if (list)
                all.push_back(scalar(line, part));
            else if (colon == part.npos)
                fail(line, "no key");
            else
                all[part.substr(0, colon)] = scalar(line, part.substr(colon + 2));
        }
        return all;
    }
    if (!std::regex_match(text, kPlain) || text.find(": ") != text.npos)
        fail(line, "no word");
    return text;
}

class Reader {
public:
    explicit Reader(std::vector<Line> lines) : lines_(std::move(lines)) {}

    Json block(std::size_t indent) {
        Json all;
        while (at_ < lines_.size() && lines_[at_].indent >= indent) {
            const Line line = lines_[at_++];
            if (line.indent != indent)
                fail(line, "bad indent");
            if (line.text.starts_with("- "))
                all.push_back(element(line, line.text.substr(2)));
            else
                addKey(line, all);
        }
        return all;
    }
    bool atEnd() const { return at_ == lines_.size(); }

private:
    static Json element(const Line& line, const std::string& text) {
        const std::size_t colon = text.find(": {");
        if (colon == text.npos)
            return scalar(line, text);
        return {{text.substr(0, colon), scalar(line, text.substr(colon + 2))}};
    }

    void addKey(const Line& line, Json& all) {
        static const std::regex kKey("([A-Za-z0-9_=]+):(?: (.*))?");
        std::smatch match;
        if (!std::regex_match(line.text, match, kKey))
            fail(line, "no key");
        if (all.contains(match[1].str()))
            fail(line, "twice");
        if (match[2].matched)
            all[match[1]] = scalar(line, match[2]);
        else if (!atEnd() && lines_[at_].indent > line.indent)
            all[match[1]] = block(lines_[at_].indent);
        else
            all[match[1]] = nullptr;
    }

    std::vector<Line> lines_;
    std::size_t at_ = 0;
};

class Rules {
public:
    explicit Rules(const files::FolderFiles& files) : files_(files) {}

    std::string faults(const Json& core) {
        static const std::regex kName("[A-Za-z0-9_]+:[A-Za-z0-9_]+:[A-Za-z0-9_]+:\\d+(\\.\\d+)*");
        if (!core.contains("CAPI=2") || core.begin().key() != "CAPI=2")
            say("the first key is not CAPI=2");
        if (!core.contains("name") || !std::regex_match(core["name"].get<std::string>(), kName))
            say("name is no vendor:library:name:version");
        for (const auto& [key, value] : core.items())
            if (!std::set<std::string>{"CAPI=2", "name", "description", "filesets", "parameters",
                                       "targets"}
                     .contains(key))
                say("key " + key);
        const Json sets = core.value("filesets", Json::object());
        for (const auto& [name, set] : sets.items())
            checkFileset(name, set);
        const Json parameters = core.value("parameters", Json::object());
        for (const auto& [name, parameter] : parameters.items()) {
            parameters_.insert(name);
            if (!parameter.contains("datatype") || !parameter.contains("paramtype"))
                say("parameter " + name + " has no type");
        }
        if (!core.contains("targets") || !core["targets"].contains("default"))
            say("no default target");
        const Json targets = core.value("targets", Json::object());
        for (const auto& [name, target] : targets.items())
            checkTarget(name, target);
        return text_;
    }

private:
    void say(const std::string& fault) { text_ += fault + "\n"; }

    void checkType(const std::string& where, const Json& type) {
        static const std::set<std::string> kTypes = {"verilogSource-2005", "user", "PCF", "LPF"};
        if (!kTypes.contains(type.get<std::string>()))
            say(where + ": file_type " + type.dump());
    }

    void checkFileset(const std::string& name, const Json& set) {
        sets_.insert(name);
        if (set.contains("file_type"))
            checkType(name, set["file_type"]);
        const Json named = set.value("files", Json::array());
        for (const Json& file : named) {
            const std::string path =
                file.is_object() ? file.begin().key() : file.get<std::string>();
            if (!files_.contains(path))
                say("no file " + path);
            const Json options = file.is_object() ? file.begin().value() : Json::object();
            if (options.contains("file_type"))
                checkType(path, options["file_type"]);
            else if (!set.contains("file_type"))
                say(path + " has no file_type");
        }
        if (named.empty())
            say("no files in " + name);
    }

    void checkTarget(const std::string& name, const Json& target) {
        static const std::set<std::string> kTools = {"verilator", "icestorm", "trellis"};
        const Json named = target.value("filesets", Json::array());
        for (const Json& set : named)
            if (!sets_.contains(set.get<std::string>()))
                say("target " + name + " names the fileset " + set.dump());
        const Json parameters = target.value("parameters", Json::array());
        for (const Json& parameter : parameters)
            if (!parameters_.contains(parameter.get<std::string>()))
                say("target " + name + " names the parameter " + parameter.dump());
        if (!target.contains("toplevel") || !hasModule(target["toplevel"]))
            say("target " + name + " has no toplevel that is in its files");
        const Json tools = target.value("tools", Json::object());
        if (name != "default" && !tools.contains(target.value("default_tool", "")))
            say("target " + name + " has no options for its tool " +
                target.value("default_tool", ""));
        for (const auto& [tool, options] : tools.items())
            if (!kTools.contains(tool))
                say("tool " + tool);
    }

    bool hasModule(const std::string& top) const {
        for (const auto& [path, text] : files_)
            if (path.ends_with(".v") && text.find("module " + top + " (") != text.npos)
                return true;
        return false;
    }

    const files::FolderFiles& files_;
    std::set<std::string> sets_, parameters_;
    std::string text_;
};

} // namespace

std::string faultsOfCore(const std::string& text, const files::FolderFiles& files) {
    try {
        Reader reader(linesOf(text));
        const Json core = reader.block(0);
        return reader.atEnd() ? Rules(files).faults(core) : "line: more behind the end";
    } catch (const CoreFault& fault) {
        return fault.text;
    } catch (const nlohmann::json::exception& error) {
        return error.what();
    }
}

} // namespace marquetry::test
