#include "app/export_dialog.h"

#include "engine/session/command_line.h"
#include "widgets/streams/circuit_rows.h"
#include "widgets/text/number_text.h"

#include <QCheckBox>
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
#include <QVBoxLayout>

#include <utility>

namespace marquetry::app {

namespace {

QString streamSummary(const session::StreamItem& stream) {
    const auto& design = stream.schedule->front[stream.chosen];
    return QObject::tr("%1, %2\n%3")
        .arg(QString::fromStdString(stream.program->name),
             widgets::rateText(stream.rates[stream.rate]),
             widgets::areaText(design.area, design.delay));
}

QString memorySummary(const session::MemoryItem& memory, const device::Device& device) {
    const banking::PricedScheme& priced = memory.detail->priced;
    return QObject::tr("%1, %2 on %3\n%4 LUT, %5 FF, %6 block RAM, %7 DSP")
        .arg(QString::fromStdString(memory.program->name),
             QString::fromStdString(priced.scheme.text()), QString::fromStdString(device.id),
             widgets::amount(priced.cost.total.lut), widgets::amount(priced.cost.total.ff),
             widgets::amount(priced.cost.total.bram), widgets::amount(priced.cost.total.dsp));
}

QString hardwareSummary(const session::Snapshot& snapshot, const std::string& item) {
    if (const session::MemoryItem* memory = snapshot.exportedMemory(item))
        return memorySummary(*memory, snapshot.device);
    if (const session::StreamItem* stream = snapshot.exportedStream())
        return streamSummary(*stream);
    if (!snapshot.design)
        return QObject::tr("There is no design yet.");
    const design::Design& design = *snapshot.design;
    QString text =
        QObject::tr("%1 on %2: %3 cycles, %4 DSP, %5 block RAM, %6 LUT")
            .arg(QString::fromStdString(design.program), QString::fromStdString(design.device),
                 widgets::grouped(design.cycles), widgets::amount(design.resources.dsp),
                 widgets::amount(design.resources.bram), widgets::amount(design.resources.lut));
    if (!design.schedule)
        text += u'\n' + QString::fromStdString(design.notExportable);
    return text;
}

/// The folder of the last export, or one of the hardware's name.
QString firstFolder(const session::Snapshot& snapshot, const std::string& item) {
    std::string name = item;
    if (const session::MemoryItem* memory = snapshot.exportedMemory(item))
        name = memory->program->name;
    else if (const session::StreamItem* stream = snapshot.exportedStream())
        name = stream->program->name;
    else if (snapshot.design)
        name = snapshot.design->program;
    if (!snapshot.exportedTo.empty() && item.empty())
        return QString::fromStdString(snapshot.exportedTo);
    return QDir::home().filePath(QString::fromStdString(name) + QStringLiteral("_hdl"));
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
                           QWidget* parent)
    : QDialog(parent), snapshot_(std::move(snapshot)), item_(memory.toStdString()) {
    const bool design = !snapshot_->exportedMemory(item_) && !snapshot_->exportedStream();
    setObjectName(QStringLiteral("exportDialog"));
    setWindowTitle(design ? tr("Export the Design") : tr("Export the Hardware"));
    folder_ = new QLineEdit(firstFolder(*snapshot_, item_), this);
    folder_->setObjectName(QStringLiteral("exportFolder"));
    folder_->setAccessibleName(tr("Folder"));
    auto* browseButton = new QPushButton(tr("Browse…"), this);
    browseButton->setAccessibleName(tr("Browse for the folder"));
    browseButton->setAutoDefault(false);
    target_ = new QComboBox(this);
    target_->addItem(tr("Verilog with a self-checking testbench"), QStringLiteral("verilog"));
    target_->setAccessibleName(tr("Target"));
    verify_ = new QCheckBox(tr("Verify afterwards"), this);
    problem_ = new QLabel(this);
    problem_->setWordWrap(true);
    problem_->setAccessibleName(tr("What is wrong with the folder"));
    command_ = new QLineEdit(this);
    command_->setReadOnly(true);
    command_->setAccessibleName(tr("Equivalent command line"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    ok_ = buttons->button(QDialogButtonBox::Ok);
    ok_->setText(tr("Export"));

    auto* place = new QHBoxLayout;
    place->addWidget(folder_, 1);
    place->addWidget(browseButton);
    auto* form = new QFormLayout;
    auto* summary = new QLabel(hardwareSummary(*snapshot_, item_), this);
    summary->setWordWrap(true);
    form->addRow(design ? tr("Design") : tr("Hardware"), summary);
    form->addRow(tr("Folder"), place);
    form->addRow(tr("Target"), target_);
    form->addRow(QString(), verify_);
    form->addRow(tr("Command"), command_);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(form);
    layout->addWidget(problem_);
    layout->addWidget(buttons);

    connect(browseButton, &QPushButton::clicked, this, &ExportDialog::browse);
    connect(folder_, &QLineEdit::textChanged, this, &ExportDialog::check);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    check();
    resize(620, sizeHint().height());
}

session::Export ExportDialog::command() const {
    return {folder_->text().trimmed().toStdString(),
            target_->currentData().toString().toStdString(), item_};
}

bool ExportDialog::verifyAfterwards() const {
    return verify_->isChecked();
}

void ExportDialog::browse() {
    const QString folder =
        QFileDialog::getExistingDirectory(this, tr("Folder of the export"), folder_->text());
    if (!folder.isEmpty())
        folder_->setText(folder);
}

void ExportDialog::check() {
    const QString problem = exportFolderProblem(folder_->text());
    problem_->setText(problem.isEmpty() ? QString() : tr("✕ %1").arg(problem));
    ok_->setEnabled(problem.isEmpty());
    session::CommandContext context{snapshot_->file, {}, snapshot_->settings,
                                    snapshot_->pins, 0,  snapshot_->exportedTo};
    context.stream = snapshot_->exportedStream();
    context.memory = snapshot_->exportedMemory(item_);
    command_->setText(QString::fromStdString(session::commandLine(command(), context)));
    command_->setCursorPosition(0);
}

} // namespace marquetry::app
