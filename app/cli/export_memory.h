// `marquetry export` of a memory item: the scheme that `marquetry bank` chooses, as hardware.
// Thread rule: main thread.
#pragma once

#include "app/cli/bank_pins.h"
#include "app/cli/report.h"
#include "app/cli/report_painter.h"
#include "engine/artefact/export_form.h"
#include "engine/artefact/manifest.h"
#include "engine/frontend/parser.h"

#include <optional>
#include <string>

namespace marquetry::cli {

struct MemoryExportOptions {
    std::string item;
    std::string device;             ///< empty: the default one
    std::optional<double> clockMhz; ///< the device's, unless it is given
    hdl::ExportForm form;
    hdl::ExportPlace place;
    BankPinOptions pins;
    bool json = false;
    ReportPainter painter{}; ///< of the report; empty: without pictures
};

/// The exit status; nothing when the selected item is no memory, or the file has none.
/// Exports the item of a program that has been read.
ExitStatus exportMemoryItem(const MemoryExportOptions& options, frontend::ParseResult parsed);

} // namespace marquetry::cli
