#include "engine/support/json.h"
#include "tests/support/places.h"
#include "tests/support/temporary_folder.h"
// The built executable as a user meets it: exit status, standard output, standard error.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/wait.h>

namespace marquetry::cli_test {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct Outcome {
    int status = -1;
    std::string out;
    std::string err;
};

inline std::string contents(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

class Cli : public ::testing::Test {
protected:
    Outcome run(const std::string& arguments) const {
        const std::string command = test::program() + " " + arguments + " >" + path("stdout") +
                                    " 2>" + path("stderr") + " </dev/null";
        const int status = std::system(command.c_str());
        return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents(path("stdout")),
                contents(path("stderr"))};
    }

    std::string path(const std::string& name) const { return folder_ / name; }

    std::string write(const std::string& name, const std::string& text) const {
        std::ofstream(path(name), std::ios::binary) << text;
        return path(name);
    }

    static std::string example(const std::string& name) {
        return test::sourceFolder() + "/examples/" + name + "/" + name + ".mq";
    }

    test::TemporaryFolder folder_;
};

} // namespace marquetry::cli_test
