// TryPanel: fields for a scheme of one's own, and what becomes of it — its cost beside the chosen
// one's, or the moment at which it fails.
//
// Return in a field or "Try" asks; "Pin it" makes a scheme that works the answer, "Drop" (Escape)
// goes back to the chosen one. Thread rule: window's thread.
#pragma once

#include "widgets/memories/scheme_fields.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace marquetry::widgets {

/// "serves every cycle: 650 LUT (+70), …" or why it fails.
QString verdictText(const session::MemoryItem& item);

class TryPanel : public QWidget {
    Q_OBJECT
public:
    explicit TryPanel(QWidget* parent = nullptr);

    void setItem(const session::MemoryItem& item);
    /// Puts a scheme into the fields.
    void setScheme(const banking::Scheme& scheme);
    QLineEdit* banks() const { return banks_; }
    QLineEdit* blocks() const { return blocks_; }
    QLineEdit* alpha() const { return alpha_; }
    QComboBox* kind() const { return kind_; }
    QSpinBox* copies() const { return copies_; }
    QPushButton* tryButton() const { return try_; }
    QPushButton* pinButton() const { return pin_; }
    QPushButton* dropButton() const { return drop_; }
    QString verdict() const;

Q_SIGNALS:
    void tried(const marquetry::session::SchemeName& scheme);
    void pinned(const marquetry::session::SchemeName& scheme);
    void dropped();

private:
    void ask();
    QLineEdit* createField(const QString& name, const QString& tip, int width);

    std::size_t rank_ = 0;
    session::SchemeName asked_;
    QComboBox* kind_ = nullptr;
    QLineEdit* banks_ = nullptr;
    QLineEdit* blocks_ = nullptr;
    QLineEdit* alpha_ = nullptr;
    QSpinBox* copies_ = nullptr;
    QPushButton* try_ = nullptr;
    QPushButton* pin_ = nullptr;
    QPushButton* drop_ = nullptr;
    QLabel* verdict_ = nullptr;
};

} // namespace marquetry::widgets
