// EGraphView: the e-graph while it grows, as a whole (overview) or around the selection (focus).
//
// The overview draws every e-class as a block, and bundles of them where there are more than
// kMostBlocks (bundle_scene.h). While the engine runs it
// is renewed at most every kOverviewIntervalMs, and at most an eighth of the time is spent on it.
// The focus shows at most kFocusBudget e-nodes around the selection and the chosen design, laid out
// by the worker process. A new layout is asked for when selection, hops or phase change, and at
// most once a second while the e-graph only grows. Places are kept when only colours, pins or the
// choice are new. Until the user picks a mode the view chooses: focus once there is a design,
// otherwise overview.
//
// A tab "+12" and a folded chain are expanded in place: what was double-clicked stays where it is.
// Back and forward walk through what was shown, camera included. Another e-graph begins with
// everything in sight.
//
// Keys: Space pins what is selected, Ctrl+F searches (id like "n40" or "c12", or part of the name
// of an operator, unit or layer; Return goes to the next hit), Alt+Up/Down change the hops,
// Alt+Left/Right go back and forward, Return focuses, Ctrl+Return expands or folds, Shift+F10 opens
// the menu; the rest is CanvasView's. Double click focuses or expands. What a search finds is
// listed beside the picture. Filters and the replay slider (FilterBar) limit both modes. The label
// always says how much of the e-graph is shown. Thread rule: window's thread.
#pragma once

#include "widgets/canvas/canvas_view.h"
#include "widgets/egraph/bundle_scene.h"
#include "widgets/egraph/egraph_scene.h"
#include "widgets/egraph/filter_bar.h"
#include "widgets/egraph/overview_scene.h"
#include "widgets/egraph/subject_key.h"
#include "widgets/graph_layout/layout_client.h"
#include "widgets/models/pin_choices.h"
#include "widgets/models/selection_model.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

#include <memory>
#include <optional>
#include <string_view>

class QAction;
class QLabel;
class QLineEdit;
class QMenu;
class QSpinBox;
class QToolButton;

namespace marquetry::widgets {

class ElidedLabel;
class SearchPanel;

class EGraphView : public QWidget {
    Q_OBJECT
public:
    enum class Mode { Overview, Focus };
    static constexpr std::size_t kFocusBudget = 300;
    static constexpr int kOverviewIntervalMs = 250;
    static constexpr int kFocusIntervalMs = 1000;

    explicit EGraphView(SelectionModel* selection, QWidget* parent = nullptr);

    void setSnapshot(const std::shared_ptr<const session::Snapshot>& snapshot);
    Mode mode() const { return mode_; }
    void setMode(Mode mode);
    int hops() const;
    void setHops(int hops);
    /// Focus on a subject and select it.
    void focusOn(const Subject& subject);
    /// Selects the next hit and zooms to it; false when there is none.
    bool search(const QString& text);
    SearchPanel* searchPanel() const { return found_; }
    /// Shows all e-nodes of a class, or the classes of a folded chain, or takes that back.
    void expandOrFold(egraph::EClassId eclass);
    bool canGoBack() const { return !back_.empty(); }
    bool canGoForward() const { return !forward_.empty(); }
    void goBack();
    void goForward();
    /// The key of what stands for a subject in the picture; kNoKey: nothing does.
    std::uint32_t keyInPicture(const Subject& subject) const;
    /// Rich text; empty for the background.
    QString tipOf(std::uint32_t key) const;

    CanvasView* canvas() const { return canvas_; }
    FilterBar* filterBar() const { return filters_; }
    LayoutClient* layoutClient() const { return layout_; }
    QString countText() const;
    QString toText() const;
    /// Whether the bytes are such a text.
    static bool isText(std::string_view bytes);
    QMenu* createMenu(const Subject& subject);

