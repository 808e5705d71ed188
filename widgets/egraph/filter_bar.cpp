#include "widgets/egraph/filter_bar.h"
#include "widgets/text/elided_label.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QStylePainter>
#include <QToolButton>

namespace marquetry::widgets {

namespace {

/// Writes what has not enough room with "…"; the tip is the whole.
class ElidedComboBox : public QComboBox {
public:
    using QComboBox::QComboBox;

protected:
    void paintEvent(QPaintEvent*) override {
        QStylePainter painter(this);
        QStyleOptionComboBox option;
        initStyleOption(&option);
        painter.drawComplexControl(QStyle::CC_ComboBox, option);
        const QRect room = style()->subControlRect(QStyle::CC_ComboBox, &option,
                                                   QStyle::SC_ComboBoxEditField, this);
        option.currentText =
            fontMetrics().elidedText(option.currentText, Qt::ElideRight, room.width() - 4);
        painter.drawControl(QStyle::CE_ComboBoxLabel, option);
    }
};

/// The first entry stands for all.
QComboBox* choice(const QString& all, const QString& name, QWidget* parent) {
    auto* box = new ElidedComboBox(parent);
    box->addItem(all);
    box->setAccessibleName(name);
    box->setToolTip(name);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(9);
    return box;
}

/// Keeps what is chosen as long as it is there.
void fill(QComboBox* box, const std::vector<std::string>& names) {
    QStringList wanted{box->itemText(0)};
    for (const std::string& name : names)
        wanted << QString::fromStdString(name);
    QStringList shown;
    for (int k = 0; k < box->count(); ++k)
        shown << box->itemText(k);
    if (shown == wanted)
        return;
    const QString current = box->currentText();
    const QSignalBlocker quiet(box);
    box->clear();
    box->addItems(wanted);
    box->setCurrentIndex(std::max(0, static_cast<int>(wanted.indexOf(current))));
}

std::string chosen(const QComboBox* box) {
    return box->currentIndex() <= 0 ? std::string() : box->currentText().toStdString();
}

} // namespace

FilterBar::FilterBar(QWidget* parent) : QWidget(parent) {
    layer_ = choice(tr("all layers"), tr("Show what one layer can be made of"), this);
    rule_ = choice(tr("all rules"), tr("Show what one rule made"), this);
    sort_ = choice(tr("all sorts"), tr("Show units, values or stored tensors"), this);
    slider_ = new QSlider(Qt::Horizontal, this);
    slider_->setRange(0, 0);
    slider_->setMinimumWidth(80);
    slider_->setPageStep(1);
    slider_->setAccessibleName(tr("Replay: iteration shown"));
    slider_->setToolTip(tr("What had been made up to an iteration; at the right end the picture "
                           "follows the search"));
    iteration_ = new ElidedLabel(this);
    clear_ = new QToolButton(this);
    clear_->setText(tr("Show all"));
    clear_->setAccessibleName(tr("Take all filters away"));
    clear_->setAutoRaise(true);
    clear_->setFocusPolicy(Qt::TabFocus);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(4, 0, 8, 2);
    for (QWidget* widget : std::initializer_list<QWidget*>{layer_, rule_, sort_})
        row->addWidget(widget);
    row->addWidget(slider_, 1);
    row->addWidget(iteration_, 1);
    row->addWidget(clear_);
    for (QComboBox* box : {layer_, rule_, sort_})
        connect(box, &QComboBox::currentIndexChanged, this, &FilterBar::read);
    connect(slider_, &QSlider::valueChanged, this, &FilterBar::read);
    connect(clear_, &QToolButton::clicked, this, &FilterBar::clear);
    showIteration();
}

void FilterBar::setIndex(const SnapshotIndex& index, std::size_t iterations) {
    const session::Snapshot& snapshot = index.snapshot();
    fill(layer_, index.layers());
    fill(rule_, snapshot.ruleNames);
    fill(sort_, snapshot.program ? std::vector<std::string>{"unit", "value", "stored"}
                                 : std::vector<std::string>{});
    const bool following = slider_->value() == slider_->maximum();
    const int last = static_cast<int>(iterations);
    {
        const QSignalBlocker quiet(slider_);
        slider_->setMaximum(last);
        if (following)
            slider_->setValue(last);
    }
    read();
}

void FilterBar::clear() {
    for (QComboBox* box : {layer_, rule_, sort_}) {
        const QSignalBlocker quiet(box);
        box->setCurrentIndex(0);
    }
    {
        const QSignalBlocker quiet(slider_);
        slider_->setValue(slider_->maximum());
    }
    read();
}

void FilterBar::read() {
    EGraphFilter wanted;
    if (slider_->value() < slider_->maximum())
        wanted.lastIteration = slider_->value();
    wanted.layer = chosen(layer_);
    wanted.rule = chosen(rule_);
    wanted.sort = chosen(sort_);
    for (QComboBox* box : {layer_, rule_, sort_})
        box->setToolTip(box->currentIndex() <= 0
                            ? box->accessibleName()
                            : box->accessibleName() + QStringLiteral(": ") + box->currentText());
    showIteration();
    clear_->setEnabled(!wanted.empty());
    if (wanted == filter_)
        return;
    filter_ = wanted;
    Q_EMIT changed();
}

void FilterBar::showIteration() {
    iteration_->showText(
        slider_->maximum() == 0
            ? tr("no iteration yet")
            : tr("iteration %1 of %2").arg(slider_->value()).arg(slider_->maximum()));
}

} // namespace marquetry::widgets
