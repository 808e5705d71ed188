// ExportDialog: what is exported, in which form and where to, the files there will be, and the
// command line that does the same.
//
// Any item of the file may be chosen; one that nobody has looked at yet is asked for, and can be
// exported once it is there. Where no command line writes the same, the dialog says what does.
//
// Everything is checked before a button works: the form (hdl::checkForm), the folder, and by the
// files that the session makes meanwhile, what only they tell. The folder must be new, empty or an
// earlier export: foreign folders are never overwritten (the session refuses them too). What was
// chosen is remembered for each item. Thread rule: window's thread.
#pragma once

#include "app/export_item.h"
#include "app/recent_exports.h"
#include "engine/session/command.h"

#include <QDialog>

#include <memory>

class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace marquetry::app {

class ExportPreview;
class ExportFormFields;

/// Empty when the folder may be written to, else the reason why not.
QString exportFolderProblem(const QString& folder);

class ExportDialog : public QDialog {
    Q_OBJECT
public:
    /// `first`: the item to begin with, as in session::Export; empty: the hardware at hand.
    /// Something can be exported.
    ExportDialog(std::shared_ptr<const session::Snapshot> snapshot, const QString& first,
                 QSettings& settings, QWidget* parent = nullptr);

    session::Export command() const;
    bool verifyAfterwards() const { return verify_; }

    /// Asks for the files, once somebody hears it.
    void begin();
    /// A later one than the dialog's, with the files if they are there.
    void setSnapshot(const std::shared_ptr<const session::Snapshot>& snapshot);
    /// In the settings.
    void remember();

Q_SIGNALS:
    /// The files of an export in this form are wanted.
    void listingRequested(const marquetry::session::ListExport& wanted);
    /// The item is to be worked out.
    void showRequested(const marquetry::app::ExportItem& item);
    /// To choose another device.
    void settingsRequested();

private:
    void createFields(QFormLayout* form);
    QLayout* createButtons();
    void connectFields();
    const ExportItem& item() const;
    QString firstFolder() const;
    void fillItems();
    void useItem();
    void describeItem();
    void setListing(const std::shared_ptr<const session::ExportListing>& listing);
    void browse();
    void onForm();
    void check();
    QString problem() const;
    QString commandText() const;
    QString noCommandText() const;

    std::shared_ptr<const session::Snapshot> snapshot_;
    std::vector<ExportItem> items_;
    RecentExports recent_;
    std::shared_ptr<const session::ExportListing> listing_; ///< of the form; null: not there yet
    bool verify_ = false;

    QComboBox* itemBox_ = nullptr;
    QLabel* summary_ = nullptr;
    QLabel* device_ = nullptr;
    ExportFormFields* fields_ = nullptr;
    QLineEdit* folder_ = nullptr;
    ExportPreview* files_ = nullptr;
    QLineEdit* command_ = nullptr;
    QLabel* noCommand_ = nullptr; ///< what else writes the same
    QLabel* problem_ = nullptr;
    QPushButton* settingsButton_ = nullptr;
    QPushButton* export_ = nullptr;
    QPushButton* exportAndVerify_ = nullptr;
};

} // namespace marquetry::app
