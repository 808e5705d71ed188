#include "widgets/memories/try_panel.h"

#include "widgets/text/number_text.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QShortcut>
#include <QSpinBox>
#include <QVBoxLayout>

namespace marquetry::widgets {

namespace {

constexpr int kMostCopies = 64;

QString against(double tried, double chosen) {
    const double more = tried - chosen;
    const QString sign = more > 0 ? QStringLiteral("+") : QString();
    return more == 0 ? QObject::tr("same") : sign + amount(more);
}

QString costText(const session::SchemeDetail& tried, const session::SchemeDetail* chosen) {
    const device::Resources& cost = tried.priced.cost.total;
    const auto figure = [&](double value, double other, const QString& unit) {
        const QString text = amount(value) + u' ' + unit;
        return chosen ? text + QStringLiteral(" (%1)").arg(against(value, other)) : text;
    };
    const device::Resources base = chosen ? chosen->priced.cost.total : device::Resources();
    return QStringList{figure(cost.lut, base.lut, QObject::tr("LUT")),
                       figure(cost.ff, base.ff, QObject::tr("FF")),
                       figure(cost.bram, base.bram, QObject::tr("block RAM")),
                       figure(cost.dsp, base.dsp, QObject::tr("DSP"))}
        .join(QStringLiteral(", "));
}

QString kindsText() {
    return QObject::tr("flat: one map of all dimensions; hierarchical: one per dimension; "
                       "lattice: several maps; xor: each bit of the bank is the XOR of index bits");
}

QString alphaTip() {
    return QObject::tr("Weights of the indices: bank = ⌊α · x / B⌋ mod N. Of xor: the masks of the "
                       "index bits, one list per bit of the bank, with semicolons between");
}

QLayout* inRow(std::initializer_list<QPushButton*> buttons) {
    auto* row = new QHBoxLayout;
    for (QPushButton* const button : buttons)
        row->addWidget(button);
    row->addStretch(1);
    return row;
}

} // namespace

QString verdictText(const session::MemoryItem& item) {
    if (!item.attempt)
        return {};
    const session::SchemeAttempt& attempt = *item.attempt;
    if (attempt.running)
        return QObject::tr("trying …");
    const QString scheme = QString::fromStdString(attempt.scheme.text());
    if (attempt.detail)
        return QObject::tr("✓ %1 serves every cycle: %2")
            .arg(scheme, costText(*attempt.detail, item.detail.get()));
    QString text = QObject::tr("✕ %1: %2").arg(scheme, QString::fromStdString(attempt.text));
    if (attempt.belowBound)
        text += QObject::tr(". No scheme of any form has %1 banks: the %2 addresses in dotted "
                            "squares need a bank each")
                    .arg(attempt.scheme.banks())
                    .arg(item.plan->found.bound.addresses.size());
    return text;
}

TryPanel::TryPanel(QWidget* parent) : QWidget(parent) {
    kind_ = new QComboBox(this);
    kind_->setAccessibleName(tr("Kind of scheme"));
    kind_->setToolTip(kindsText());
    for (const banking::Kind kind : banking::kKinds)
        kind_->addItem(QString::fromStdString(toString(kind)), static_cast<int>(kind));
    banks_ = createField(tr("N"), tr("Number of banks, one per map"), 64);
    blocks_ = createField(tr("B"), tr("Block: so many neighbours share a bank, one per map"), 64);
    alpha_ = createField(tr("α"), alphaTip(), 110);
    copies_ = new QSpinBox(this);
    copies_->setRange(1, kMostCopies);
    copies_->setAccessibleName(tr("Copies of the array"));
    copies_->setToolTip(tr("Copies divide the readers; writers write all of them"));
    try_ = new QPushButton(tr("Try"), this);
    try_->setToolTip(tr("See whether this scheme serves every cycle (Return)"));
    pin_ = new QPushButton(tr("Pin it"), this);
    pin_->setToolTip(tr("Make the scheme tried the answer for this array"));
    drop_ = new QPushButton(tr("Drop"), this);
    drop_->setToolTip(tr("Show the chosen scheme again (Escape)"));
    for (QPushButton* button : {try_, pin_, drop_})
        button->setAccessibleName(button->text() + tr(" the scheme"));
    verdict_ = new QLabel(this);
    verdict_->setWordWrap(true);
    verdict_->setAccessibleName(tr("What becomes of the scheme tried"));
    verdict_->setTextInteractionFlags(Qt::TextSelectableByMouse);

    auto* row = new QHBoxLayout;
    row->addWidget(kind_);
    const auto labelled = [&](const QString& text, QWidget* field) {
        auto* label = new QLabel(text, this);
        label->setBuddy(field);
        row->addWidget(label);
        row->addWidget(field);
    };
    labelled(tr("N"), banks_);
    labelled(tr("B"), blocks_);
    labelled(tr("α"), alpha_);
    labelled(tr("copies"), copies_);
    row->addStretch(1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(6, 4, 6, 4);
    column->addLayout(row);
    column->addLayout(inRow({try_, pin_, drop_}));
    column->addWidget(verdict_);
    column->addStretch(1);
    connect(try_, &QPushButton::clicked, this, &TryPanel::ask);
    connect(pin_, &QPushButton::clicked, this, [this] { Q_EMIT pinned(asked_); });
    connect(drop_, &QPushButton::clicked, this, &TryPanel::dropped);
    auto* escape = new QShortcut(QKeySequence(Qt::Key_Escape), this);
    escape->setContext(Qt::WidgetWithChildrenShortcut);
    connect(escape, &QShortcut::activated, this, &TryPanel::dropped);
}

QLineEdit* TryPanel::createField(const QString& name, const QString& tip, int width) {
    auto* field = new QLineEdit(this);
    field->setAccessibleName(name);
    field->setToolTip(tip);
    field->setFixedWidth(width);
    connect(field, &QLineEdit::returnPressed, this, &TryPanel::ask);
    return field;
}

void TryPanel::setScheme(const banking::Scheme& scheme) {
    const SchemeFields fields = fieldsOf(scheme);
    kind_->setCurrentIndex(kind_->findData(static_cast<int>(fields.kind)));
    banks_->setText(fields.banks);
    blocks_->setText(fields.blocks);
    alpha_->setText(fields.alpha);
    copies_->setValue(static_cast<int>(fields.copies));
}

void TryPanel::setItem(const session::MemoryItem& item) {
    rank_ = item.program->type.dims.size();
    try_->setEnabled(item.pattern != nullptr);
    pin_->setEnabled(item.attempt && item.attempt->detail);
    drop_->setEnabled(item.attempt.has_value());
    if (item.attempt)
        asked_ = item.attempt->name;
    verdict_->setText(verdictText(item));
}

void TryPanel::ask() {
    const SchemeFields fields{static_cast<banking::Kind>(kind_->currentData().toInt()),
                              banks_->text(), blocks_->text(), alpha_->text(), copies_->value()};
    const auto name = parseFields(fields, rank_);
    if (!name) {
        verdict_->setText(tr("✕ %1").arg(QString::fromStdString(name.error().front().message)));
        return;
    }
    Q_EMIT tried(*name);
}

QString TryPanel::verdict() const {
    return verdict_->text();
}

} // namespace marquetry::widgets
