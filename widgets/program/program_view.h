// ProgramView: the source with its diagnostics in place, the list of diagnostics, and the layers.
//
// An error is a wavy underline, a lettered mark in the margin (E, W) and a line in the list; a
// click on the line jumps to the place. Diagnostics without a place are only in the list. Picking a
// layer (in the table, by a click on a line of its statements, or by Enter there) tells
// `layerPicked`; `showLayers` is the way back, and `showValue` that of what is no layer. Columns of
// diagnostics count code points and are turned into the editor's UTF-16 positions here. Thread
// rule: window's thread.
#pragma once

#include "engine/session/snapshot.h"
#include "widgets/program/layer_table_model.h"

#include <QTextEdit>
#include <QWidget>

#include <memory>

class QListWidget;
class QTreeView;

namespace marquetry::widgets {

class CodeView;
class ElidedLabel;
class MqHighlighter;

class ProgramView : public QWidget {
    Q_OBJECT
public:
    explicit ProgramView(QWidget* parent = nullptr);

    void setSnapshot(const std::shared_ptr<const session::Snapshot>& snapshot);
    /// Lights these layers in the table and their statements in the source; tells nobody.
    void showLayers(const QStringList& layers);
    /// Lights the statement of a value, a layer's or an input's, and brings it into sight; tells
    /// nobody. Nothing is lit for a name that no statement has.
    void showValue(const QString& name);

    CodeView* code() const { return code_; }
    QListWidget* diagnosticList() const { return list_; }
    QTreeView* layerTable() const { return table_; }
    LayerTableModel* layers() const { return layers_; }
    QString toText() const;

Q_SIGNALS:
    void layerPicked(QString layer);

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* createLayerTable();
    void fitColumns();
    void showDiagnostics();
    void jumpTo(int row);
    void onLayerRow(int row);
    void pickStatement(int line);
    QTextEdit::ExtraSelection underline(const Diagnostic& diagnostic) const;

    std::shared_ptr<const session::Snapshot> snapshot_;
    CodeView* code_ = nullptr;
    MqHighlighter* highlighter_ = nullptr;
    ElidedLabel* title_ = nullptr;
    QListWidget* list_ = nullptr;
    LayerTableModel* layers_ = nullptr;
    QTreeView* table_ = nullptr;
    QVector<int> shownLines_; ///< of the layers that were shown last
};

} // namespace marquetry::widgets
