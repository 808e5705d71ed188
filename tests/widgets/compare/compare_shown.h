// Designs made by hand, snapshots that show them, and a Compare view to show them to.
#pragma once

#include "engine/session/snapshot.h"
#include "tests/support/waits.h"
#include "widgets/compare/compare_view.h"

#include <QComboBox>
#include <QFile>
#include <QTableView>
#include <QTemporaryDir>

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace marquetry::test {

using design::ComparisonRows;
using session::Snapshot;
using widgets::CompareChoices;
using widgets::CompareView;
using widgets::ComparisonModel;

struct MadeDesign {
    std::shared_ptr<design::Design> design = std::make_shared<design::Design>();
    std::shared_ptr<design::Ledger> ledger = std::make_shared<design::Ledger>();
};

/// One unit of `rows` rows runs the layers one after another.
inline MadeDesign made(std::int64_t rows, const std::vector<std::pair<std::string, int>>& layers) {
    MadeDesign all;
    design::Design& design = *all.design;
    design.program = "small";
    design.device = "xc7z020";
    design.clockMhz = 100;
    design.macs = 1000;
    design::DesignUnit unit;
    unit.id = design::UnitId{0};
    unit.name = "Mv 8×" + std::to_string(rows);
    unit.term = "Mv";
    unit.parallelism = rows;
    unit.multipliers = unit.lanes * rows;
    unit.resources.dsp = static_cast<double>(rows);
    for (const auto& [name, cycles] : layers) {
        design::DesignCall call;
        call.id = design::CallId{design.calls.size()};
        call.layer = name;
        call.unit = unit.id;
        call.cycles = cycles;
        call.start = design.cycles;
        design.cycles += cycles;
        unit.callSites.push_back(call.id);
        design.calls.push_back(call);
        design::LedgerRow row;
        row.name = name;
        row.unit = unit.id;
        row.unitName = unit.name;
        row.clocks.taking = cycles;
        all.ledger->total += row.clocks;
        all.ledger->layers.push_back(row);
    }
    design.resources = unit.resources;
    design.units.push_back(unit);
    all.ledger->program = design.program;
    all.ledger->cycles = design.cycles;
    all.ledger->resources = {{"DSP", unit.resources.dsp, 16, 220, {}}, {"RAMB36", 0, 140, 140, {}}};
    return all;
}

inline design::DesignPoint pointOf(const design::Design& design) {
    design::DesignPoint point;
    point.cycles = design.cycles;
    point.resources = design.resources;
    point.onFront = true;
    point.label = design.units.front().name;
    return point;
}

inline std::shared_ptr<Snapshot> showing(const MadeDesign& shown,
                                         const std::vector<MadeDesign>& front = {}) {
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->file = "small.mq";
    snapshot->design = shown.design;
    snapshot->ledger = shown.ledger;
    std::vector<design::DesignPoint> points;
    for (const MadeDesign& each : front)
        points.push_back(pointOf(*each.design));
    snapshot->points = std::move(points);
    return snapshot;
}

inline std::shared_ptr<Snapshot> answering(const Snapshot& asked, const MadeDesign& found) {
    auto snapshot = std::make_shared<Snapshot>(asked);
    const design::DesignPoint point = pointOf(*found.design);
    snapshot->beside = session::BesideDesign{{point.cycles, point.frames, point.resources,
                                              point.label, point.lanes, point.groupedChannels},
                                             false,
                                             found.design,
                                             found.ledger,
                                             {}};
    return snapshot;
}

/// As a session does with the question that it was asked as the `number`-th.
inline std::shared_ptr<Snapshot> reading(const Snapshot& asked, const QString& path,
                                         std::uint64_t number) {
    auto snapshot = std::make_shared<Snapshot>(asked);
    snapshot->besideFile = session::BesideFile{number, path.toStdString()};
    return snapshot;
}

inline std::shared_ptr<Snapshot> holding(const Snapshot& asked, const MadeDesign& found) {
    auto snapshot = std::make_shared<Snapshot>(asked);
    snapshot->besideFile->running = false;
    snapshot->besideFile->design = found.design;
    snapshot->besideFile->ledger = found.ledger;
    return snapshot;
}

class CompareShown : public ::testing::Test {
protected:
    void SetUp() override {
        view.resize(1000, 600);
        view.show();
        ASSERT_TRUE(waitForExposed(&view));
    }

    void choose(const QString& text) {
        const int at = view.choices()->findText(text, Qt::MatchContains);
        ASSERT_GE(at, 0) << text.toStdString();
        view.choices()->setCurrentIndex(at);
        Q_EMIT view.choices()->activated(at);
    }

    QString textAt(ComparisonRows rows, int row, const char* title) const {
        const int column = static_cast<int>(view.model(rows)->titles().indexOf(QString(title)));
        return view.table(rows)->model()->index(row, column).data().toString();
    }

    static std::string plain(QString text) {
        return text.replace(QChar(0x202F), u' ').toStdString();
    }

    /// A file that is there; what it holds is said by snapshots.
    QString file(const QString& name) {
        QFile made(files.filePath(name));
        EXPECT_TRUE(made.open(QIODevice::WriteOnly));
        made.write("{}");
        return made.fileName();
    }

    QTemporaryDir files;
    MadeDesign quick = made(16, {{"a", 1000}, {"b", 500}});
    MadeDesign slow = made(4, {{"a", 4000}, {"b", 500}});
    MadeDesign least = made(1, {{"a", 16000}, {"c", 2000}});
    widgets::SelectionModel selection;
    CompareView view{&selection};
};

} // namespace marquetry::test
