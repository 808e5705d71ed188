#include "app/export_dialog.h"

#include "app/export_form_fields.h"
#include "app/export_preview.h"
#include "engine/session/command_line.h"
#include "widgets/text/number_text.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace marquetry::app {

namespace {

/// What is wrong, and below what helps.
QString textOf(const Diagnostics& diagnostics) {
    QStringList lines;
    for (const Diagnostic& diagnostic : diagnostics) {
        lines << QString::fromStdString(diagnostic.message);
        if (!diagnostic.hint.empty())
            lines << QString::fromStdString(diagnostic.hint);
    }
    return lines.join(u'\n');
}

bool hasCode(const Diagnostics& diagnostics, const char* code) {
    return std::ranges::find(diagnostics, code, &Diagnostic::code) != diagnostics.end();
}

QString deviceText(const device::Device& device, bool clockChosen) {
    return QObject::tr("%1 — %2, %3 MHz (%4)")
        .arg(QString::fromStdString(device.id), QString::fromStdString(device.name),
             widgets::amount(device.clockMhz),
             clockChosen ? QObject::tr("of the settings") : QObject::tr("the device's"));
}

} // namespace

QString exportFolderProblem(const QString& folder) {
    if (folder.trimmed().isEmpty())
        return QObject::tr("Choose a folder.");
    const QFileInfo info(folder);
    if (info.exists() && !info.isDir())
        return QObject::tr("%1 is a file.").arg(folder);
    const QDir dir(folder);
    if (info.exists() && !dir.isEmpty() && !dir.exists(QStringLiteral("manifest.json")))
        return QObject::tr("The folder holds other files; an export never overwrites them.");
    QFileInfo parent(info.absoluteFilePath());
    while (!parent.exists() && parent.absolutePath() != parent.absoluteFilePath())
        parent = QFileInfo(parent.absolutePath());
    if (!parent.isDir() || !parent.isWritable())
        return QObject::tr("The folder %1 cannot be written to.").arg(parent.absoluteFilePath());
    return {};
}

ExportDialog::ExportDialog(std::shared_ptr<const session::Snapshot> snapshot, const QString& memory,
                           QSettings& settings, QWidget* parent)
    : QDialog(parent),
      snapshot_(std::move(snapshot)),
      items_(exportItems(*snapshot_, memory.toStdString())),
      recent_(settings) {
    setObjectName(QStringLiteral("exportDialog"));
    setWindowTitle(tr("Export"));
    auto* form = new QFormLayout;
    createFields(form);
    files_ = new ExportPreview(this);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(form);
    layout->addWidget(files_, 1);
    auto* last = new QFormLayout;
    last->addRow(tr("Command"), command_);
    layout->addLayout(last);
    layout->addWidget(problem_);
    layout->addLayout(createButtons());
    itemBox_->setCurrentIndex(
        static_cast<int>(firstItem(items_, *snapshot_, memory.toStdString())));
    useItem();
    connectFields();
    folder_->setFocus();
    resize(860, 720);
}

void ExportDialog::createFields(QFormLayout* form) {
    itemBox_ = new QComboBox(this);
    itemBox_->setObjectName(QStringLiteral("exportItem"));
    itemBox_->setAccessibleName(tr("Hardware"));
    for (const ExportItem& item : items_)
        itemBox_->addItem(item.title);
    form->addRow(tr("Hardware"), itemBox_);
    summary_ = new QLabel(this);
    summary_->setWordWrap(true);
    form->addRow(QString(), summary_);
    device_ = new QLabel(this);
    form->addRow(tr("Device, clock"), device_);
    fields_ = new ExportFormFields(form);
    folder_ = new QLineEdit(this);
    folder_->setObjectName(QStringLiteral("exportFolder"));
    folder_->setAccessibleName(tr("Folder"));
    auto* browseButton = new QPushButton(tr("Browse…"), this);
    browseButton->setAccessibleName(tr("Browse for the folder"));
    browseButton->setAutoDefault(false);
    connect(browseButton, &QPushButton::clicked, this, &ExportDialog::browse);
    auto* place = new QHBoxLayout;
    place->addWidget(folder_, 1);
    place->addWidget(browseButton);
    form->addRow(tr("Folder"), place);
    command_ = new QLineEdit(this);
    command_->setObjectName(QStringLiteral("exportCommand"));
    command_->setReadOnly(true);
    command_->setAccessibleName(tr("Equivalent command line"));
    problem_ = new QLabel(this);
    problem_->setObjectName(QStringLiteral("exportProblem"));
    problem_->setWordWrap(true);
    problem_->setAccessibleName(tr("What is wrong"));
}

