#include "widgets/memories/crossbar.h"

#include "widgets/text/number_text.h"

#include <QHelpEvent>
#include <QPaintEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace marquetry::widgets {

namespace {

constexpr double kRow = 20;
constexpr double kTop = 24;
constexpr double kLaneWidth = 118;
constexpr double kBankWidth = 132; ///< swatch, number, bar and words

double bankLeft(double width) {
    return std::max(kLaneWidth + 50, width - kBankWidth);
}

double rowMiddle(std::size_t row) {
    return kTop + (static_cast<double>(row) + 0.5) * kRow;
}

/// Rows that a clip shows, of `count`.
std::pair<std::size_t, std::size_t> rowsIn(const QRectF& clip, std::size_t count) {
    const double first = std::max(0.0, (clip.top() - kTop) / kRow);
    const double last = std::max(0.0, (clip.bottom() - kTop) / kRow + 1);
    return {std::min(count, static_cast<std::size_t>(first)),
            std::min(count, static_cast<std::size_t>(last))};
}

std::vector<CrossbarLane> lanesOf(const banking::AccessPattern& pattern) {
    std::vector<CrossbarLane> lanes;
    for (std::size_t g = 0; g < pattern.groups.size(); ++g) {
        const banking::Group& group = pattern.groups[g];
        for (std::size_t k = 0; k < group.lanes.size(); ++k)
            lanes.push_back({g,
                             k,
                             group.write,
                             QString::fromStdString(pattern.laneText(g, k)),
                             QString::fromStdString(group.why),
                             0,
                             {}});
    }
    return lanes;
}

CrossbarPicture plainCrossbar(const banking::AccessPattern& pattern, const banking::Scheme& scheme,
                              const std::vector<std::int64_t>& words) {
    CrossbarPicture crossbar;
    crossbar.lanes = lanesOf(pattern);
    crossbar.banks = scheme.banks();
    crossbar.copies = scheme.copies;
    crossbar.depth = scheme.depth;
    crossbar.words = words;
    return crossbar;
}

QString laneName(const CrossbarLane& lane) {
    return (lane.write ? QStringLiteral("← ") : QStringLiteral("→ ")) + lane.text;
}

class CrossbarPainter {
public:
    CrossbarPainter(QPainter& painter, const CrossbarPicture& crossbar, QSizeF size,
                    const Theme& theme, const QRectF& clip)
        : painter_(painter),
          crossbar_(crossbar),
          theme_(theme),
          clip_(clip),
          left_(bankLeft(size.width())),
          width_(size.width()) {}

    void paint() {
        painter_.fillRect(clip_, theme_[Role::Background]);
        painter_.setRenderHint(QPainter::Antialiasing);
        QFont small = textFont(8);
        painter_.setFont(small);
        painter_.setPen(theme_[Role::Muted]);
        painter_.drawText(QRectF(6, 2, kLaneWidth, kTop - 4), Qt::AlignVCenter,
                          QObject::tr("lanes"));
        painter_.drawText(QRectF(left_, 2, kBankWidth, kTop - 4), Qt::AlignVCenter,
                          crossbar_.copies > 1
                              ? QObject::tr("banks of %1 copies").arg(crossbar_.copies)
                              : QObject::tr("banks, words"));
        paintLines();
        paintNow();
        paintLanes();
        paintBanks();
    }

private:
    void line(std::size_t k, std::int64_t bank) {
        const CrossbarLane& lane = crossbar_.lanes[k];
        const std::int64_t first = lane.write ? 0 : lane.copy;
        const std::int64_t last = lane.write ? crossbar_.copies - 1 : lane.copy;
        for (std::int64_t copy = first; copy <= last; ++copy) {
            const auto row = static_cast<std::size_t>(copy * crossbar_.banks + bank);
            painter_.drawLine(QPointF(kLaneWidth + 4, rowMiddle(k)),
                              QPointF(left_ - 4, rowMiddle(row)));
        }
    }

    void paintLines() {
        std::size_t budget = CrossbarPicture::kMostLines;
        QColor faint = theme_[Role::Line];
        faint.setAlphaF(crossbar_.lines() > 60 ? 0.35F : 0.7F);
        painter_.setPen(QPen(faint, 1));
        for (std::size_t k = 0; k < crossbar_.lanes.size(); ++k)
            for (const std::int64_t bank : crossbar_.lanes[k].banks) {
                if (budget == 0)
                    return;
                line(k, bank);
                --budget;
            }
    }

