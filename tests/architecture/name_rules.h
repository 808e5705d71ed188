// Files of a folder are compiled in batches (CMakeLists.txt), so that a name in a namespace without
// a name is seen by the files after it. A name stands for one thing in a folder, then: found here
// among the names of all its files, whatever batch they are in, and those that engine/support gives
// all. And a type of one folder's headers is not named like one of another's: a reader knows it by
// its name alone.
#pragma once

#include "tests/architecture/declarations.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace marquetry::architecture {

/// Compiled file by file.
inline bool isApart(const std::string& folder) {
    return folder == "engine/artefact" || folder.starts_with("engine/lower_") ||
           folder == "tests/bench";
}

/// What a name stands for: equal aliases are one thing, all else is where it is.
using Meanings = std::map<std::string, std::set<std::string>>;

struct FolderNames {
    Meanings own;   ///< in namespaces without a name, of sources
    Meanings known; ///< all others
};

inline bool isMacro(const std::string& name) {
    return std::ranges::none_of(name, [](unsigned char c) { return std::islower(c) != 0; }) &&
           name.size() > 2;
}

inline void addName(FolderNames& names, const std::string& path, const Declaration& found) {
    if (found.member || found.kind == Declaration::Kind::Other || isMacro(found.name) ||
        found.name.starts_with("operator"))
        return;
    const bool alias = found.kind == Declaration::Kind::Alias;
    (found.anonymous ? names.own : names.known)[found.name].insert(alias ? found.text : path);
}

/// "folder: name: what, what" for each name that stands for several things.
inline std::vector<std::string> sharedNames(const std::map<std::string, std::string>& files) {
    std::map<std::string, FolderNames> folders;
    FolderNames common;
    for (const auto& [path, source] : files) {
        const std::string folder = path.substr(0, path.find_last_of('/'));
        for (const Declaration& found : declarationsOf(source)) {
            addName(folders[folder], path, found);
            if (folder == "engine/support" && found.scope == "marquetry" && path.ends_with(".h"))
                addName(common, path, found);
        }
    }
    std::vector<std::string> shared;
    for (auto& [folder, names] : folders) {
        for (auto& [name, meanings] : names.own) {
            for (Meanings* others : {&names.known, &common.known})
                if (const auto same = others->find(name); same != others->end())
                    meanings.insert(same->second.begin(), same->second.end());
            if (meanings.size() < 2 || isApart(folder))
                continue;
            shared.push_back(folder + ": " + name + ":");
            for (const std::string& meaning : meanings)
                shared.back() += (meaning == *meanings.begin() ? " " : ", ") + meaning;
        }
    }
    return shared;
}

/// "Name: header, header" for each type that headers of several folders declare; all of widgets/ is
/// one folder. A type within a class has that class's name before its own, and is left out.
inline std::vector<std::string> sharedTypes(const std::map<std::string, std::string>& files) {
    struct Places {
        std::set<std::string> folders, headers;
    };
    std::map<std::string, Places> types;
    for (const auto& [path, source] : files) {
        if (!path.ends_with(".h"))
            continue;
        const bool widget = path.starts_with("widgets/");
        const std::string folder = widget ? "widgets" : path.substr(0, path.find_last_of('/'));
        for (const Declaration& found : declarationsOf(source)) {
            if (found.member || found.anonymous ||
                !(found.defined || found.kind == Declaration::Kind::Alias))
                continue;
            types[found.name].folders.insert(folder);
            types[found.name].headers.insert(path);
        }
    }
    std::vector<std::string> shared;
    for (const auto& [name, places] : types) {
        if (places.folders.size() < 2)
            continue;
        shared.push_back(name + ":");
        for (const std::string& header : places.headers)
            shared.back() += (header == *places.headers.begin() ? " " : ", ") + header;
    }
    return shared;
}

} // namespace marquetry::architecture
