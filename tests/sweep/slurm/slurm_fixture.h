// Sweeps through a Slurm of one node, which the test starts.
#pragma once

#include "engine/support/files.h"
#include "engine/support/process.h"
#include "tests/support/places.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

namespace marquetry::test {

class SlurmTest : public ::testing::Test {
protected:
    SlurmTest() {
        setGrid(R"({"device": "xc7z020", "limit": ["dsp=20", "dsp=60", "dsp=1"],)"
                R"( "overlap": [false, true]})");
    }

    void setGrid(const std::string& grid) const { std::ofstream(folder_ / "grid.json") << grid; }

    std::string sweep(const std::string& out) const {
        return program() + " sweep " + sourceFolder() +
               "/examples/running_example/running_example.mq --grid " + (folder_ / "grid.json") +
               " --out " + (folder_ / out);
    }

    ProcessResult shell(const std::string& script) const {
        auto result = runProcess({.arguments = {"bash", "-c", script}});
        EXPECT_TRUE(result.has_value());
        return result ? *result : ProcessResult{};
    }

    /// The commands, beside a Slurm.
    ProcessResult besideSlurm(const std::string& script) const {
        std::ofstream(folder_ / "script.sh") << script;
        return shell(sourceFolder() + "/tests/sweep/slurm/one_node.sh " + (folder_ / "slurm") +
                     " bash " + (folder_ / "script.sh"));
    }

    std::string csv(const std::string& out) const {
        return files::read(folder_ / (out + "/sweep.csv")).value_or("");
    }

    TemporaryFolder folder_;
};

} // namespace marquetry::test
