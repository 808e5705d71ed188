#include "widgets/memories/iteration_bar.h"

#include "widgets/text/elided_label.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>

#include <algorithm>

namespace marquetry::widgets {

IterationBar::IterationBar(QWidget* parent) : QWidget(parent) {
    nests_ = new QComboBox(this);
    nests_->setAccessibleName(tr("Loop nest"));
    nests_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    nests_->setToolTip(tr("Loops of one nest run together; different nests never overlap in time"));
    previous_ = button(QStringLiteral("◀"), tr("Previous iteration"), tr("One iteration back"));
    play_ = button(QStringLiteral("▶▶"), tr("Play"), tr("Run through the iterations"));
    play_->setCheckable(true);
    next_ = button(QStringLiteral("▶"), tr("Next iteration"), tr("One iteration on"));
    slider_ = new QSlider(Qt::Horizontal, this);
    slider_->setAccessibleName(tr("Iteration"));
    slider_->setToolTip(tr("The cycle whose accesses are outlined"));
    text_ = new ElidedLabel(this);
    text_->setAccessibleName(tr("Iteration shown"));
    text_->setMinimumWidth(150);
    text_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(6, 2, 6, 2);
    for (QWidget* widget : std::initializer_list<QWidget*>{nests_, previous_, play_, next_})
        row->addWidget(widget);
    row->addWidget(slider_, 1);
    row->addWidget(text_);
    timer_.setInterval(kPlayMs);
    connect(&timer_, &QTimer::timeout, this,
            [this] { Q_EMIT iterationPicked(iteration_ + 1 < count_ ? iteration_ + 1 : 0); });
    connect(play_, &QToolButton::toggled, this,
            [this](bool on) { on ? timer_.start() : timer_.stop(); });
    connect(previous_, &QToolButton::clicked, this, [this] { step(-1); });
    connect(next_, &QToolButton::clicked, this, [this] { step(1); });
    connect(slider_, &QSlider::valueChanged, this, [this](int value) {
        const double share = static_cast<double>(value) / std::max(1, slider_->maximum());
        Q_EMIT iterationPicked(
            count_ <= kTicks ? value
                             : static_cast<std::int64_t>(share * static_cast<double>(count_ - 1)));
    });
    connect(nests_, &QComboBox::activated, this, &IterationBar::nestPicked);
}

QToolButton* IterationBar::button(const QString& text, const QString& name, const QString& tip) {
    auto* made = new QToolButton(this);
    made->setText(text);
    made->setAccessibleName(name);
    made->setToolTip(tip);
    made->setAutoRaise(true);
    made->setFocusPolicy(Qt::TabFocus);
    return made;
}

void IterationBar::setNests(const QStringList& nests) {
    play_->setChecked(false);
    nests_->clear();
    nests_->addItems(nests);
    nests_->setVisible(nests.size() > 1);
}

void IterationBar::show(int nest, std::int64_t iteration, std::int64_t count, const QString& text) {
    iteration_ = iteration;
    count_ = count;
    nests_->setCurrentIndex(nest);
    const QSignalBlocker quiet(slider_);
    const std::int64_t ticks = std::min(count - 1, kTicks);
    slider_->setRange(0, static_cast<int>(ticks));
    const double share =
        count > 1 ? static_cast<double>(iteration) / static_cast<double>(count - 1) : 0;
    slider_->setValue(count <= kTicks ? static_cast<int>(iteration)
                                      : static_cast<int>(share * static_cast<double>(ticks)));
    slider_->setEnabled(count > 1);
    text_->setText(text);
    text_->setToolTip(text);
}

int IterationBar::nest() const {
    return std::max(0, nests_->currentIndex());
}

QString IterationBar::text() const {
    return text_->text();
}

void IterationBar::step(std::int64_t by) {
    Q_EMIT iterationPicked(std::clamp<std::int64_t>(iteration_ + by, 0, count_ - 1));
}

} // namespace marquetry::widgets
