// EGraphView: the e-graph while it grows, as a whole (overview) or around the selection (focus).
//
// The overview draws every e-class as a block, laid out by layeredLayout. While the engine runs it
// is renewed at most every kOverviewIntervalMs, and at most an eighth of the time is spent on it.
// The focus shows at most kFocusBudget e-nodes around the selection and the chosen design, laid out
// by the worker process. A new layout is asked for when selection, hops or phase change, and at
// most once a second while the e-graph only grows. Places are kept when only colours, pins or the
// choice are new. Until the user picks a mode the view chooses: focus once there is a design,
// otherwise overview.
//
// Keys: Space pins what is selected, Ctrl+F searches (id like "n40" or "c12", or part of an
// operator name; Return goes to the next hit), Alt+Up/Down change the hops, Return focuses,
// Shift+F10 opens the menu; the rest is CanvasView's. Double click focuses; on a tab "+12" it
// expands the class. Filters and the replay slider (FilterBar) limit both modes. The label always
// says how much of the e-graph is shown. Thread rule: window's thread.
#pragma once

#include "widgets/canvas/canvas_view.h"
#include "widgets/egraph/egraph_scene.h"
#include "widgets/egraph/filter_bar.h"
#include "widgets/graph_layout/layout_client.h"
#include "widgets/models/pin_choices.h"
#include "widgets/models/selection_model.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

#include <memory>
#include <string_view>

class QAction;
class QLabel;
class QLineEdit;
class QMenu;
class QSpinBox;
class QToolButton;

namespace marquetry::widgets {

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
    /// Selects the next hit; false when there is none.
    bool search(const QString& text);

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
    void layoutChanged(); ///< the picture shows the newest layout

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void createToolbar();
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
    QString tipOf(const Subject& subject) const;
    void onDoubleClick(std::uint32_t key);
    void pinSelected();
    std::vector<std::uint32_t> hits(const QString& text) const;
    QString classText(egraph::EClassId id, std::span<const egraph::ENodeId> shown,
                      std::size_t hidden) const;

    SelectionModel* selection_;
    CanvasView* canvas_ = nullptr;
    LayoutClient* layout_ = nullptr;
    FilterBar* filters_ = nullptr;
    QLabel* count_ = nullptr;
    QLabel* legend_ = nullptr;
    QLineEdit* search_ = nullptr;
    QSpinBox* hops_ = nullptr;
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

    std::map<egraph::EClassId, double> overviewX_;
    std::size_t overviewEnodes_ = 0;
    Focus askedFocus_; ///< of the layout under way
    Focus focus_;      ///< what the picture shows
    ClusterDrawing drawing_;
    QTimer renewTimer_;
    QElapsedTimer sinceRenewal_;
    qint64 renewalMs_ = 0;
    std::size_t lastHit_ = 0;
    QString lastSearch_;
};

} // namespace marquetry::widgets
