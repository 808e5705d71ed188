// ExportPreview: the files that an export would write, and the text of the chosen one.
//
// The session makes them (session::ListExport); until they have come the view says so.
// Thread rule: window's thread.
#pragma once

#include "engine/session/snapshot.h"

#include <QWidget>

#include <memory>

class QLabel;
class QListWidget;
class QPlainTextEdit;

namespace marquetry::app {

class ExportPreview : public QWidget {
    Q_OBJECT
public:
    explicit ExportPreview(QWidget* parent = nullptr);

    /// Null: it is being made. The chosen file stays chosen if it is still there.
    void setListing(std::shared_ptr<const session::ExportListing> listing);
    /// In place of files.
    void setNote(const QString& note);

    QListWidget* list() const { return list_; }
    QPlainTextEdit* text() const { return text_; }

private:
    void fill();
    void showChosen();

    std::shared_ptr<const session::ExportListing> listing_;
    QString chosen_; ///< path
    QLabel* head_ = nullptr;
    QListWidget* list_ = nullptr;
    QPlainTextEdit* text_ = nullptr;
};

} // namespace marquetry::app
