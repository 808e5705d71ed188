// The built executable as a user meets it: exit status, standard output, standard error.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

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

class Cli : public testing::Test {
protected:
    void SetUp() override {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        folder_ = fs::path(testing::TempDir()) / (std::string("cli_test_") + test->name());
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }

    Outcome run(const std::string& arguments) const {
        const std::string command = std::string(MARQUETRY_EXECUTABLE) + " " + arguments + " >" +
                                    path("stdout") + " 2>" + path("stderr") + " </dev/null";
        const int status = std::system(command.c_str());
        return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents(path("stdout")),
                contents(path("stderr"))};
    }

    std::string path(const std::string& name) const { return (folder_ / name).string(); }

    std::string write(const std::string& name, const std::string& text) const {
        std::ofstream(path(name), std::ios::binary) << text;
        return path(name);
    }

    static std::string example(const std::string& name) {
        return std::string(MARQUETRY_SOURCE_DIR) + "/examples/" + name + "/" + name + ".mq";
    }

    fs::path folder_;
};

} // namespace marquetry::cli_test
