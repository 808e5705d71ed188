// Whether what comments and pages cite is there.
//
// A comment cites a page below docs/ and headings on it: background/banking.md, "Conflict test".
// Pages link to files and to headings in them. A section of a paper (the paper's name and a section
// sign) stands on the paper's page in docs/background/. What cannot be opened is a violation.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace marquetry::architecture {

struct Page {
    std::string text;
    std::set<std::string> headings; ///< as written, without backquotes
    std::set<std::string> anchors;  ///< as links name them
};
using Pages = std::map<std::string, Page>; ///< by path from the top level

inline constexpr std::string_view kSectionSign = "\xc2\xa7";

/// "The `cycles` model" → "the-cycles-model".
inline std::string anchorOf(std::string_view heading) {
    std::string anchor;
    for (const char c : heading) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte) != 0 || c == '-' || c == '_')
            anchor += static_cast<char>(std::tolower(byte));
        else if (c == ' ')
            anchor += '-';
    }
    return anchor;
}

inline std::vector<std::string> linesOf(const std::string& text) {
    std::vector<std::string> lines(1);
    for (const char c : text) {
        if (c == '\n')
            lines.emplace_back();
        else
            lines.back() += c;
    }
    return lines;
}

inline Page pageOf(const std::string& text) {
    Page page;
    page.text = text;
    bool code = false;
    for (const std::string& line : linesOf(text)) {
        code ^= line.starts_with("```");
        const std::size_t title = line.find_first_not_of('#');
        if (code || title == 0 || title == std::string::npos || line[title] != ' ')
            continue;
        std::string heading = line.substr(title + 1);
        page.anchors.insert(anchorOf(heading));
        std::erase(heading, '`');
        page.headings.insert(heading);
    }
    return page;
}

inline Pages pagesOf(const std::map<std::string, std::string>& files) {
    Pages pages;
    for (const auto& [path, text] : files)
        if (path.ends_with(".md"))
            pages[path] = pageOf(text);
    return pages;
}

/// Text without line breaks, and the line each byte of it comes from.
struct Flow {
    std::string text;
    std::vector<int> lines;

    void add(std::string_view piece, int line) {
        text += piece;
        text += ' ';
        lines.resize(text.size(), line);
    }
};

inline std::string_view trimmed(std::string_view text) {
    const std::size_t from = text.find_first_not_of(" \t/<#*");
    return from == std::string_view::npos ? std::string_view() : text.substr(from);
}

/// Of a source its comments, a citation may go on in the next line; of a page all of it.
inline Flow flowOf(const std::string& path, const std::string& text) {
    Flow flow;
    int number = 0;
    const std::string mark = path.ends_with(".txt") || path.ends_with(".sh") ? "#" : "//";
    for (const std::string& line : linesOf(text)) {
        ++number;
        if (path.ends_with(".md")) {
            flow.add(line, number);
        } else if (const std::size_t at = line.find(mark); at != std::string::npos) {
            flow.add(trimmed(std::string_view(line).substr(at)), number);
        }
    }
    return flow;
}

struct Finding {
    std::string path;
    int line = 0;
    std::string what;

    std::string text() const { return path + ":" + std::to_string(line) + ": " + what; }
};

/// Headings quoted behind a page's name: , "A", "B".
inline std::vector<std::string> quotedFrom(const std::string& text, std::size_t at) {
    std::vector<std::string> quoted;
    while (text.compare(at, 3, ", \"") == 0) {
        const std::size_t end = text.find('"', at + 3);
        if (end == std::string::npos)
            break;
        quoted.push_back(text.substr(at + 3, end - at - 3));
        at = end + 1;
    }
    return quoted;
}