QLayout* ExportDialog::createButtons() {
    settingsButton_ = new QPushButton(tr("Choose Another Device…"), this);
    settingsButton_->setObjectName(QStringLiteral("exportSettings"));
    settingsButton_->setAutoDefault(false);
    settingsButton_->hide();
    connect(settingsButton_, &QPushButton::clicked, this, [this] {
        reject();
        Q_EMIT settingsRequested();
    });
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    export_ = buttons->button(QDialogButtonBox::Ok);
    export_->setText(tr("Export"));
    exportAndVerify_ = buttons->addButton(tr("Export and Verify"), QDialogButtonBox::ActionRole);
    exportAndVerify_->setObjectName(QStringLiteral("exportAndVerify"));
    exportAndVerify_->setAutoDefault(false);
    exportAndVerify_->setToolTip(tr("Then simulate the export; the view HDL shows how far it is"));
    connect(exportAndVerify_, &QPushButton::clicked, this, [this] {
        verify_ = true;
        accept();
    });
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* row = new QHBoxLayout;
    row->addWidget(settingsButton_);
    row->addWidget(buttons, 1);
    return row;
}

void ExportDialog::connectFields() {
    connect(itemBox_, &QComboBox::currentIndexChanged, this, &ExportDialog::useItem);
    connect(fields_, &ExportFormFields::changed, this, &ExportDialog::onForm);
    connect(folder_, &QLineEdit::textChanged, this, &ExportDialog::check);
}

const ExportItem& ExportDialog::item() const {
    return items_[static_cast<std::size_t>(std::max(0, itemBox_->currentIndex()))];
}

/// The folder of the last export, or one of the hardware's name.
QString ExportDialog::firstFolder() const {
    if (const auto last = recent_.of(item().name))
        return last->folder;
    if (!snapshot_->exportedTo.empty() && item().memory.empty())
        return QString::fromStdString(snapshot_->exportedTo);
    return QDir::home().filePath(QString::fromStdString(item().name) + QStringLiteral("_hdl"));
}

/// Another item: as it was exported last, or as the last of all was if that fits.
void ExportDialog::useItem() {
    summary_->setText(item().summary);
    device_->setText(deviceText(item().device, snapshot_->settings.clockMhz.has_value()));
    folder_->setText(firstFolder());
    const auto last = recent_.of(item().name);
    const auto latest = last ? last : recent_.latest();
    fields_->setForm(
        fittingForm(latest ? latest->form : hdl::ExportForm(), item().device, item().hasStreams));
}

void ExportDialog::begin() {
    onForm();
}

session::Export ExportDialog::command() const {
    return {folder_->text().trimmed().toStdString(), fields_->form(), item().memory,
            std::make_shared<const std::vector<hdl::ReportPicture>>()};
}

void ExportDialog::remember() {
    recent_.add({item().name, fields_->form(), folder_->text().trimmed()});
}

void ExportDialog::browse() {
    const QString folder =
        QFileDialog::getExistingDirectory(this, tr("Folder of the export"), folder_->text());
    if (!folder.isEmpty())
        folder_->setText(folder);
}

/// The files that there were are of another form.
void ExportDialog::onForm() {
    listing_.reset();
    const Status fits = hdl::checkForm(fields_->form(), item().device, item().hasStreams);
    if (fits && item().problem.isEmpty()) {
        files_->setListing(nullptr);
        Q_EMIT listingRequested({fields_->form(), item().memory});
    } else {
        files_->setNote(tr("No files: see below"));
        Q_EMIT listingRequested({});
    }
    settingsButton_->setVisible(
        !fits && (hasCode(fits.error(), "target-device") || hasCode(fits.error(), "board-device")));
    check();
}

void ExportDialog::setListing(const std::shared_ptr<const session::ExportListing>& listing) {
    if (!listing || listing == listing_ || listing->item != item().memory ||
        listing->options != hdl::optionsOf(fields_->form()))
        return;
    listing_ = listing;
    if (listing_->files.empty())
        files_->setNote(textOf(listing_->problem));
    else
        files_->setListing(listing_);
    check();
}

/// Why there can be no export; empty when there can.
QString ExportDialog::problem() const {
    if (!item().problem.isEmpty())
        return item().problem;
    const Status fits = hdl::checkForm(fields_->form(), item().device, item().hasStreams);
    if (!fits)
        return textOf(fits.error());
    if (listing_ && !listing_->problem.empty() && !hasCode(listing_->problem, "not-listed"))
        return textOf(listing_->problem);
    return exportFolderProblem(folder_->text());
}

QString ExportDialog::commandText() const {
    session::CommandContext context{
        snapshot_->file,      snapshot_->item, snapshot_->settings, snapshot_->pins, 0,
        snapshot_->exportedTo};
    context.stream = snapshot_->exportedStream();
    context.memory = snapshot_->exportedMemory(item().memory);
    return QString::fromStdString(session::commandLine(command(), context));
}

void ExportDialog::check() {
    const QString wrong = problem();
    problem_->setText(wrong.isEmpty() ? QString() : tr("✕ %1").arg(wrong));
    problem_->setVisible(!wrong.isEmpty());
    export_->setEnabled(wrong.isEmpty());
    exportAndVerify_->setEnabled(wrong.isEmpty());
    command_->setText(commandText());
    command_->setPlaceholderText(tr("none: this comes from the exploration in the window"));
    command_->setCursorPosition(0);
}

} // namespace marquetry::app
