#include "app/export_dialog.h"

#include "app/export_form_fields.h"
#include "app/export_preview.h"
#include "engine/session/shown_command.h"
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

/// A path of a file in the folder, or below it.
bool holds(const QString& folder, const std::string& file) {
    const QString path = QFileInfo(QString::fromStdString(file)).absoluteFilePath();
    const QString place = QDir::cleanPath(QFileInfo(folder).absoluteFilePath());
    return !file.empty() && QDir::cleanPath(path).startsWith(place + u'/');
}

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

ExportDialog::ExportDialog(std::shared_ptr<const session::Snapshot> snapshot, const QString& first,
                           QSettings& settings, QWidget* parent)
    : QDialog(parent),
      snapshot_(std::move(snapshot)),
      items_(exportItems(*snapshot_)),
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
    last->addRow(QString(), noCommand_);
    layout->addLayout(last);
    layout->addWidget(problem_);
    layout->addLayout(createButtons());
    itemBox_->setCurrentIndex(static_cast<int>(firstItem(items_, *snapshot_, first.toStdString())));
    useItem();
    connectFields();
    folder_->setFocus();
    resize(860, 720);
}

void ExportDialog::createFields(QFormLayout* form) {
    itemBox_ = new QComboBox(this);
    itemBox_->setObjectName(QStringLiteral("exportItem"));
    itemBox_->setAccessibleName(tr("Hardware"));
    fillItems();
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
    noCommand_ = new QLabel(this);
    noCommand_->setObjectName(QStringLiteral("exportNoCommand"));
    noCommand_->setWordWrap(true);
    noCommand_->setTextFormat(Qt::PlainText);
    noCommand_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    noCommand_->setAccessibleName(tr("What writes the same"));
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
    if (!snapshot_->exportedTo.empty() && item().item.empty())
        return QString::fromStdString(snapshot_->exportedTo);
    return QDir::home().filePath(QString::fromStdString(item().name) + QStringLiteral("_hdl"));
}

void ExportDialog::fillItems() {
    itemBox_->clear();
    for (const ExportItem& item : items_)
        itemBox_->addItem(item.title);
}

void ExportDialog::describeItem() {
    summary_->setText(item().summary);
    summary_->setVisible(!item().summary.isEmpty());
    device_->setText(deviceText(item().device, snapshot_->settings.clockMhz.has_value()));
}

/// Another item: as it was exported last, or as the last of all was if that fits.
void ExportDialog::useItem() {
    describeItem();
    if (item().waits)
        Q_EMIT showRequested(item());
    folder_->setText(firstFolder());
    const auto last = recent_.of(item().name);
    const auto latest = last ? last : recent_.latest();
    fields_->setForm(
        fittingForm(latest ? latest->form : hdl::ExportForm(), item().device, item().hasStreams()));
}

void ExportDialog::begin() {
    if (item().waits)
        Q_EMIT showRequested(item());
    onForm();
}

session::Export ExportDialog::command() const {
    session::Export command{folder_->text().trimmed().toStdString(), fields_->form(), item().item};
    // Of a design that nobody has searched for here there are no views.
    if (item().kind != ExportItem::Kind::HeldDesign)
        command.pictures = std::make_shared<const std::vector<hdl::ReportPicture>>();
    return command;
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
    const Status fits = hdl::checkForm(fields_->form(), item().device, item().hasStreams());
    if (fits && item().problem.isEmpty()) {
        files_->setListing(nullptr);
        Q_EMIT listingRequested({fields_->form(), item().item});
    } else {
        files_->setNote(item().waits ? tr("No files yet") : tr("No files: see below"));
        Q_EMIT listingRequested({});
    }
    settingsButton_->setVisible(
        !fits && (hasCode(fits.error(), "target-device") || hasCode(fits.error(), "board-device")));
    check();
}

void ExportDialog::setSnapshot(const std::shared_ptr<const session::Snapshot>& snapshot) {
    std::vector<ExportItem> items = exportItems(*snapshot);
    if (items.empty())
        return;
    const ExportItem before = item();
    snapshot_ = snapshot;
    const bool same = std::ranges::equal(items, items_, {}, &ExportItem::title, &ExportItem::title);
    items_ = std::move(items);
    const auto now = std::ranges::find(items_, before.item, &ExportItem::item);
    if (!same) {
        const QSignalBlocker quiet(itemBox_);
        fillItems();
        itemBox_->setCurrentIndex(now == items_.end() ? 0 : static_cast<int>(now - items_.begin()));
    }
    if (now == items_.end())
        return useItem();
    describeItem();
    if (before.problem != now->problem)
        onForm();
    else
        check();
    setListing(snapshot->listing);
}

void ExportDialog::setListing(const std::shared_ptr<const session::ExportListing>& listing) {
    if (!listing || listing == listing_ || listing->item != item().item ||
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
    const Status fits = hdl::checkForm(fields_->form(), item().device, item().hasStreams());
    if (!fits)
        return textOf(fits.error());
    if (listing_ && !listing_->problem.empty() && !hasCode(listing_->problem, "not-listed"))
        return textOf(listing_->problem);
    if (QString foreign = exportFolderProblem(folder_->text()); !foreign.isEmpty())
        return foreign;
    for (const std::string& source : {snapshot_->file, item().item})
        if (holds(folder_->text().trimmed(), source))
            return tr("The folder holds %1, of which this is made.")
                .arg(QString::fromStdString(source));
    return {};
}

QString ExportDialog::commandText() const {
    session::CommandContext context = session::contextOf(*snapshot_);
    context.stream = snapshot_->exportedStream(item().item);
    context.memory = snapshot_->exportedMemory(item().item);
    if (item().kind == ExportItem::Kind::HeldDesign)
        context.held = item().item;
    return QString::fromStdString(session::commandLine(command(), context));
}

/// Why no command line finds it, and what writes the same nevertheless.
QString ExportDialog::noCommandText() const {
    const hdl::ExportForm form = fields_->form();
    const QString then =
        tr("\nThe export holds it: in its folder the same is written again by\n%1");
    if (item().kind == ExportItem::Kind::Stream)
        return tr("None: this circuit was chosen instead of the least, which a search finds.");
    if (item().kind == ExportItem::Kind::Memory)
        return tr("None: this comes from the exploration in the window.") +
               then.arg(QString::fromStdString(hdl::commandAgain(form, {item().device})));
    const QString again = then.arg(QString::fromStdString(hdl::commandAgain(form, {})));
    if (snapshot_->file.empty())
        return tr("None: the program is no file.") + again;
    if (snapshot_->foundBy == session::FoundBy::Choice)
        return tr("None: this design was chosen from the plot, and a search may find another.") +
               again;
    return tr("None: a search was ended within, and another may end elsewhere.") + again;
}

void ExportDialog::check() {
    const QString wrong = problem();
    problem_->setText(wrong.isEmpty() ? QString()
                      : item().waits  ? tr("… %1").arg(wrong)
                                      : tr("✕ %1").arg(wrong));
    problem_->setVisible(!wrong.isEmpty());
    export_->setEnabled(wrong.isEmpty());
    exportAndVerify_->setEnabled(wrong.isEmpty());
    const QString line = item().problem.isEmpty() ? commandText() : QString();
    const bool none = line.isEmpty() && item().problem.isEmpty();
    command_->setText(line);
    command_->setPlaceholderText(none ? tr("none: see below") : QString());
    command_->setCursorPosition(0);
    noCommand_->setText(none ? noCommandText() : QString());
    noCommand_->setVisible(none);
}

} // namespace marquetry::app
