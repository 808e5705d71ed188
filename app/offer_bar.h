// OfferBar: a message with what can be done about it, above the views and the start page, until
// something is chosen.
//
// One offer at a time; another takes the place of the one before. Thread rule: window's thread.
#pragma once

#include <QFrame>

#include <functional>
#include <vector>

class QHBoxLayout;
class QLabel;

namespace marquetry::app {

class OfferBar : public QFrame {
    Q_OBJECT
public:
    /// Whether the choice itself ends the offer, or whoever made it, by withdraw().
    enum class Ends { AtOnce, Later };
    struct Choice {
        QString name; ///< object name, for tests
        QString text;
        QString tip;
        std::function<void()> act;
        Ends ends = Ends::AtOnce;
    };

    explicit OfferBar(QWidget* parent = nullptr);

    /// The first choice is the usual one.
    void offer(const QString& text, const std::vector<Choice>& choices);
    QString text() const;
    /// Ends the offer that has this choice, if it is made: what it offers has been done.
    void withdraw(const QString& choice);

private:
    QLabel* text_ = nullptr;
    QHBoxLayout* row_ = nullptr;
    std::vector<QWidget*> buttons_;
};

} // namespace marquetry::app
