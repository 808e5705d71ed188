#include "app/gallery.h"

#include "widgets/theme/theme.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QShortcut>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>
#include <new>
#include <utility>

namespace marquetry::app {

namespace {

constexpr int kMaxText = 105; ///< characters on a card
constexpr int kPictureHeight = 110;
constexpr QSize kCard(300, 240);
constexpr int kPathRole = Qt::UserRole;
constexpr int kTextRole = Qt::UserRole + 1;
constexpr int kSlabsRole = Qt::UserRole + 2;
constexpr int kBanksRole = Qt::UserRole + 3;

// Front, top and side of a slab: images in blues, vectors in oranges.
const std::array kFaces{widgets::categoryColour(1), widgets::categoryColour(1).lighter(125),
                        widgets::categoryColour(4)};
const std::array kVectorFaces{widgets::categoryColour(0), widgets::categoryColour(0).lighter(135),
                              widgets::categoryColour(5)};

struct Placed {
    double height;
    double width;
    bool vector;
};

Placed placed(const Slab& slab) {
    return {std::max(6.0, 11 * std::sqrt(slab.extent)),
            std::max(3.0, 1.6 * std::sqrt(slab.channels)), slab.extent <= 1};
}

void paintBanks(QPainter& painter, const QImage& banks, const QRectF& area) {
    if (banks.isNull())
        return;
    const double cell = std::min(area.width() / banks.width(), area.height() / banks.height());
    const QSizeF size(cell * banks.width(), cell * banks.height());
    const QPointF corner = area.center() - QPointF(size.width(), size.height()) / 2;
    for (int y = 0; y < banks.height(); ++y)
        for (int x = 0; x < banks.width(); ++x)
            painter.fillRect(QRectF(corner + QPointF(x, y) * cell, QSizeF(cell - 1, cell - 1)),
                             banks.pixelColor(x, y));
}

/// A card: the picture, the title, as much of the text as fits.
class CardDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return kCard; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const QPalette& palette = option.palette;
        const QRectF card = QRectF(option.rect).adjusted(6, 6, -6, -6);
        const bool current = option.state.testFlag(QStyle::State_Selected);
        const bool hover = option.state.testFlag(QStyle::State_MouseOver);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(QPen(palette.color(current || hover ? QPalette::Highlight : QPalette::Mid),
                             current ? 2 : 1));
        painter->setBrush(palette.color(QPalette::Base));
        painter->drawRoundedRect(card, 6, 6);
        const QRectF inside = card.adjusted(12, 10, -12, -10);
        const QRectF picture(inside.topLeft(), QSizeF(inside.width(), kPictureHeight));
        paintSlabs(*painter, index.data(kSlabsRole).value<std::vector<Slab>>(), picture);
        paintBanks(*painter, index.data(kBanksRole).value<QImage>(), picture);
        QFont bold = option.font;
        bold.setBold(true);
        const QFontMetrics boldMetrics(bold);
        QRectF line(inside.left(), inside.top() + kPictureHeight + 8, inside.width(),
                    boldMetrics.height());
        painter->setFont(bold);
        painter->setPen(palette.color(QPalette::Text));
        painter->drawText(line, Qt::AlignLeft,
                          boldMetrics.elidedText(index.data().toString(), Qt::ElideRight,
                                                 static_cast<int>(line.width())));
        painter->setFont(option.font);
        painter->setPen(palette.color(QPalette::PlaceholderText));
        painter->drawText(QRectF(QPointF(line.left(), line.bottom() + 3), inside.bottomRight()),
                          Qt::AlignLeft | Qt::TextWordWrap, index.data(kTextRole).toString());
        painter->restore();
    }
};

} // namespace

void paintSlabs(QPainter& painter, const std::vector<Slab>& slabs, const QRectF& area) {
    constexpr double kGap = 7;
    constexpr double kLean = 0.28; ///< of the height: depth of the slab, up and to the right
    double width = -kGap;
    double height = 1;
    for (const Slab& slab : slabs) {
        const Placed p = placed(slab);
        width += p.width + p.height * kLean + kGap;
        height = std::max(height, p.height * (1 + kLean));
    }
    if (slabs.empty())
        return;
    const double scale = std::min({area.width() / width, area.height() / height, 2.0});
    painter.save();
    painter.translate(area.center());
    painter.scale(scale, scale);
    double x = -width / 2;
    for (const Slab& slab : slabs) {
        const Placed p = placed(slab);
        const double lean = p.height * kLean;
        const QRectF front(x, (lean - p.height) / 2, p.width, p.height);
        const auto& faces = p.vector ? kVectorFaces : kFaces;
        const QPointF back(lean, -lean);
        painter.setPen(QPen(faces[2].darker(140), 0.8 / scale));
        painter.setBrush(faces[1]);
        painter.drawPolygon(QPolygonF{front.topLeft(), front.topLeft() + back,
                                      front.topRight() + back, front.topRight()});
        painter.setBrush(faces[2]);
        painter.drawPolygon(QPolygonF{front.topRight(), front.topRight() + back,
                                      front.bottomRight() + back, front.bottomRight()});
        painter.setBrush(faces[0]);
        painter.drawRect(front);
        x += p.width + lean + kGap;
    }
    painter.restore();
}

