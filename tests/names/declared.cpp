#include "tests/names/declared.h"

#include <regex>
#include <sstream>

namespace marquetry::test {

namespace {

/// "a, b [0:3] = …, c;" without what is behind the names; widths and values hold no names here.
void addNames(const std::string& list, std::vector<std::string>& names) {
    int depth = 0;
    bool named = false;
    std::string name;
    for (const char c : list + ",") {
        depth += c == '[' || c == '(' || c == '{' ? 1 : 0;
        depth -= c == ']' || c == ')' || c == '}' ? 1 : 0;
        const bool letter = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
        if (depth == 0 && (c == ',' || c == ';')) {
            names.push_back(name);
            name.clear();
            named = false;
            if (c == ';')
                return;
        } else if (letter && depth == 0 && !named) {
            name += c;
        } else {
            named = named || !name.empty();
        }
    }
}

} // namespace

std::vector<Declared> declaredIn(const std::string& text) {
    static const std::regex module(R"(^module (\w+).*)");
    static const std::regex port(
        R"(^ *(?:input|output) +(?:wire|reg) *(?:signed +)?(?:\[[^\]]*\] *)?(\w+),?$)");
    static const std::regex signal(
        R"(^ *(?:wire|reg|integer|genvar) +(?:signed +)?(?:\[[^\]]*\] *)?(\w.*)$)");
    static const std::regex instance(R"(^ *(\w+) (?:#\(.*\) )?(\w+) \(.*$)");
    std::vector<Declared> all;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::smatch match;
        if (std::regex_match(line, match, module))
            all.push_back({match[1], {}, {}});
        else if (all.empty())
            continue;
        else if (std::regex_match(line, match, port))
            all.back().signals.push_back(match[1]);
        else if (std::regex_match(line, match, signal)) {
            // A declaration of several lines ends with its semicolon.
            std::string declaration = match[1];
            for (std::string more;
                 declaration.find(';') == std::string::npos && std::getline(lines, more);)
                declaration += " " + more;
            addNames(declaration, all.back().signals);
        } else if (std::regex_match(line, match, instance) && match[1] != "always" &&
                   match[1] != "if" && match[1] != "case" && match[1] != "else")
            all.back().instances.push_back(match[2]);
    }
    return all;
}

} // namespace marquetry::test
