// Programs from their text or file to hardware that was simulated.
#pragma once

#include "engine/artefact/design_artefact.h"
#include "engine/artefact/verify.h"
#include "engine/design/verify.h"
#include "engine/session/explore.h"
#include "engine/session/export_design.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <iostream>

namespace marquetry::test {

/// Explored for the device, exported and simulated with three vectors: the cycles predicted, and
/// the results of the interpreter.
inline void expectVerified(const std::shared_ptr<const ir::Program>& program,
                           const session::Settings& settings, hdl::Simulator simulator) {
    const auto found = session::explore(program, settings, {});
    ASSERT_TRUE(found) << format(found.error());
    ASSERT_TRUE(found->extraction.design) << format(found->extraction.infeasible);
    const design::Design& design = *found->extraction.design;
    const Status status = design::verifyDesign(design, found->setup.device);
    EXPECT_TRUE(status) << (status ? "" : format(status.error()));
    ASSERT_TRUE(design.schedule) << design.notExportable;
    const auto request = session::makeExportRequest(design, *program, "", {});
    ASSERT_TRUE(request) << format(request.error());
    TemporaryFolder place;
    const auto written = hdl::exportArtefact(hdl::designArtefact(*request), place / "export");
    ASSERT_TRUE(written) << format(written.error());
    const auto opened = hdl::readExport(place / "export");
    ASSERT_TRUE(opened) << format(opened.error());
    const auto report = hdl::verifyArtefact(*opened, *program, {simulator, 3, 3, true});
    ASSERT_TRUE(report) << format(report.error());
    EXPECT_TRUE(report->pass);
    EXPECT_EQ(report->mismatchCount, 0);
    EXPECT_EQ(report->cycles, std::vector<std::int64_t>(3, design.cycles));
    std::cout << program->name << " on " << settings.device << ": " << design.cycles << " cycles, "
              << design.resources.dsp << " DSP, " << design.resources.bram << " RAM, "
              << design.resources.lut << " LUT\n";
}

} // namespace marquetry::test