Gallery::Gallery(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("gallery"));
    auto* title = new QLabel(tr("Choose an example, or open a program"), this);
    QFont large = font();
    large.setPointSizeF(large.pointSizeF() * 1.6);
    title->setFont(large);
    auto* text = new QLabel(tr("Marquetry grows all equivalent hardware designs of a program and "
                               "finds the one that fits your device best."),
                            this);
    text->setForegroundRole(QPalette::PlaceholderText);
    text->setWordWrap(true);
    auto* open = new QPushButton(tr("Open a program…"), this);
    open->setAccessibleName(tr("Open a program"));
    connect(open, &QPushButton::clicked, this, &Gallery::openRequested);
    list_ = new QListWidget(this);
    list_->setAccessibleName(tr("Examples"));
    list_->setViewMode(QListView::IconMode);
    list_->setResizeMode(QListView::Adjust);
    list_->setMovement(QListView::Static);
    list_->setUniformItemSizes(true);
    list_->setItemDelegate(new CardDelegate(list_));
    list_->setMouseTracking(true);
    list_->viewport()->setBackgroundRole(QPalette::Window);
    list_->setFrameShape(QFrame::NoFrame);
    auto* choose = new QShortcut(QKeySequence(Qt::Key_Return), list_);
    choose->setContext(Qt::WidgetShortcut);
    connect(choose, &QShortcut::activated, this, [this] {
        if (const QListWidgetItem* item = list_->currentItem())
            Q_EMIT exampleChosen(item->data(kPathRole).toString());
    });
    connect(list_, &QListWidget::itemClicked, this, [this](const QListWidgetItem* item) {
        Q_EMIT exampleChosen(item->data(kPathRole).toString());
    });
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(24, 20, 24, 12);
    layout->setSpacing(10);
    layout->addWidget(title);
    layout->addWidget(text);
    layout->addWidget(open, 0, Qt::AlignLeft);
    layout->addWidget(list_, 1);
}

void Gallery::setRecent(const QStringList& files) {
    if (recent_) {
        recent_->hide(); // one of its buttons may be what was pressed
        recent_->deleteLater();
    }
    recent_ = nullptr;
    if (files.isEmpty())
        return;
    recent_ = new QWidget(this);
    auto* row = new QHBoxLayout(recent_);
    row->setContentsMargins(0, 0, 0, 0);
    for (const QString& path : files.mid(0, kMostRecent))
        row->addWidget(recentButton(path, path == files.front()));
    row->addStretch();
    const int behindOpen = layout()->count() - 1; // and before the cards
    static_cast<QVBoxLayout*>(layout())->insertWidget(behindOpen, recent_);
}

QPushButton* Gallery::recentButton(const QString& path, bool last) {
    constexpr int kMostWidth = 220;
    const QString name =
        fontMetrics().elidedText(QFileInfo(path).fileName(), Qt::ElideMiddle, kMostWidth);
    auto* button = new QPushButton(last ? tr("Reopen %1").arg(name) : name, recent_);
    button->setObjectName(last ? QStringLiteral("reopenLast") : QStringLiteral("reopen"));
    button->setAccessibleName(tr("Open %1").arg(QFileInfo(path).fileName()));
    button->setToolTip(path);
    connect(button, &QPushButton::clicked, this, [this, path] { Q_EMIT recentChosen(path); });
    return button;
}

void Gallery::readExamples(const QString& folder) {
    reader_ = std::jthread([this, folder](const std::stop_token& stop) {
        std::vector<Example> found;
        try {
            found = findExamples(folder, stop);
        } catch (const std::bad_alloc&) { // no cards; whoever opens a file is told
        }
        QMetaObject::invokeMethod(this, [this, found = std::move(found)] { setExamples(found); });
    });
}

void Gallery::setExamples(const std::vector<Example>& examples) {
    list_->clear();
    for (const Example& example : examples) {
        QString text = QString(example.text).remove(u'`');
        if (text.size() > kMaxText)
            text = text.left(text.lastIndexOf(u' ', kMaxText)) + QStringLiteral("…");
        auto* item = new QListWidgetItem(example.title, list_);
        item->setData(kPathRole, example.path);
        item->setData(kTextRole, text);
        item->setData(kSlabsRole, QVariant::fromValue(example.slabs));
        item->setData(kBanksRole, example.banks);
        item->setToolTip(example.text);
    }
    if (list_->count() > 0)
        list_->setCurrentRow(0);
}

} // namespace marquetry::app
