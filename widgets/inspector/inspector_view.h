// InspectorView: what the selection is, what it costs, why it is so, and what else was possible.
//
// Every id is a link that moves the selection; Back and Forward walk through what was selected.
// Buttons: Pin (what Space does: see widgets/models/pin_choices.h), Never share, What if (the
// design in which the unit's sharing is the opposite, or the best one without the rule), Focus,
// Copy as Markdown. What a rule says is drawn in its card. Thread rule: window's thread.
#pragma once

#include "widgets/inspector/report.h"
#include "widgets/models/pin_choices.h"
#include "widgets/models/selection_model.h"

#include <QWidget>

#include <memory>

class QPushButton;
class QTextBrowser;
class QToolButton;

namespace marquetry::widgets {

class InspectorView : public QWidget {
    Q_OBJECT
public:
    explicit InspectorView(SelectionModel* selection, QWidget* parent = nullptr);

    void setSnapshot(const std::shared_ptr<const session::Snapshot>& snapshot);
    const Report& report() const { return report_; }
    QTextBrowser* browser() const { return browser_; }
    QPushButton* pinButton() const { return pin_; }
    QPushButton* neverShareButton() const { return neverShare_; }
    QPushButton* whatIfButton() const { return whatIf_; }
    QPushButton* focusButton() const { return focus_; }
    QPushButton* copyButton() const { return copy_; }
    /// Follows a link of the report.
    void follow(const QString& link);
    QString toText() const;

Q_SIGNALS:
    void pinRequested(const marquetry::design::Pin& pin);
    void unpinRequested(int id);
    void whatIfRequested(const marquetry::design::Pin& pin);
    /// The best design without a rule is wanted.
    void withoutRuleRequested(const QString& rule);
    void focusRequested(const marquetry::widgets::Subject& subject);
    void message(const QString& text);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void createButtons();
    void refresh();
    void applyStyle();
    void updateButtons();
    void askWhatIf();
    void updateWhatIf();
    /// The rule at hand that could be searched without.
    std::optional<QString> droppableRule() const;
    QSize drawRule();
    void showReport();
    std::optional<design::Pin> opposite() const;

    SelectionModel* selection_;
    std::shared_ptr<const SnapshotIndex> shown_;
    session::Phase phase_ = session::Phase::Empty;
    Report report_;
    QString html_;
    std::vector<PinChoice> choices_;
    QTextBrowser* browser_ = nullptr;
    QPushButton* pin_ = nullptr;
    QPushButton* neverShare_ = nullptr;
    QPushButton* whatIf_ = nullptr;
    QPushButton* focus_ = nullptr;
    QPushButton* copy_ = nullptr;
    QToolButton* back_ = nullptr;
    QToolButton* forward_ = nullptr;
};

} // namespace marquetry::widgets
