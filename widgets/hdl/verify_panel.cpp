#include "widgets/hdl/verify_panel.h"

#include "widgets/text/number_text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include <cmath>

namespace marquetry::widgets {

VerifyPanel::VerifyPanel(QWidget* parent) : QWidget(parent) {
    verdict_ = new QLabel(this);
    verdict_->setAccessibleName(tr("Verdict of the simulation"));
    QFont bold = font();
    bold.setBold(true);
    verdict_->setFont(bold);
    cycles_ = new QLabel(this);
    cycles_->setAccessibleName(tr("Simulated and predicted cycles"));
    message_ = new QLabel(this);
    message_->setAccessibleName(tr("Progress or first mismatches"));
    message_->setWordWrap(true);
    message_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    message_->setForegroundRole(QPalette::PlaceholderText);
    busy_ = new QProgressBar(this);
    busy_->setRange(0, 0);
    busy_->setTextVisible(false);
    busy_->setMaximumWidth(140);
    busy_->setAccessibleName(tr("Simulation running"));
    verify_ = new QPushButton(tr("Verify"), this);
    verify_->setAccessibleName(tr("Verify"));
    verify_->setToolTip(tr("Simulate the exported design and compare it bit for bit"));
    export_ = new QPushButton(tr("Export…"), this);
    export_->setAccessibleName(tr("Export"));
    connect(verify_, &QPushButton::clicked, this, &VerifyPanel::verifyRequested);
    connect(export_, &QPushButton::clicked, this, &VerifyPanel::exportRequested);

    auto* row = new QHBoxLayout;
    row->addWidget(verdict_);
    row->addWidget(cycles_);
    row->addWidget(busy_);
    row->addStretch(1);
    row->addWidget(verify_);
    row->addWidget(export_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 4, 8, 6);
    layout->setSpacing(2);
    layout->addLayout(row);
    layout->addWidget(message_);
    setSnapshot({});
}

namespace {

/// What the verification is about.
QString itemText(const session::Snapshot& snapshot) {
    const QString item = QString::fromStdString(snapshot.verify.item);
    if (snapshot.held && snapshot.held->path == snapshot.verify.item)
        return item.section(u'/', -1);
    return snapshot.exportedStream(snapshot.verify.item) ? QObject::tr("stream %1").arg(item)
                                                         : QObject::tr("memory %1").arg(item);
}

} // namespace

void VerifyPanel::setSnapshot(const session::Snapshot& snapshot) {
    const session::VerifyState& state = snapshot.verify;
    const bool exportable = (snapshot.design && snapshot.design->schedule.has_value()) ||
                            (snapshot.heldAtHand && snapshot.held->problem.empty()) ||
                            snapshot.exportedStream() || snapshot.exportedMemory();
    verify_->setEnabled(exportable && !state.running);
    export_->setEnabled(exportable && !state.running);
    busy_->setVisible(state.running);
    QString how = tr("with %1").arg(QString::fromStdString(state.simulator));
    if (!state.item.empty())
        how = tr("(%1) %2").arg(itemText(snapshot), how);
    if (state.running)
        verdict_->setText(tr("Verifying %1…").arg(how));
    else if (state.ofAnother)
        verdict_->setText(tr("Not verified: what was verified %1 is another design").arg(how));
    else if (state.done)
        verdict_->setText(state.pass ? tr("✓ Verified %1").arg(how)
                                     : tr("✕ Does not verify %1").arg(how));
    else
        verdict_->setText(tr("Not verified yet"));
    // Grey: of what is not shown.
    const auto role = state.ofAnother ? QPalette::PlaceholderText : QPalette::WindowText;
    verdict_->setForegroundRole(role);
    cycles_->setForegroundRole(role);
    showCycles(state);
    QString message = QString::fromStdString(state.message);
    if (message.isEmpty() && snapshot.design && !exportable)
        message = QString::fromStdString(snapshot.design->notExportable);
    message_->setText(message);
    message_->setVisible(!message.isEmpty());
}

void VerifyPanel::showCycles(const session::VerifyState& state) {
    if (!state.done || state.cycles == 0) {
        cycles_->clear();
        return;
    }
    if (state.predictedCycles == 0) {
        cycles_->setText(tr("%1 cycles simulated, none predicted").arg(grouped(state.cycles)));
        return;
    }
    const auto predicted = static_cast<double>(state.predictedCycles);
    const double off = 100.0 * (static_cast<double>(state.cycles) / predicted - 1);
    cycles_->setText(tr("%1 cycles simulated, %2 predicted (%3%4 %)")
                         .arg(grouped(state.cycles), grouped(state.predictedCycles),
                              off < 0 ? QStringLiteral("−") : QStringLiteral("+"),
                              QString::number(std::fabs(off), 'f', 2)));
}

QString VerifyPanel::verdict() const {
    return verdict_->text();
}

QString VerifyPanel::toText() const {
    return verdict_->text() + u'\n' + cycles_->text() + u'\n' + message_->text();
}

} // namespace marquetry::widgets
