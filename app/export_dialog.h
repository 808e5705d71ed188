// ExportDialog: where the design, the circuit or the memory goes and as what, with the command line
// that does the same.
//
// The folder must be new, empty or an earlier export: foreign folders are never overwritten (the
// session refuses them too). The dialog says what is wrong before OK. Thread rule: window's thread.
#pragma once

#include "engine/session/command.h"
#include "engine/session/snapshot.h"

#include <QDialog>

#include <memory>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace marquetry::app {

/// Empty when the folder may be written to, else the reason why not.
QString exportFolderProblem(const QString& folder);

class ExportDialog : public QDialog {
    Q_OBJECT
public:
    /// `memory`: the one to export; empty: the hardware at hand.
    ExportDialog(std::shared_ptr<const session::Snapshot> snapshot, const QString& memory,
                 QWidget* parent = nullptr);

    session::Export command() const;
    bool verifyAfterwards() const;

private:
    void browse();
    void check();

    std::shared_ptr<const session::Snapshot> snapshot_;
    std::string item_;
    QLineEdit* folder_ = nullptr;
    QComboBox* target_ = nullptr;
    QCheckBox* verify_ = nullptr;
    QLabel* problem_ = nullptr;
    QLineEdit* command_ = nullptr;
    QPushButton* ok_ = nullptr;
};

} // namespace marquetry::app
