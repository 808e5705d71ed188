// RecentExports: how each item was exported last, in the user's settings; the latest kMax items.
//
// Thread rule: window's thread.
#pragma once

#include "engine/artefact/export_form.h"

#include <QString>

#include <optional>
#include <string>
#include <vector>

class QSettings;

namespace marquetry::app {

struct RecentExport {
    std::string item; ///< name of the design, stream or memory
    hdl::ExportForm form;
    QString folder;
};

class RecentExports {
public:
    static constexpr int kMax = 20;

    explicit RecentExports(QSettings& settings) : settings_(settings) {}

    void add(const RecentExport& made);
    std::optional<RecentExport> of(const std::string& item) const;
    /// Of any item.
    std::optional<RecentExport> latest() const;

private:
    std::vector<RecentExport> all() const;

    QSettings& settings_;
};

} // namespace marquetry::app
