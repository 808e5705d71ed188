#include "app/drawn_views.h"

#include "engine/frontend/suggest.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/picture.h"
#include "widgets/compare/compare_view.h"
#include "widgets/egraph/egraph_view.h"
#include "widgets/hdl/hdl_view.h"
#include "widgets/inspector/inspector_view.h"
#include "widgets/ledger/ledger_view.h"
#include "widgets/log/log_view.h"
#include "widgets/memories/memories_view.h"
#include "widgets/models/selection_model.h"
#include "widgets/pareto/pareto_view.h"
#include "widgets/pins/pins_view.h"
#include "widgets/program/program_view.h"
#include "widgets/progress/progress_view.h"
#include "widgets/rules/rules_view.h"
#include "widgets/schedule/schedule_view.h"
#include "widgets/sharing/sharing_view.h"
#include "widgets/streams/streams_view.h"

#include <QCoreApplication>
#include <QEventLoop>
#include <QFileInfo>
#include <QPainter>
#include <QSplitter>
#include <QTabWidget>
#include <QTextBrowser>
#include <QTextDocument>
#include <QTimer>
#include <QTreeView>

#include <algorithm>
#include <array>
#include <cmath>
#include <ranges>
#include <vector>

namespace marquetry::app {

namespace {

using frontend::ItemKind;

constexpr QSize kSize(1400, 900);
constexpr QSize kNarrow(560, 900); ///< of what stands beside the views
constexpr QSize kTable(800, 600);
constexpr QSize kPlots(1400, 420);
constexpr int kTallest = 6000;
constexpr int kTreeWidth = 420; ///< of the files and modules
constexpr int kLayoutMs = 20'000;
constexpr std::string_view kTextStart = "Marquetry, ";

// ---- views with pictures of their own

Status drawEgraph(const Drawn& drawn) {
    widgets::SelectionModel selection; // an e-graph that is not new to the view has no new layout
    widgets::EGraphView view(&selection);
    view.resize(kSize);
    QEventLoop loop;
    QObject::connect(&view, &widgets::EGraphView::layoutChanged, &loop, &QEventLoop::quit);
    QTimer::singleShot(kLayoutMs, &loop, &QEventLoop::quit);
    view.show();
    view.setSnapshot(drawn.snapshot);
    loop.exec();
    return view.exportTo(drawn.out);
}

/// A view of the selection that shows its snapshot at once.
template <class View>
Status drawSelected(const Drawn& drawn) {
    widgets::SelectionModel selection;
    selection.setSnapshot(drawn.snapshot);
    View view(&selection);
    view.resize(kSize);
    view.show();
    view.setSnapshot(drawn.snapshot);
    return view.exportTo(drawn.out);
}

Status drawPareto(const Drawn& drawn) {
    widgets::ParetoView view;
    view.resize(kSize);
    view.show();
    view.setSnapshot(drawn.snapshot);
    return view.exportTo(drawn.out);
}

/// A widget as it is, or its text, as the ending asks for.
Status saveWidget(QWidget& view, const char* name, const QString& text, const QString& out) {
    if (!out.endsWith(QLatin1String(".txt"))) {
        QCoreApplication::processEvents(); // plots and lists are laid out behind the snapshot
        return savePictureOf(view, name, out);
    }
    return widgets::saveText(QLatin1String(kTextStart.data(), kTextStart.size()) +
                                 QLatin1String(name) + QStringLiteral(":\n") + text + u'\n',
                             out);
}

Status unknownSubject(const std::string& subject, const std::string& what,
                      const std::vector<std::string>& known) {
    std::string all;
    for (const std::string& name : known)
        all += (all.empty() ? "" : ", ") + name;
    const std::string guess = frontend::didYouMean(subject, known);
    return makeError("view-subject", "there is no " + what + " '" + subject + "'",
                     guess.empty() ? "there are: " + all : guess);
}

/// `drawing`: the operators as boxes and lines, else what one of them takes and gives.
Status drawStreams(const Drawn& drawn, bool drawing) {
    widgets::StreamsView view;
    view.resize(kSize);
    view.show();
    view.setSnapshot(drawn.snapshot);
    if (!drawn.subject.empty()) {
        const QAbstractItemModel& rows = *view.circuit()->model();
        const QModelIndexList found =
            rows.match(rows.index(0, 0), Qt::DisplayRole, QString::fromStdString(drawn.subject), 1,
                       Qt::MatchExactly | Qt::MatchRecursive);
        if (found.empty()) {
            std::vector<std::string> names;
            for (int row = 0; row < rows.rowCount(); ++row)
                names.push_back(rows.index(row, 0).data().toString().toStdString());
            return unknownSubject(drawn.subject, "operator", names);
        }
        view.circuit()->setCurrentIndex(found.front());
    }
    if (drawing)
        view.forms()->setCurrentWidget(view.drawing());
    if (drawn.out.endsWith(QLatin1String(".txt")))
        return saveWidget(view, drawing ? "circuit" : "streams", view.toText(), drawn.out);
    return view.exportTo(drawn.out);
}

Status drawWaves(const Drawn& drawn) {
    return drawStreams(drawn, false);
}

Status drawCircuit(const Drawn& drawn) {
    return drawStreams(drawn, true);
}

Status drawMemories(const Drawn& drawn) {
    widgets::MemoriesView view;
    view.resize(kSize);
    view.show();
    view.setSnapshot(drawn.snapshot);
    if (drawn.out.endsWith(QLatin1String(".txt")))
        return saveWidget(view, "memories", view.toText(), drawn.out);
    return view.exportTo(drawn.out);
}

// ---- views that are drawn as the window has them

/// All rows of a tree, with what is around it; `view` is shown.
void makeRoomFor(QWidget& view, const QTreeView& tree) {
    int rows = 0;
    for (QModelIndex at = tree.model()->index(0, 0); at.isValid(); at = tree.indexBelow(at))
        ++rows;
    const int needed = rows * std::max(1, tree.sizeHintForRow(0)) - tree.viewport()->height();
    view.resize(view.width(), std::min(kTallest, view.height() + std::max(0, needed)));
}

Status drawRules(const Drawn& drawn) {
    widgets::SelectionModel selection;
    selection.setSnapshot(drawn.snapshot);
    widgets::RulesView view(&selection);
    view.resize(kTable);
    view.show();
    view.setSnapshot(drawn.snapshot);
    const QString ending = QFileInfo(drawn.out).suffix().toLower();
    if (ending == QLatin1String("csv") || ending == QLatin1String("md"))
        return view.exportTo(drawn.out);
    view.tree()->resizeColumnToContents(0);
    makeRoomFor(view, *view.tree());
    return saveWidget(view, "rules", view.toText(), drawn.out);
}

/// A view that needs nothing but its snapshot.
template <class View>
Status drawPlain(const Drawn& drawn, const char* name, QSize size) {
    View view;
    view.resize(size);
    view.show();
    view.setSnapshot(drawn.snapshot);
    return saveWidget(view, name, view.toText(), drawn.out);
}

Status drawProgram(const Drawn& drawn) {
    widgets::ProgramView view;
    view.resize(kSize);
    view.show();
    view.setSnapshot(drawn.snapshot);
    return saveWidget(view, "program",
                      view.toText() + (drawn.snapshot->source
                                           ? QString::fromStdString(*drawn.snapshot->source)
                                           : QString()),
                      drawn.out);
}

Status drawPins(const Drawn& drawn) {
    return drawPlain<widgets::PinsView>(drawn, "pins", kTable);
}

Status drawProgress(const Drawn& drawn) {
    return drawPlain<widgets::ProgressView>(drawn, "progress", kPlots);
}

Status drawLog(const Drawn& drawn) {
    return drawPlain<widgets::LogView>(drawn, "log", kSize);
}

/// `subject`: a file, or a unit, whose file it is.
Status drawHdl(const Drawn& drawn) {
    widgets::HdlView view;
    view.resize(kSize);
    view.show();
    for (QSplitter* const splitter : view.findChildren<QSplitter*>())
        if (splitter->orientation() == Qt::Horizontal)
            splitter->setSizes({kTreeWidth, kSize.width() - kTreeWidth});
    view.setSnapshot(drawn.snapshot);
    if (!drawn.subject.empty()) {
        const QString name = QString::fromStdString(drawn.subject);
        std::vector<std::string> known;
        for (const session::HdlFile& file : *drawn.snapshot->hdl) {
            known.push_back(file.path);
            if (!file.unit.empty())
                known.push_back(file.unit);
        }
        if (std::ranges::find(known, drawn.subject) == known.end())
            return unknownSubject(drawn.subject, "file or unit", known);
        view.showFile(name);
        view.showUnit(name);
    }
    return saveWidget(view, "hdl", view.toText(), drawn.out);
}

/// What the Inspector shows of a name: a unit, a layer, a rule or a buffer.
std::optional<widgets::Subject> subjectNamed(const widgets::SnapshotIndex& index,
                                             const std::string& name) {
    const design::Design& design = *index.design();
    for (const design::DesignUnit& unit : design.units)
        if (unit.name == name || name.empty())
            return unit.id;
    for (const widgets::Subject& subject :
         {widgets::Subject(widgets::LayerName{name}), widgets::Subject(widgets::RuleName{name})})
        if (index.exists(subject))
            return subject;
    return std::nullopt;
}

Status drawInspector(const Drawn& drawn) {
    widgets::SelectionModel selection;
    selection.setSnapshot(drawn.snapshot);
    const widgets::SnapshotIndex& index = *selection.index();
    const auto subject = subjectNamed(index, drawn.subject);
    if (!subject) {
        std::vector<std::string> known;
        for (const design::DesignUnit& unit : drawn.snapshot->design->units)
            known.push_back(unit.name);
        std::ranges::copy(index.layers(), std::back_inserter(known));
        std::ranges::copy(drawn.snapshot->ruleNames, std::back_inserter(known));
        return unknownSubject(drawn.subject, "unit, layer or rule", known);
    }
    widgets::InspectorView view(&selection);
    view.resize(kNarrow);
    view.show();
    view.setSnapshot(drawn.snapshot);
    selection.select(*subject);
    view.setSnapshot(drawn.snapshot);
    if (drawn.out.endsWith(QLatin1String(".md")))
        return widgets::saveText(toMarkdown(view.report()), drawn.out);
    const int more = static_cast<int>(std::ceil(view.browser()->document()->size().height())) -
                     view.browser()->viewport()->height();
    view.resize(view.width(), std::min(kTallest, view.height() + std::max(0, more)));
    return saveWidget(view, "inspector", view.toText(), drawn.out);
}

// ---- all of them

constexpr std::array kViews{
    DrawnView{"egraph", true, true, false, false, drawEgraph},
    DrawnView{"sharing", true, false, false, false, drawSelected<widgets::SharingView>},
    DrawnView{"ledger", true, false, false, false, drawSelected<widgets::LedgerView>},
    DrawnView{"schedule", true, false, false, false, drawSelected<widgets::ScheduleView>},
    DrawnView{"pareto", true, false, false, false, drawPareto},
    DrawnView{"rules", true, false, false, true, drawRules},
    DrawnView{"inspector", true, false, false, true, drawInspector},
    DrawnView{"streams", false, true, false, true, drawWaves},
    DrawnView{"circuit", false, true, false, true, drawCircuit},
    DrawnView{"memories", true, true, true, true, drawMemories},
    DrawnView{"hdl", true, true, true, true, drawHdl},
    DrawnView{"program", true, true, true, true, drawProgram},
    DrawnView{"progress", true, false, false, true, drawProgress},
    DrawnView{"pins", true, true, true, true, drawPins},
    DrawnView{"log", true, true, true, true, drawLog},
    DrawnView{"window", true, true, true, true, nullptr},
};

const char* kindText(ItemKind kind) {
    if (kind == ItemKind::Stream)
        return "a stream";
    return kind == ItemKind::Memory ? "a memory" : "a design";
}

} // namespace

bool DrawnView::of(ItemKind kind) const {
    if (kind == ItemKind::Stream)
        return ofStreams;
    return kind == ItemKind::Memory ? ofMemories : ofDesigns;
}

std::string drawnViews(ItemKind kind) {
    std::string names;
    for (const DrawnView& view : kViews)
        if (view.of(kind))
            names += (names.empty() ? "" : ", ") + std::string(view.name);
    return names;
}

Result<const DrawnView*> drawnView(const std::string& view, ItemKind kind) {
    const auto found = std::ranges::find(kViews, view, &DrawnView::name);
    const std::string those = "views of " + std::string(kindText(kind)) + ": " + drawnViews(kind);
    if (found == kViews.end())
        return makeError("view-unknown", "there is no view '" + view + "'", those);
    if (!found->of(kind))
        return makeError("view-kind",
                         "the view " + view + " has nothing to show of " + kindText(kind), those);
    return &*found;
}

Status savePictureOf(QWidget& widget, const char* name, const QString& out) {
    const widgets::Picture picture{widget.size(), QLatin1String(name),
                                   [&widget](QPainter& painter) { widget.render(&painter); }};
    const QString ending = QFileInfo(out).suffix().toLower();
    if (ending == QLatin1String("svg"))
        return widgets::saveSvg(picture, out);
    if (ending == QLatin1String("png"))
        return widgets::savePng(picture, out, 1);
    return makeError("picture-form",
                     "the view " + std::string(name) + " is not written as '" + out.toStdString() +
                         "'",
                     "the name ends in .png or .svg, or of most views in .txt");
}

bool isTextOfView(std::string_view bytes) {
    return bytes.starts_with(kTextStart) || widgets::EGraphView::isText(bytes) ||
           widgets::SharingView::isText(bytes) || widgets::LedgerView::isText(bytes) ||
           widgets::ScheduleView::isText(bytes) || widgets::CompareView::isText(bytes) ||
           bytes.starts_with(widgets::paretoCsv({}).toStdString());
}

} // namespace marquetry::app
