#include "app/offer_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace marquetry::app {

OfferBar::OfferBar(QWidget* parent) : QFrame(parent) {
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::ToolTipBase);
    text_ = new QLabel(this);
    text_->setWordWrap(true);
    text_->setForegroundRole(QPalette::ToolTipText);
    text_->setAccessibleName(tr("Offer"));
    row_ = new QHBoxLayout(this);
    row_->setContentsMargins(10, 4, 4, 4);
    row_->addWidget(text_, 1);
    hide();
}

void OfferBar::offer(const QString& text, const std::vector<Choice>& choices) {
    for (QWidget* const button : std::exchange(buttons_, {})) {
        button->hide(); // it may be what was pressed
        button->deleteLater();
    }
    text_->setText(text);
    for (const Choice& choice : choices) {
        auto* button = new QPushButton(choice.text, this);
        button->setObjectName(choice.name);
        button->setToolTip(choice.tip);
        button->setAccessibleName(choice.text);
        connect(button, &QPushButton::clicked, this, [this, choice] {
            if (choice.ends == Ends::AtOnce)
                hide();
            choice.act();
        });
        row_->addWidget(button);
        buttons_.push_back(button);
    }
    show();
}

void OfferBar::withdraw(const QString& choice) {
    for (const QWidget* const button : buttons_)
        if (button->objectName() == choice)
            hide();
}

QString OfferBar::text() const {
    return isHidden() ? QString() : text_->text();
}

} // namespace marquetry::app