    void paintNow() {
        for (std::size_t k = 0; k < crossbar_.lanes.size(); ++k)
            for (const banking::LaneAt& now : crossbar_.now) {
                const CrossbarLane& lane = crossbar_.lanes[k];
                if (now.group != lane.group || now.lane != lane.lane || !now.happens)
                    continue;
                const QColor clash = theme_.dark ? QColor(0xFF, 0x5A, 0x5A) : QColor(0xC0, 0, 0);
                painter_.setPen(QPen(now.conflict ? clash : theme_[Role::Ink],
                                     now.conflict ? 2.6 : 1.8,
                                     now.conflict ? Qt::DashLine : Qt::SolidLine));
                line(k, now.bank);
            }
    }

    void paintLanes() {
        const auto [first, last] = rowsIn(clip_, crossbar_.lanes.size());
        painter_.setPen(theme_[Role::Ink]);
        const QFontMetricsF metrics(painter_.font());
        for (std::size_t k = first; k < last; ++k) {
            const QRectF place(6, rowMiddle(k) - kRow / 2, kLaneWidth - 6, kRow);
            painter_.drawText(
                place, Qt::AlignVCenter | Qt::AlignLeft,
                metrics.elidedText(laneName(crossbar_.lanes[k]), Qt::ElideMiddle, place.width()));
        }
    }

    void paintBanks() {
        const auto [first, last] = rowsIn(clip_, crossbar_.rows());
        const double barLeft = left_ + 40;
        const double barWidth = std::max(10.0, width_ - barLeft - 44);
        for (std::size_t row = first; row < last; ++row) {
            const double y = rowMiddle(row);
            const std::size_t b = row % static_cast<std::size_t>(crossbar_.banks);
            if (b == 0 && row > 0) {
                painter_.setPen(QPen(theme_[Role::Line], 1));
                painter_.drawLine(QPointF(left_, y - kRow / 2), QPointF(width_ - 6, y - kRow / 2));
            }
            const QColor colour = categoryColour(b);
            const QRectF swatch(left_, y - 8, 30, 16);
            painter_.fillRect(swatch, colour);
            painter_.setPen(inkOn(colour));
            painter_.drawText(swatch, Qt::AlignCenter, QString::number(b));
            const QRectF bar(barLeft, y - 5, barWidth, 10);
            painter_.setPen(QPen(theme_[Role::Grid], 1));
            painter_.setBrush(Qt::NoBrush);
            painter_.drawRect(bar);
            painter_.setPen(theme_[Role::Ink]);
            const bool known = b < crossbar_.words.size();
            if (known && crossbar_.depth > 0) {
                const double share =
                    static_cast<double>(crossbar_.words[b]) / static_cast<double>(crossbar_.depth);
                painter_.fillRect(QRectF(bar.topLeft(), QSizeF(bar.width() * share, 10)), colour);
            }
            painter_.drawText(QRectF(bar.right() + 4, y - kRow / 2, 40, kRow), Qt::AlignVCenter,
                              known ? scaled(static_cast<double>(crossbar_.words[b])) : QString());
        }
    }

    QPainter& painter_;
    const CrossbarPicture& crossbar_;
    const Theme& theme_;
    QRectF clip_;
    double left_;
    double width_;
};

} // namespace

std::size_t CrossbarPicture::lines() const {
    std::size_t count = 0;
    for (const CrossbarLane& lane : lanes)
        count += lane.banks.size();
    return count;
}

CrossbarPicture crossbarOf(const banking::AccessPattern& pattern,
                           const session::SchemeDetail& detail) {
    CrossbarPicture crossbar = plainCrossbar(pattern, detail.priced.scheme, detail.wordsPerBank);
    const auto& copyOf = detail.priced.scheme.copyOf;
    for (CrossbarLane& lane : crossbar.lanes) {
        lane.banks = detail.banksOf[lane.group][lane.lane];
        lane.copy = copyOf.empty() || lane.write ? 0 : copyOf[lane.group][lane.lane];
    }
    return crossbar;
}

