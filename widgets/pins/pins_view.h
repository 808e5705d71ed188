// PinsView: the list of pins with their switches, and the reason when they leave no design. Pins
// that cannot be met together are listed below it, each with a button that takes it away; so are
// the pins on banks of memories.
//
// The view asks (signals); the session decides and the next snapshot shows it. Delete removes the
// selected pins, Space switches them. Thread rule: window's thread.
#pragma once

#include "engine/session/snapshot.h"
#include "widgets/pins/pin_model.h"

#include <QWidget>

#include <memory>
#include <vector>

class QAction;
class QLabel;
class QPushButton;
class QTreeView;

namespace marquetry::widgets {

class PinsView : public QWidget {
    Q_OBJECT
public:
    explicit PinsView(QWidget* parent = nullptr);

    void setSnapshot(const std::shared_ptr<const session::Snapshot>& snapshot);
    PinModel* model() const { return model_; }
    QTreeView* list() const { return list_; }
    QString conflictText() const;
    /// One per pin of a minimal conflict, in its order.
    std::vector<QPushButton*> conflictButtons() const { return conflictButtons_; }
    /// One per memory with pins, in the order of the file.
    std::vector<QPushButton*> bankButtons() const { return bankButtons_; }
    QString toText() const;

Q_SIGNALS:
    void enableRequested(int id, bool enabled);
    void removeRequested(int id);
    void banksFreed(const QString& memory);

private:
    void removeSelected();
    void updateActions();
    void showConflict(const session::Snapshot& snapshot);
    void showCulprits(const session::Snapshot& snapshot);
    void showBanks(const session::Snapshot& snapshot);

    PinModel* model_ = nullptr;
    QTreeView* list_ = nullptr;
    QLabel* empty_ = nullptr;
    QLabel* conflict_ = nullptr;
    QWidget* culprits_ = nullptr; ///< the buttons
    std::vector<design::Pin> conflicting_;
    std::vector<QPushButton*> conflictButtons_;
    QWidget* banks_ = nullptr; ///< the buttons
    QStringList banksShown_;
    std::vector<QPushButton*> bankButtons_;
    QAction* remove_ = nullptr;
};

} // namespace marquetry::widgets
