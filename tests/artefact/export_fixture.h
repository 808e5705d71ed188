// Exports of test designs in temporary folders, removed at the end of the test.
#pragma once

#include "engine/artefact/bench_output.h"
#include "engine/artefact/design_artefact.h"
#include "engine/artefact/verify.h"
#include "tests/lower_design/schedule_builder.h"
#include "tests/support/shared_cache.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

namespace marquetry::test {

/// Reads an export of a design and opens it.
Result<hdl::ExportFolder> openedDesign(const std::string& folder);

class ExportTest : public ::testing::Test {
protected:
    /// Traces of failing runs go to a folder of the test.
    ExportTest() { useCacheFolder(path("cache")); }

    std::string path(const std::string& name) const { return folder_ / name; }

    /// Exports into path(name); the folder.
    std::string exportTo(const std::string& name, const TestDesign& design);

    /// Opens and verifies; a failed build or simulation fails the test.
    hdl::VerifyReport verified(const std::string& folder, const TestDesign& design,
                               const hdl::VerifyParams& params);

    /// Exports and verifies: every word of every output, and the predicted cycles to the clock.
    void expectExact(const TestDesign& design, const hdl::VerifyParams& params);

    /// Exports, and what the bench says of one vector with these arguments.
    hdl::BenchOutput simulatedWith(const TestDesign& design, hdl::Simulator simulator,
                                   const std::vector<std::string>& arguments);

    /// Replaces text in a file of the export and makes the manifest agree again.
    static void patch(const std::string& folder, const std::string& file, const std::string& from,
                      const std::string& to);

private:
    TemporaryFolder folder_;
};

hdl::ExportRequest requestFor(const TestDesign& design);

} // namespace marquetry::test
