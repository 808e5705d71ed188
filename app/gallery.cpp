#include "app/gallery.h"

#include "engine/banking/plan.h"
#include "engine/device/device_file.h"
#include "engine/frontend/parser.h"
#include "widgets/theme/theme.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QShortcut>
#include <QStyledItemDelegate>
#include <QTextStream>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>

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

/// Title and first paragraph of a README.
std::pair<QString, QString> readReadme(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly | QIODevice::Text))
        return {};
    QTextStream stream(&file);
    QString title;
    QString text;
    while (!stream.atEnd()) {
        const QString line = stream.readLine().trimmed();
        if (line.startsWith(u'#') && title.isEmpty())
            title = line.mid(line.indexOf(u' ') + 1);
        else if (!line.isEmpty())
            text += (text.isEmpty() ? QString() : QStringLiteral(" ")) + line;
        else if (!text.isEmpty())
            break;
    }
    return {title, text};
}

std::optional<Example> readExample(const QDir& folder) {
    const QStringList programs =
        folder.entryList({QStringLiteral("*.mq")}, QDir::Files, QDir::Name);
    if (programs.isEmpty())
        return std::nullopt;
    Example example;
    example.path = folder.filePath(programs.front());
    std::tie(example.title, example.text) =
        readReadme(folder.filePath(QStringLiteral("README.md")));
    if (example.title.isEmpty())
        example.title = folder.dirName();
    if (auto parsed = frontend::parseFile(example.path.toStdString())) {
        if (parsed->programs.empty() && parsed->memories.empty())
            return std::nullopt; // the window opens designs and memories
        if (parsed->programs.empty())
            example.banks = banksOf(parsed->memories.front());
        else
            example.slabs = slabsOf(parsed->programs.front());
    }
    return example;
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

std::vector<Slab> slabsOf(const ir::Program& program) {
    std::vector<Slab> slabs;
    for (const ir::Value& value : program.values) {
        const bool pool = value.op == ir::OpKind::MaxPool || value.op == ir::OpKind::SumPool;
        const bool shown = value.kind == ir::ValueKind::Input ||
                           (value.kind == ir::ValueKind::Op && (value.macs > 0 || pool));
        if (!shown || value.type.dims.empty())
            continue;
        const ir::Shape& dims = value.type.dims;
        slabs.push_back({dims.size() > 1 ? static_cast<double>(dims.front()) : 1.0,
                         static_cast<double>(dims.back())});
    }
    return slabs;
}

QImage banksOf(const ir::MemoryProgram& memory) {
    constexpr std::int64_t kMost = 16;
    const auto device = device::findDevice(device::kDefaultDevice);
    const auto pattern = banking::accessPattern(memory);
    if (!device || !pattern)
        return {};
    const auto plan = banking::plan(*pattern, memory.directive, *device);
    if (!plan)
        return {};
    const ir::Shape& dims = memory.type.dims;
    const std::int64_t columns = std::min(dims.back(), kMost);
    const std::int64_t rows = dims.size() < 2 ? 1 : std::min(dims[dims.size() - 2], kMost);
    QImage image(static_cast<int>(columns), static_cast<int>(rows), QImage::Format_RGB32);
    banking::Address x(dims.size());
    for (int row = 0; row < image.height(); ++row) {
        for (int column = 0; column < image.width(); ++column) {
            if (dims.size() > 1)
                x[dims.size() - 2] = row;
            x.back() = column;
            const std::int64_t bank = plan->chosen().scheme.bank(x);
            image.setPixelColor(column, row,
                                widgets::categoryColour(static_cast<std::size_t>(bank)));
        }
    }
    return image;
}

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

std::vector<Example> findExamples(const QString& folder) {
    std::vector<Example> examples;
    const QDir root(folder);
    if (folder.isEmpty() || !root.exists())
        return examples;
    const auto inside = [](const QDir& dir) {
        return dir.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name);
    };
    for (const QString& name : inside(root)) {
        const QDir dir(root.filePath(name));
        if (auto example = readExample(dir)) {
            examples.push_back(std::move(*example));
            continue;
        }
        for (const QString& member : inside(dir))
            if (auto example = readExample(QDir(dir.filePath(member))))
                examples.push_back(std::move(*example));
    }
    return examples;
}

QString examplesFolder() {
    QDir dir(QCoreApplication::applicationDirPath());
    const QString installed = dir.filePath(QStringLiteral("../share/marquetry/examples"));
    if (QDir(installed).exists())
        return QDir::cleanPath(installed);
    for (int up = 0; up < 5; ++up) {
        if (QFile::exists(dir.filePath(QStringLiteral("CMakePresets.json"))) &&
            dir.exists(QStringLiteral("examples")))
            return dir.filePath(QStringLiteral("examples"));
        if (!dir.cdUp())
            break;
    }
    return {};
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
