#include "widgets/sharing/what_if_panel.h"

#include "widgets/models/design_delta.h"
#include "widgets/models/pin_text.h"
#include "widgets/text/number_text.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace marquetry::widgets {

namespace {

/// The other design's units; those the current design does not have are marked.
Gantt ganttBeside(const session::Snapshot& snapshot) {
    const design::Design& other = *snapshot.whatIf->design;
    Gantt gantt = ganttOf(other);
    gantt.lanes.clear();
    for (std::size_t k = 0; k < gantt.rows.size(); ++k) {
        const bool known =
            snapshot.design && std::ranges::any_of(snapshot.design->units, [&](const auto& unit) {
                return unit.name == other.units[k].name && unit.term == other.units[k].term;
            });
        if (!known)
            gantt.rows[k].name.prepend(QStringLiteral("+ "));
    }
    return gantt;
}

} // namespace

class WhatIfPanel::Picture : public QWidget {
public:
    using QWidget::QWidget;

    void show(Gantt gantt, double scale) {
        gantt_ = std::move(gantt);
        scale_ = scale;
        setFixedHeight(static_cast<int>(std::ceil(ganttHeight(gantt_))));
        update();
    }
    const Gantt& gantt() const { return gantt_; }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        paintGantt(painter, gantt_, {size(), 0, scale_, ganttLabelWidth(gantt_)},
                   themeOf(palette()));
    }

private:
    Gantt gantt_;
    double scale_ = 1;
};

WhatIfPanel::WhatIfPanel(QWidget* parent) : QFrame(parent) {
    setObjectName(QStringLiteral("whatIfPanel"));
    setAccessibleName(tr("What if"));
    setFrameShape(QFrame::StyledPanel);
    question_ = new QLabel(this);
    question_->setAccessibleName(tr("The question"));
    question_->setTextFormat(Qt::PlainText);
    question_->setWordWrap(true);
    QFont bold = question_->font();
    bold.setBold(true);
    question_->setFont(bold);
    answer_ = new QLabel(this);
    answer_->setAccessibleName(tr("The answer"));
    answer_->setTextFormat(Qt::RichText);
    answer_->setWordWrap(true);
    answer_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    pin_ = new QPushButton(tr("Pin it"), this);
    pin_->setToolTip(tr("Make this design the current one by a pin"));
    dismiss_ = new QPushButton(tr("Dismiss"), this);
    dismiss_->setToolTip(tr("Drop the question (Escape)"));
    for (QPushButton* button : {pin_, dismiss_})
        button->setAccessibleName(button->text());
    picture_ = new Picture(this);
    connect(pin_, &QPushButton::clicked, this, [this] {
        if (snapshot_ && snapshot_->whatIf)
            Q_EMIT pinRequested(snapshot_->whatIf->pin);
    });
    connect(dismiss_, &QPushButton::clicked, this, &WhatIfPanel::dismissed);

    auto* top = new QHBoxLayout;
    top->addWidget(question_, 1);
    top->addWidget(pin_);
    top->addWidget(dismiss_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 6, 8, 6);
    column->addLayout(top);
    column->addWidget(answer_);
    column->addWidget(picture_);
    hide();
}

void WhatIfPanel::setSnapshot(const std::shared_ptr<const session::Snapshot>& snapshot) {
    snapshot_ = snapshot;
    refresh();
}

void WhatIfPanel::refresh() {
    const bool asked = snapshot_ && snapshot_->whatIf;
    setVisible(asked);
    const auto design = asked ? snapshot_->whatIf->design : nullptr;
    scale_ = 0;
    if (asked) {
        question_->setText(question());
        answer_->setText(answerHtml());
        pin_->setEnabled(!snapshot_->whatIf->running);
    }
    picture_->setVisible(design != nullptr);
    if (!design)
        return;
    const std::int64_t now = snapshot_->design ? snapshot_->design->cycles : 0;
    scale_ = static_cast<double>(std::max(now, design->cycles));
    if (pictured_ != design)
        picture_->show(ganttBeside(*snapshot_), scale_);
    pictured_ = design;
}

QString WhatIfPanel::question() const {
    return tr("What if: %1?").arg(pinText(snapshot_->whatIf->pin));
}

QString WhatIfPanel::answerHtml() const {
    const session::WhatIf& whatIf = *snapshot_->whatIf;
    if (whatIf.running)
        return tr("Looking for the best design under it …");
    QString html;
    for (const Diagnostic& reason : whatIf.infeasible) {
        html += QStringLiteral("✕ %1").arg(QString::fromStdString(reason.message).toHtmlEscaped());
        for (const std::string& note : reason.notes)
            html +=
                QStringLiteral("<br>&nbsp;&nbsp;") + QString::fromStdString(note).toHtmlEscaped();
    }
    if (!whatIf.design || !snapshot_->design)
        return html.isEmpty() ? tr("✕ No design was found.") : html;
    html += QStringLiteral("<table cellspacing=\"0\" cellpadding=\"2\"><tr>");
    const std::vector<DeltaRow> rows = designDelta(*snapshot_->design, *whatIf.design);
    for (const DeltaRow& row : rows)
        html += QStringLiteral("<td>%1&nbsp;&nbsp;</td>").arg(row.name);
    html += QStringLiteral("</tr><tr>");
    for (const DeltaRow& row : rows)
        html += QStringLiteral("<td>%1 → %2&nbsp;&nbsp;</td>")
                    .arg(amount(row.before), amount(row.after));
    html += QStringLiteral("</tr><tr>");
    for (const DeltaRow& row : rows)
        html += QStringLiteral("<td><b>%1</b>&nbsp;&nbsp;&nbsp;</td>").arg(changeText(row));
    return html + QStringLiteral("</tr></table>");
}

QString WhatIfPanel::toText() const {
    if (!snapshot_ || !snapshot_->whatIf)
        return {};
    const session::WhatIf& whatIf = *snapshot_->whatIf;
    QString text = question() + u'\n';
    if (whatIf.running)
        return text + QStringLiteral("running\n");
    for (const Diagnostic& reason : whatIf.infeasible)
        text += QStringLiteral("no design: %1\n").arg(QString::fromStdString(reason.message));
    if (whatIf.design && snapshot_->design)
        for (const DeltaRow& row : designDelta(*snapshot_->design, *whatIf.design))
            text += QStringLiteral("%1 %2 → %3 %4\n")
                        .arg(row.name, amount(row.before), amount(row.after), changeText(row));
    return whatIf.design ? text + ganttText(picture_->gantt()) : text;
}

void WhatIfPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange)
        update();
    QFrame::changeEvent(event);
}

} // namespace marquetry::widgets
