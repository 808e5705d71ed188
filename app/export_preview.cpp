#include "app/export_preview.h"

#include "widgets/text/number_text.h"
#include "widgets/theme/theme.h"

#include <QLabel>
#include <QListWidget>
#include <QLocale>
#include <QPlainTextEdit>
#include <QSignalBlocker>
#include <QSplitter>
#include <QVBoxLayout>

#include <utility>

namespace marquetry::app {

namespace {

const QString kFirst = QStringLiteral("README.md");

QString sizeText(std::size_t bytes) {
    return QLocale::c().formattedDataSize(static_cast<qint64>(bytes), 1,
                                          QLocale::DataSizeTraditionalFormat);
}

/// The text that a preview shows of a file.
QString previewOf(const session::ListedFile& file) {
    if (file.head.find('\0') != std::string::npos)
        return QObject::tr("(%1 of data)").arg(sizeText(file.bytes));
    QString text = QString::fromStdString(file.head);
    if (file.bytes > file.head.size())
        text += QObject::tr("\n… (%1 in all)").arg(sizeText(file.bytes));
    return text;
}

} // namespace

ExportPreview::ExportPreview(QWidget* parent) : QWidget(parent) {
    head_ = new QLabel(this);
    head_->setObjectName(QStringLiteral("exportFilesHead"));
    head_->setWordWrap(true);
    list_ = new QListWidget(this);
    list_->setObjectName(QStringLiteral("exportFiles"));
    list_->setAccessibleName(tr("Files of the export"));
    text_ = new QPlainTextEdit(this);
    text_->setObjectName(QStringLiteral("exportText"));
    text_->setAccessibleName(tr("Text of the chosen file"));
    text_->setReadOnly(true);
    text_->setTabChangesFocus(true);
    text_->setLineWrapMode(QPlainTextEdit::NoWrap);
    text_->setFont(widgets::monoFont(9));
    auto* parts = new QSplitter(this);
    parts->addWidget(list_);
    parts->addWidget(text_);
    parts->setStretchFactor(0, 2);
    parts->setStretchFactor(1, 5);
    parts->setChildrenCollapsible(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(head_);
    layout->addWidget(parts, 1);
    connect(list_, &QListWidget::currentRowChanged, this, &ExportPreview::showChosen);
}

void ExportPreview::setListing(std::shared_ptr<const session::ExportListing> listing) {
    if (listing && listing == listing_)
        return;
    listing_ = std::move(listing);
    fill();
}

void ExportPreview::setNote(const QString& note) {
    listing_.reset();
    fill();
    head_->setText(note);
}

void ExportPreview::fill() {
    {
        const QSignalBlocker quiet(list_);
        list_->clear();
        std::size_t bytes = 0;
        int row = 0;
        if (listing_) {
            for (const session::ListedFile& file : listing_->files) {
                const QString path = QString::fromStdString(file.path);
                if (path == (chosen_.isEmpty() ? kFirst : chosen_))
                    row = list_->count();
                auto* entry = new QListWidgetItem(path, list_);
                entry->setToolTip(sizeText(file.bytes));
                bytes += file.bytes;
            }
        }
        if (list_->count() > 0)
            list_->setCurrentRow(row);
        head_->setText(listing_ ? tr("%1 files, %2; pictures of the views come into the report "
                                     "when it is written")
                                      .arg(widgets::grouped(list_->count()), sizeText(bytes))
                                : tr("The files are being made…"));
    }
    showChosen();
}

void ExportPreview::showChosen() {
    const int row = list_->currentRow();
    if (!listing_ || row < 0) {
        text_->clear();
        return;
    }
    const session::ListedFile& file = listing_->files[static_cast<std::size_t>(row)];
    if (list_->hasFocus())
        chosen_ = QString::fromStdString(file.path);
    text_->setPlainText(previewOf(file));
}

} // namespace marquetry::app
