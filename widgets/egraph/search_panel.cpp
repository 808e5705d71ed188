#include "widgets/egraph/search_panel.h"

#include "widgets/text/elided_label.h"

#include <QListWidget>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace marquetry::widgets {

SearchPanel::SearchPanel(QWidget* parent) : QWidget(parent) {
    count_ = new ElidedLabel(this);
    count_->setAccessibleName(tr("How much was found"));
    list_ = new QListWidget(this);
    list_->setAccessibleName(tr("What was found"));
    list_->setUniformItemSizes(true);
    list_->setTextElideMode(Qt::ElideRight);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(list_, &QListWidget::currentRowChanged, this, &SearchPanel::onRow);
    connect(list_, &QListWidget::itemClicked, this,
            [this](QListWidgetItem* item) { onRow(list_->row(item)); });
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(6, 2, 6, 2);
    column->setSpacing(2);
    column->addWidget(count_);
    column->addWidget(list_, 1);
}

QString SearchPanel::countLine() const {
    return count_->text();
}

void SearchPanel::setHits(Hits hits) {
    if (hits == hits_)
        return;
    const std::uint32_t before = started_ ? hits_.keys[current_] : 0;
    hits_ = std::move(hits);
    const auto found = std::ranges::find(hits_.keys, before);
    started_ = started_ && found != hits_.keys.end();
    current_ = started_ ? static_cast<std::size_t>(found - hits_.keys.begin()) : 0;
    const QSignalBlocker quiet(list_);
    list_->clear();
    for (const Hit& hit : hits_.listed) {
        auto* item = new QListWidgetItem(hit.text, list_);
        item->setToolTip(hit.text);
    }
    list_->setCurrentRow(started_ && current_ < hits_.listed.size() ? static_cast<int>(current_)
                                                                    : -1);
    count_->showText(countText(hits_));
}

std::uint32_t SearchPanel::next() {
    current_ = started_ ? (current_ + 1) % hits_.keys.size() : 0;
    started_ = true;
    const QSignalBlocker quiet(list_);
    list_->setCurrentRow(current_ < hits_.listed.size() ? static_cast<int>(current_) : -1);
    return hits_.keys[current_];
}

void SearchPanel::onRow(int row) {
    if (row < 0)
        return;
    current_ = static_cast<std::size_t>(row);
    started_ = true;
    Q_EMIT chosen(hits_.keys[current_]);
}

} // namespace marquetry::widgets
