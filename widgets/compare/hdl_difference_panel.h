// HdlDifferencePanel: how the Verilog of two designs differs — the modules of both, and of the one
// that is selected the lines that differ, with some around them.
//
// Lines of A alone begin with "-", those of B alone with "+"; colours say the same. Of a module
// that one design has alone all lines are shown. The module that is selected stays so when other
// designs are compared. Thread rule: window's thread.
#pragma once

#include "engine/session/snapshot.h"

#include <QWidget>

#include <memory>

class QLabel;
class QPlainTextEdit;
class QStackedWidget;
class QTreeWidget;

namespace marquetry::widgets {

class DifferenceHighlighter;

class HdlDifferencePanel : public QWidget {
    Q_OBJECT
public:
    explicit HdlDifferencePanel(QWidget* parent = nullptr);

    void showDifference(const std::shared_ptr<const session::HdlDifference>& difference);
    /// Instead of a difference.
    void showMessage(const QString& text);
    void setText(const QString& text);
    void setOnlyDifferent(bool only);

    const std::shared_ptr<const session::HdlDifference>& difference() const { return difference_; }
    QTreeWidget* modules() const { return modules_; }
    QPlainTextEdit* lines() const { return lines_; }
    QString message() const;
    /// Empty: there is no difference to show.
    QString toText() const;

Q_SIGNALS:
    void menuRequested(QPoint place);

protected:
    void changeEvent(QEvent* event) override;

private:
    void createModules();
    void filter();
    void showModule();

    std::shared_ptr<const session::HdlDifference> difference_;
    QString text_;
    QString module_; ///< that was looked at last
    bool onlyDifferent_ = false;
    QStackedWidget* stack_ = nullptr;
    QLabel* message_ = nullptr;
    QTreeWidget* modules_ = nullptr;
    QPlainTextEdit* lines_ = nullptr;
    DifferenceHighlighter* highlighter_ = nullptr;
};

} // namespace marquetry::widgets