    /// By the ending of the name: png, svg, txt. The window's "export this view" uses these, too.
    Status exportTo(const QString& path, double scale = 1) const;
    static QStringList exportFormats() { return {"png", "svg", "txt"}; }

Q_SIGNALS:
    void pinRequested(const marquetry::design::Pin& pin);
    void unpinRequested(int id);
    void message(const QString& text);
    /// What the rule says, and what it did, is to be shown.
    void cardRequested(const QString& rule);
    void layoutChanged(); ///< the picture shows the newest layout

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    /// What Back returns to.
    struct Stop {
        Mode mode = Mode::Overview;
        int hops = 1;
        std::vector<egraph::EClassId> seeds;
        std::set<egraph::EClassId> expanded;
        std::set<egraph::EClassId> unfolded;
        Viewport viewport;
        bool fitted = true;
    };
    /// A class that is to stay where it is seen.
    struct Anchor {
        egraph::EClassId eclass;
        QPointF pixel;
        double scale = 1;
    };

    void createToolbar();
    QLayout* createFoot();
    void createSearch();
    void createActions();
    void connectCanvas();
    QMenu* createExportMenu();

    const SnapshotIndex& index() const { return *selection_->index(); }
    void followEGraph();
    void chooseMode();
    void applyMode(Mode mode);
    void onSelection();
    void schedule(int milliseconds);
    void renew();
    void renewOverview();
    void renewFocus();
    void restyle();
    void onDrawing(const ClusterDrawing& drawing);
    void showDrawing(const Focus& focus, const ClusterDrawing& drawing);
    FocusParams focusParams(const ShownPart* part) const;
    void updateHighlights();
    void updateLabels();
    void showTip(std::uint32_t key, QPoint place);
    QString tipOfSubject(const Subject& subject) const;
    QString bundleTip(std::size_t place) const;
    QString chainTip(const std::vector<std::size_t>& block) const;
    void addExpansion(QMenu* menu, const Subject& subject);
    void addCard(QMenu* menu, const Subject& subject);
    Stop here() const;
    void remember();
    void returnTo(const Stop& stop);
    void settleCamera();
    bool foldsAgain(egraph::EClassId eclass) const;
    void onSearchText();
    void showHit(std::uint32_t key);
    void onDoubleClick(std::uint32_t key);
    void pinSelected();
    QString classText(egraph::EClassId id, std::span<const egraph::ENodeId> shown,
                      std::size_t hidden) const;

    SelectionModel* selection_;
    CanvasView* canvas_ = nullptr;
    LayoutClient* layout_ = nullptr;
    FilterBar* filters_ = nullptr;
    ElidedLabel* count_ = nullptr;
    QLabel* legend_ = nullptr;
    QLineEdit* search_ = nullptr;
    SearchPanel* found_ = nullptr;
    QSpinBox* hops_ = nullptr;
    QToolButton* backButton_ = nullptr;
    QToolButton* forwardButton_ = nullptr;
    QToolButton* overviewButton_ = nullptr;
    QToolButton* focusButton_ = nullptr;

    Mode mode_ = Mode::Overview;
    bool modeChosen_ = false; ///< by the user
    std::shared_ptr<const egraph::FrozenEGraph> shownGraph_;
    const void* shownDesign_ = nullptr;
    session::Phase shownPhase_ = session::Phase::Empty;
    std::shared_ptr<const egraph::FrozenEGraph> idsOf_; ///< whose ids are kept here
    std::vector<egraph::EClassId> seeds_;
    std::set<egraph::EClassId> expanded_;
    std::set<egraph::EClassId> unfolded_;
    std::vector<Stop> back_;
    std::vector<Stop> forward_;
    std::optional<Stop> returning_; ///< whose camera the next picture takes
    std::optional<Anchor> anchor_;  ///< for the next picture
    std::uint32_t zoomTo_ = kNoKey; ///< in the next picture

    OverviewMemory overviewMemory_;
    OverviewPlaces bundlePlaces_;
    BundledOverview bundled_; ///< without blocks while each class has one
    std::size_t overviewEnodes_ = 0;
    std::size_t overviewEclasses_ = 0;
    Focus askedFocus_; ///< of the layout under way
    Focus focus_;      ///< what the picture shows
    ClusterDrawing drawing_;
    QTimer renewTimer_;
    QElapsedTimer sinceRenewal_;
    qint64 renewalMs_ = 0;
    QTimer searchTimer_;
};

} // namespace marquetry::widgets