/// Pages that comments name, and the headings behind the names.
inline void checkPages(const std::string& path, const Flow& flow, const Pages& pages,
                       std::vector<Finding>& found) {
    const std::string& text = flow.text;
    for (std::size_t at = text.find(".md"); at != std::string::npos; at = text.find(".md", at)) {
        const std::size_t end = at + 3;
        const std::size_t before = text.find_last_not_of(
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-/", at - 1);
        const std::string name = text.substr(before + 1, at - before - 1) + ".md";
        const int line = flow.lines[at];
        at = end;
        if (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || name == ".md")
            continue;
        const std::string full =
            name == "README.md" || name.starts_with("docs/") ? name : "docs/" + name;
        const auto page = pages.find(full);
        if (page == pages.end()) {
            found.push_back({path, line, "no page " + full});
            continue;
        }
        for (const std::string& heading : quotedFrom(text, end))
            if (!page->second.headings.contains(heading))
                found.push_back({path, line, "no heading \"" + heading + "\" in " + full});
    }
}

/// "§V" is not there where only "§VI" is.
inline bool names(const std::string& page, const std::string& section) {
    for (std::size_t at = page.find(section); at != std::string::npos;
         at = page.find(section, at + 1)) {
        const std::size_t end = at + section.size();
        if (end == page.size() || std::isalnum(static_cast<unsigned char>(page[end])) == 0)
            return true;
    }
    return false;
}

/// Sections of papers: on the page of the paper that was named last before.
inline void checkSections(const std::string& path, const std::string& text, const Pages& pages,
                          std::vector<Finding>& found) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kPapers = {
        {{"SkeleShare", "docs/background/skeleshare.md"},
         {"Aetherling", "docs/background/aetherling.md"},
         {"EngineIR", "docs/background/engineir.md"}}};
    constexpr std::size_t kReach = 60; ///< bytes between the paper's name and the section
    int line = 0;
    for (const std::string& words : linesOf(text)) {
        ++line;
        for (std::size_t at = words.find(kSectionSign); at != std::string::npos;
             at = words.find(kSectionSign, at + 1)) {
            const std::size_t end = words.find_first_not_of(
                "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.", at + kSectionSign.size());
            std::string section = words.substr(at, end == std::string::npos ? end : end - at);
            section.erase(section.find_last_not_of(".-") + 1);
            const std::size_t from = at < kReach ? 0 : at - kReach;
            const std::string before = words.substr(from, at - from);
            std::string_view page;
            std::size_t last = 0;
            for (const auto& [name, of] : kPapers)
                if (const std::size_t named = before.rfind(name);
                    named != std::string::npos && (page.empty() || named > last)) {
                    page = of;
                    last = named;
                }
            const auto known = pages.find(std::string(page));
            if (known == pages.end())
                found.push_back({path, line, section + " of no paper that docs/background has"});
            else if (!names(known->second.text, section))
                found.push_back({path, line, section + " is not on " + known->first});
        }
    }
}

/// A page's lines with what is code in them blanked out.
inline std::vector<std::string> proseOf(const std::string& text) {
    std::vector<std::string> lines = linesOf(text);
    bool block = false;
    for (std::string& line : lines) {
        const bool fence = line.starts_with("```");
        bool code = false;
        for (char& c : line) {
            code ^= c == '`';
            c = code ? ' ' : c;
        }
        if (fence || block || line.starts_with("    "))
            line.clear();
        block ^= fence;
    }
    return lines;
}

/// Links of a page: to files that exist, and to headings.
inline void checkLinks(const std::string& path, const std::string& text, const Pages& pages,
                       const std::set<std::string>& existing, std::vector<Finding>& found) {
    namespace fs = std::filesystem;
    int line = 0;
    for (const std::string& words : proseOf(text)) {
        ++line;
        for (std::size_t at = words.find("]("); at != std::string::npos;
             at = words.find("](", at + 1)) {
            const std::size_t end = words.find(')', at);
            const std::string link = words.substr(at + 2, end - at - 2);
            if (end == std::string::npos || link.find("://") != std::string::npos)
                continue;
            const std::size_t hash = link.find('#');
            const std::string target = hash == 0
                                           ? path
                                           : (fs::path(path).parent_path() / link.substr(0, hash))
                                                 .lexically_normal()
                                                 .generic_string();
            if (!existing.contains(target))
                found.push_back({path, line, "no file " + target});
            else if (hash != std::string::npos &&
                     (!pages.contains(target) ||
                      !pages.at(target).anchors.contains(link.substr(hash + 1))))
                found.push_back(
                    {path, line, "no heading #" + link.substr(hash + 1) + " in " + target});
        }
    }
}

/// All citations of `files` (sources and pages); `existing`: what links may lead to besides.
inline std::vector<std::string> brokenCitations(const std::map<std::string, std::string>& files,
                                                const std::set<std::string>& existing = {}) {
    const Pages pages = pagesOf(files);
    std::set<std::string> targets = existing;
    for (const auto& [path, text] : files)
        targets.insert(path);
    std::vector<Finding> found;
    for (const auto& [path, text] : files) {
        if (path.ends_with(".md"))
            checkLinks(path, text, pages, targets, found);
        else
            checkPages(path, flowOf(path, text), pages, found);
        if (!path.starts_with("docs/background/"))
            checkSections(path, text, pages, found);
    }
    std::vector<std::string> texts;
    for (const Finding& finding : found)
        texts.push_back(finding.text());
    return texts;
}

} // namespace marquetry::architecture
