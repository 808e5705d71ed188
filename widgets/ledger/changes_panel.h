// ChangesPanel: the best change to try next — what a session has found of them so far, the most
// gain first, and a button that tries the one selected.
//
// Changes are wanted once there is a design, while somebody can see the panel; then the session
// looks for them after every search. "Stop" ends those of the last search, "Go On" goes on with
// them. Thread rule: window's thread.
#pragma once

#include "engine/session/next_change.h"

#include <QWidget>

#include <memory>

class QPushButton;
class QTableView;

namespace marquetry::widgets {

class ChangesModel;
class ElidedLabel;

class ChangesPanel : public QWidget {
    Q_OBJECT
public:
    explicit ChangesPanel(QWidget* parent = nullptr);

    void setSnapshot(const std::shared_ptr<const session::Snapshot>& snapshot);
    QTableView* table() const { return table_; }
    QString stateText() const;
    /// A line for each change; empty without any.
    QString toText() const;

Q_SIGNALS:
    void changesWanted(bool wanted);
    void changesStopped(bool stopped);
    void tryRequested(const marquetry::session::Settings& settings);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void createTable();
    void showChanges();
    void ask();
    void tryCurrent();
    void onStop();

    std::shared_ptr<const session::NextChanges> changes_;
    ChangesModel* model_ = nullptr;
    QTableView* table_ = nullptr;
    ElidedLabel* state_ = nullptr;
    QPushButton* try_ = nullptr;
    QPushButton* stop_ = nullptr;
    bool design_ = false; ///< there is one
    bool wanted_ = false; ///< as it was last said
};

} // namespace marquetry::widgets
