// Every sub-command that writes, with small programs to run it on: the subject of these tests.
#pragma once

#include "tests/support/temporary_folder.h"

#include <map>
#include <string>
#include <vector>

namespace marquetry::reliability {

struct Outcome {
    int status = -1;
    std::string out;
    std::string err;
};

/// runCli in this process. The arguments without the program's name.
Outcome runHere(std::vector<std::string> arguments);

/// One way of writing something.
struct Writer {
    std::string name;
    std::vector<std::string> arguments; ///< but for the target
    std::string option;                 ///< that the target follows
    bool folder = false;                ///< the target is a folder
    /// What makes another version of the same output.
    std::vector<std::string> other;
};

/// From now on folders of tests are made in memory, where there is such a place: everything is
/// synced thousands of times.
bool workInMemory();

/// A folder with the programs, and the writers that read them.
class Workplace {
public:
    Workplace();

    const std::string path(const std::string& name) const { return folder_ / name; }
    std::string file(const std::string& name) const { return folder_ / ("in/" + name); }
    void put(const std::string& name, const std::string& text) const;
    const std::vector<Writer>& writers() const { return writers_; }
    Outcome write(const Writer& writer, const std::string& target, bool other = false) const;

private:
    bool inMemory_ = workInMemory();
    test::TemporaryFolder folder_;
    std::vector<Writer> writers_;
};

/// Path below a folder → what is there: bytes of files, targets of links, "folder", "special".
std::map<std::string, std::string> tree(const std::string& folder);

/// One path of a tree: the same for a single file.
std::map<std::string, std::string> treeOf(const std::string& path);

} // namespace marquetry::reliability
