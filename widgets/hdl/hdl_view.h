// HdlView: the generated files as a tree, the modules in them as a tree of instances, one file with
// Verilog colours and find, and the state of verification below.
//
// Files keep the order of the export, folders first seen first. The file shown stays shown when a
// new design replaces its text. An instance that is picked shows its module; Enter or a double
// click shows where it is made. Cross links: `showUnit` opens the file of a design unit,
// `unitPicked` tells which unit the opened file implements. Thread rule: window's thread.
#pragma once

#include "engine/session/snapshot.h"
#include "widgets/hdl/module_tree.h"

#include <QWidget>

#include <memory>

class QLabel;
class QLineEdit;
class QTreeWidget;
class QTreeWidgetItem;

namespace marquetry::widgets {

class CodeView;
class VerifyPanel;
class VerilogHighlighter;

class HdlView : public QWidget {
    Q_OBJECT
public:
    explicit HdlView(QWidget* parent = nullptr);

    void setSnapshot(const std::shared_ptr<const session::Snapshot>& snapshot);
    void showUnit(const QString& unit);
    void showFile(const QString& path);
    QString currentFile() const { return current_; }
    CodeView* code() const { return code_; }
    QTreeWidget* tree() const { return tree_; }
    QTreeWidget* moduleTree() const { return moduleTree_; }
    VerifyPanel* verifyPanel() const { return verify_; }
    QString toText() const;

Q_SIGNALS:
    void unitPicked(QString unit);
    void verifyRequested();
    void exportRequested();

public Q_SLOTS:
    void focusFind();

protected:
    void changeEvent(QEvent* event) override;

private:
    QWidget* createFindBar();
    QWidget* createTree();
    QWidget* createModuleTree();
    void fillTree();
    void fillModules();
    void addInstance(QTreeWidgetItem* item, std::size_t module, int depth);
    QTreeWidgetItem* folderItem(const QString& folder);
    const session::HdlFile* file(const QString& path) const;
    void onItemChanged(QTreeWidgetItem* item);
    void onModule(QTreeWidgetItem* item);
    void onInstance(QTreeWidgetItem* item);
    void followFile();
    void find(bool backwards);
    void countMatches();

    std::shared_ptr<const std::vector<session::HdlFile>> files_;
    QString current_;
    HdlModules modules_;
    QTreeWidget* tree_ = nullptr;
    QTreeWidget* moduleTree_ = nullptr;
    CodeView* code_ = nullptr;
    VerilogHighlighter* highlighter_ = nullptr;
    QLineEdit* find_ = nullptr;
    QLabel* matches_ = nullptr;
    VerifyPanel* verify_ = nullptr;
};

} // namespace marquetry::widgets
