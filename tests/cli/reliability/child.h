// The executable as a child that tests signal and kill.
#pragma once

#include <string>
#include <sys/types.h>
#include <vector>

namespace marquetry::reliability {

/// Started in a process group and a temporary folder of its own; killed at the end if need be.
class Child {
public:
    /// `temporary`: its TMPDIR. Output goes nowhere.
    Child(const std::vector<std::string>& arguments, const std::string& temporary);
    ~Child();
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    void signal(int number) const;
    /// Waits until it has ended; its status as waitpid gives it, or -1 when it never does.
    int end();

    /// Processes whose environment names the temporary folder: the child and all it started.
    std::vector<pid_t> family() const;
    /// Waits until none of them is left; false when one stays.
    bool allGone() const;

private:
    std::string temporary_;
    pid_t pid_ = -1;
};

} // namespace marquetry::reliability
