// CompareView: the design that is shown, A, beside another one, B.
//
// B is chosen from the designs that were shown before, were kept, or are on the front, or is that
// of a file; those of the front and of files are asked for (`besideRequested`, `fileRequested`) and
// come with a later snapshot. Above it says which designs the two are; below are their figures,
// layers, units and buffers as tables, and both over time on one scale. How their Verilog differs
// is asked for (`hdlRequested`) when its page is looked at. When A changes everything follows; B
// stays until another one is chosen, and where it is no more among what was found, or its file has
// changed, the view says so. Tables sort by any column and filter by text and by whether the
// designs differ. Selecting a layer selects it everywhere. Exports: PNG and SVG (the figures, and
// both over time), CSV and Markdown (the table in front), text (everything). Thread rule: window's
// thread.
#pragma once

#include "widgets/canvas/picture.h"
#include "widgets/compare/compare_choices.h"
#include "widgets/compare/comparison_model.h"
#include "widgets/models/selection_model.h"

#include <QWidget>

#include <array>
#include <memory>

class QCheckBox;
class QAction;
class QComboBox;
class QFileSystemWatcher;
class QLabel;
class QLayout;
class QLineEdit;
class QMenu;
class QTableView;
class QTabWidget;
class QToolButton;

namespace marquetry::widgets {

class ComparisonFilter;
class ElidedLabel;
class GanttPair;
class HdlDifferencePanel;

class CompareView : public QWidget {
    Q_OBJECT
public:
    explicit CompareView(SelectionModel* selection, QWidget* parent = nullptr);

    /// Also while it is out of sight: designs that come and go meanwhile are those shown before.
    void setSnapshot(const std::shared_ptr<const session::Snapshot>& snapshot);
    /// The design at hand as B, also when another one is at hand.
    void keepShown();
    /// The design of a point of the front as B.
    void compareWith(const design::DesignPoint& point);
    /// The design of a DESIGN.json or a session file as B, read anew.
    void compareWithFile(const QString& path);
    /// The design that was asked for is not looked for.
    void refuse(const Diagnostics& reasons);
    /// Their Verilog is not compared.
    void refuseHdl(const Diagnostics& reasons);

    const std::shared_ptr<const design::Comparison>& comparison() const { return comparison_; }
    QComboBox* choices() const { return choices_; }
    QTabWidget* pages() const { return pages_; }
    QTableView* table(design::ComparisonRows rows) const;
    ComparisonModel* model(design::ComparisonRows rows) const;
    const GanttPair& gantt() const { return *gantt_; }
    HdlDifferencePanel* verilog() const { return verilog_; }
    QMenu* createMenu();
    QString wordsOfA() const;
    QString wordsOfB() const;
    /// What to know of the two; why there is no comparison.
    QString noteText() const;

    Picture exported() const;
    QString toText() const;
    QString toCsv() const;
    QString toMarkdown() const;
    /// Whether the bytes are one of these texts, of the figures if they are a table.
    static bool isText(std::string_view bytes);
    /// By the ending of the name: png, svg, csv, md, txt.
    Status exportTo(const QString& path, double scale = 1) const;
    static QStringList exportFormats() { return {"png", "svg", "csv", "md", "txt"}; }

Q_SIGNALS:
    void besideRequested(const marquetry::design::DesignPoint& point);
    void fileRequested(const QString& path);
    /// How the Verilog of the two differs.
    void hdlRequested(const marquetry::widgets::ShownDesign& a,
                      const marquetry::widgets::ShownDesign& b);
    void message(const QString& text);

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    struct Page {
        ComparisonModel* model = nullptr;
        ComparisonFilter* filter = nullptr;
        QTableView* table = nullptr;
    };

    void createActions();
    void createChoices();
    void createVerilog();
    void createFilters();
    QLayout* createBar();
    QToolButton* createButton(QAction* action);
    QLayout* createWords();
    Page createPage(design::ComparisonRows rows);
    const Page& pageInFront() const;
    void fillChoices();
    void choose(int index);
    void take(CompareChoice choice);
    void takeAnswer();
    void takePoint();
    void takeFile();
    void chooseFile();
    void watchFile();
    void compareWhenSeen();
    void compare();
    void askHdl();
    void showHdl();
    void showWords();
    void onLayer(const QModelIndex& current);
    std::vector<QStringList> tableRows(const Page& page, int role) const;

    SelectionModel* selection_;
    std::shared_ptr<const session::Snapshot> snapshot_;
    CompareChoices designs_;
    std::vector<CompareChoice> offered_; ///< in the box, behind its first entry
    CompareChoice b_;
    bool chosen_ = false;        ///< by the user; otherwise B is what was shown before
    bool asked_ = false;         ///< the design of b_'s point or file is being looked for
    bool begun_ = false;         ///< and a snapshot has said so
    std::uint64_t answered_ = 0; ///< the last question about a file before it was asked
    QString problem_;            ///< why there is no design B
    QString refused_;            ///< why the two cannot be compared
    bool due_ = true;            ///< what is shown is of other designs
    std::shared_ptr<const design::Comparison> comparison_;

    std::array<Page, design::kComparisonRows.size()> table_;
    GanttPair* gantt_ = nullptr;
    HdlDifferencePanel* verilog_ = nullptr;
    /// The designs whose Verilog was asked for.
    std::array<std::shared_ptr<const design::Design>, 2> hdlOf_;
    QTabWidget* pages_ = nullptr;
    QComboBox* choices_ = nullptr;
    QAction* keep_ = nullptr;
    QAction* fromFile_ = nullptr;
    QFileSystemWatcher* watcher_ = nullptr;
    QLineEdit* filterText_ = nullptr;
    QCheckBox* onlyDifferent_ = nullptr;
    ElidedLabel* ofA_ = nullptr;
    ElidedLabel* ofB_ = nullptr;
    QLabel* notes_ = nullptr;
};

} // namespace marquetry::widgets
