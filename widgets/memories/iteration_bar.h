// IterationBar: which loop nest and which of its iterations the picture shows, by slider, steps and
// play.
//
// Any number of iterations: the slider has at most kTicks places, the buttons step by one, playing
// moves on by one every kPlayMs and begins anew at the end. Thread rule: window's thread.
#pragma once

#include <QStringList>
#include <QTimer>
#include <QWidget>

#include <cstdint>

class QComboBox;
class QLabel;
class QSlider;
class QToolButton;

namespace marquetry::widgets {

class IterationBar : public QWidget {
    Q_OBJECT
public:
    static constexpr int kPlayMs = 160;
    static constexpr std::int64_t kTicks = 1'000'000'000;

    explicit IterationBar(QWidget* parent = nullptr);

    void setNests(const QStringList& nests);
    /// Without a signal; the text says what the counters are there.
    void show(int nest, std::int64_t iteration, std::int64_t count, const QString& text);
    int nest() const;
    QSlider* slider() const { return slider_; }
    QToolButton* playButton() const { return play_; }
    QToolButton* nextButton() const { return next_; }
    QComboBox* nests() const { return nests_; }
    QString text() const;

Q_SIGNALS:
    void iterationPicked(qint64 iteration);
    void nestPicked(int nest);

private:
    void step(std::int64_t by);
    QToolButton* button(const QString& text, const QString& name, const QString& tip);

    std::int64_t iteration_ = 0;
    std::int64_t count_ = 1;
    QComboBox* nests_ = nullptr;
    QToolButton* previous_ = nullptr;
    QToolButton* play_ = nullptr;
    QToolButton* next_ = nullptr;
    QSlider* slider_ = nullptr;
    QLabel* text_ = nullptr;
    QTimer timer_;
};

} // namespace marquetry::widgets
