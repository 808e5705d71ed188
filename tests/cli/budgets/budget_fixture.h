// A command in a process of its own with little memory: what a number in a program may cost.
//
// The child is a copy of the test, so that starting it costs nothing; a hang is for ctest to end.
#pragma once

#include "app/cli/cli.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace marquetry::cli {

/// Of memory, in all: what a window of ours, or another program, leaves of 4 GB.
inline constexpr rlim_t kAddressSpace = 3500ULL << 20;

/// Sanitizers reserve more than any limit.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kLimited = false;
#else
inline constexpr bool kLimited = true;
#endif

struct Ended {
    int status = -1;  ///< −1: by a signal
    std::string said; ///< on both outputs
};

class Budget : public ::testing::Test {
protected:
    std::string write(const std::string& text) const {
        const std::string file = folder_ / "p.mq";
        std::ofstream(file, std::ios::binary) << text;
        return file;
    }

    Ended run(const std::vector<std::string>& arguments) const {
        const std::string said = folder_ / "said";
        std::ofstream(said, std::ios::trunc).close();
        std::fflush(nullptr);
        const pid_t child = fork();
        if (child == 0)
            become(arguments, said);
        int status = 0;
        waitpid(child, &status, 0);
        std::ifstream file(said, std::ios::binary);
        std::stringstream text;
        text << file.rdbuf();
        return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text.str()};
    }

    /// Done, "no", or refused with a diagnostic; never an internal error, a crash, or no memory.
    static void expectAnswered(const Ended& ended, const std::string& what) {
        EXPECT_THAT(ended.status, ::testing::AnyOf(kDone, kAnswerIsNo, kInputError)) << what << "\n"
                                                                                     << ended.said;
        EXPECT_THAT(ended.said, ::testing::Not(::testing::HasSubstr("out of memory"))) << what;
        if (ended.status != kDone) {
            EXPECT_THAT(ended.said, ::testing::HasSubstr("error: ")) << what;
        }
    }

    test::TemporaryFolder folder_;

private:
    [[noreturn]] static void become(const std::vector<std::string>& arguments,
                                    const std::string& said) {
        // An answer "no" says why on standard output.
        if (std::freopen(said.c_str(), "ab", stderr) == nullptr ||
            std::freopen(said.c_str(), "ab", stdout) == nullptr)
            _exit(125);
        const rlimit limit{kAddressSpace, kAddressSpace};
        if (kLimited && setrlimit(RLIMIT_AS, &limit) != 0)
            _exit(126);
        std::string name = "marquetry";
        std::vector<std::string> words = arguments;
        std::vector<char*> argv{name.data()};
        for (std::string& word : words)
            argv.push_back(word.data());
        const int status = runCli(static_cast<int>(argv.size()), argv.data());
        std::fflush(nullptr);
        _exit(status);
    }
};

} // namespace marquetry::cli