CrossbarPicture crossbarOf(const banking::AccessPattern& pattern,
                           const session::SchemeAttempt& attempt) {
    return plainCrossbar(pattern, attempt.scheme, attempt.wordsPerBank);
}

QSizeF crossbarSize(const CrossbarPicture& crossbar, double width) {
    const std::size_t rows = std::max(crossbar.lanes.size(), crossbar.rows());
    return {std::max(width, kLaneWidth + 60 + kBankWidth),
            kTop + static_cast<double>(rows) * kRow + 6};
}

void paintCrossbar(QPainter& painter, const CrossbarPicture& crossbar, QSizeF size,
                   const Theme& theme) {
    CrossbarPainter(painter, crossbar, size, theme, QRectF(QPointF(), size)).paint();
}

QString crossbarText(const CrossbarPicture& crossbar) {
    QString text;
    for (const CrossbarLane& lane : crossbar.lanes) {
        QStringList banks;
        for (const std::int64_t bank : lane.banks)
            banks << QString::number(bank);
        const QString copy = crossbar.copies > 1 && !lane.write
                                 ? QStringLiteral(" (copy %1)").arg(lane.copy)
                                 : QString();
        text += laneName(lane) + copy + QStringLiteral(": ") + banks.join(u' ') + u'\n';
    }
    for (std::size_t b = 0; b < crossbar.words.size(); ++b)
        text += QStringLiteral("bank %1: %2 of %3 words\n")
                    .arg(b)
                    .arg(crossbar.words[b])
                    .arg(crossbar.depth);
    return text;
}

CrossbarWidget::CrossbarWidget(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Lanes and banks"));
}

void CrossbarWidget::setCrossbar(CrossbarPicture crossbar) {
    crossbar.now = std::move(crossbar_.now);
    crossbar_ = std::move(crossbar);
    const QSizeF size = crossbarSize(crossbar_, 0);
    setMinimumSize(static_cast<int>(size.width()), static_cast<int>(size.height()));
    updateGeometry();
    update();
}

void CrossbarWidget::setWindow(const banking::AccessWindow& window) {
    crossbar_.now = window.lanes;
    update();
}

QSize CrossbarWidget::sizeHint() const {
    return crossbarSize(crossbar_, 300).toSize();
}

QString CrossbarWidget::tipAt(QPointF pixel) const {
    if (pixel.y() < kTop)
        return {};
    const auto row = static_cast<std::size_t>((pixel.y() - kTop) / kRow);
    if (pixel.x() < kLaneWidth + 20 && row < crossbar_.lanes.size()) {
        const CrossbarLane& lane = crossbar_.lanes[row];
        const QString use = lane.banks.empty() ? QString()
                            : lane.banks.size() == 1
                                ? tr("\nuses bank %1 only: a wire").arg(lane.banks.front())
                                : tr("\nuses %1 of %2 banks: a multiplexer")
                                      .arg(lane.banks.size())
                                      .arg(crossbar_.banks);
        const QString copy =
            crossbar_.copies > 1 && !lane.write ? tr(" from copy %1").arg(lane.copy) : QString();
        return (lane.write ? tr("write ") : tr("read ")) + lane.text + copy + use + u'\n' +
               lane.why;
    }
    if (pixel.x() < bankLeft(width()) - 10 || row >= crossbar_.rows())
        return {};
    const std::size_t bank = row % static_cast<std::size_t>(crossbar_.banks);
    const QString name = crossbar_.copies > 1
                             ? tr("bank %1 of copy %2")
                                   .arg(bank)
                                   .arg(row / static_cast<std::size_t>(crossbar_.banks))
                             : tr("bank %1").arg(bank);
    if (bank < crossbar_.words.size())
        return tr("%1: %2 of its %3 words hold the array")
            .arg(name, grouped(crossbar_.words[bank]), grouped(crossbar_.depth));
    return tr("%1: room for %2 words").arg(name, grouped(crossbar_.depth));
}

bool CrossbarWidget::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), tipAt(help->pos()), this);
    return true;
}

void CrossbarWidget::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    CrossbarPainter(painter, crossbar_, size(), themeOf(palette()), event->rect()).paint();
}

} // namespace marquetry::widgets
