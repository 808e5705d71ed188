#include "app/export_form_fields.h"

#include "engine/vendor/boards.h"
#include "engine/vendor/targets.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QSignalBlocker>

#include <algorithm>

namespace marquetry::app {

namespace {

/// The target whose tools are run here.
constexpr const char* kRunsHere = "open";

void chooseValue(QComboBox* box, const QVariant& value) {
    box->setCurrentIndex(std::max(0, box->findData(value)));
}

QString qtTextOf(const std::string& text) {
    return QString::fromStdString(text);
}

} // namespace

ExportFormFields::ExportFormFields(QFormLayout* form) : QObject(form) {
    target_ = addRow(form, tr("Target"), QStringLiteral("exportTarget"));
    for (const vendor::ExportTarget& target : vendor::targets())
        target_->addItem(tr("%1 — %2").arg(qtTextOf(target.id), qtTextOf(target.title)),
                         qtTextOf(target.id));
    interface_ = addRow(form, tr("Interface"), QStringLiteral("exportInterface"));
    interface_->addItem(tr("stream — AXI4-Streams and plain ports"), QStringLiteral("stream"));
    interface_->addItem(tr("axi — registers behind AXI4-Lite, interrupt, AXI4-Streams"),
                        QStringLiteral("axi"));
    streamBits_ = addRow(form, tr("Stream width"), QStringLiteral("exportStreamBits"));
    streamBits_->addItem(tr("as the hardware has it"), 0);
    for (int bits = 8; bits <= 512; bits *= 2)
        streamBits_->addItem(tr("%1 bits").arg(bits), bits);
    board_ = addRow(form, tr("Board"), QStringLiteral("exportBoard"));
    board_->addItem(tr("none"), QString());
    for (const vendor::Board& board : vendor::boards())
        board_->addItem(tr("%1 — device %2").arg(qtTextOf(board.title), qtTextOf(board.device)),
                        qtTextOf(board.id));
    bitstream_ = new QCheckBox(tr("Place and route now, and report the clock that is reached"));
    bitstream_->setObjectName(QStringLiteral("exportBitstream"));
    bitstream_->setToolTip(tr("Runs Yosys and nextpnr before the folder is written, for the target "
                              "open: minutes for hardware that fills its device"));
    form->addRow(tr("Bitstream"), bitstream_);
    connect(bitstream_, &QCheckBox::toggled, this, &ExportFormFields::onChange);
    bitstream_->setEnabled(false);
    streamBits_->setEnabled(false);
    for (QComboBox* const box : {target_, interface_, streamBits_, board_})
        connect(box, &QComboBox::currentIndexChanged, this, &ExportFormFields::onChange);
}

QComboBox* ExportFormFields::addRow(QFormLayout* form, const QString& label, const QString& name) {
    auto* box = new QComboBox;
    box->setObjectName(name);
    box->setAccessibleName(label);
    form->addRow(label, box);
    return box;
}

void ExportFormFields::onChange() {
    streamBits_->setEnabled(form().interface == hdl::ExportInterface::Axi);
    bitstream_->setEnabled(form().target == kRunsHere);
    Q_EMIT changed();
}

hdl::ExportForm ExportFormFields::form() const {
    hdl::ExportForm form(target_->currentData().toString().toStdString());
    form.interface = hdl::interfaceNamed(interface_->currentData().toString().toStdString())
                         .value_or(hdl::ExportInterface::Stream);
    if (form.interface == hdl::ExportInterface::Axi)
        form.streamBits = streamBits_->currentData().toInt();
    form.board = board_->currentData().toString().toStdString();
    form.bitstream = form.target == kRunsHere && bitstream_->isChecked();
    return form;
}

void ExportFormFields::setForm(const hdl::ExportForm& form) {
    {
        const QSignalBlocker quiet(this);
        chooseValue(target_, qtTextOf(form.target));
        chooseValue(interface_, QString::fromLatin1(hdl::nameOf(form.interface)));
        chooseValue(streamBits_, form.streamBits);
        chooseValue(board_, qtTextOf(form.board));
        bitstream_->setChecked(form.bitstream);
    }
    Q_EMIT changed();
}

hdl::ExportForm fittingForm(hdl::ExportForm form, const device::Device& device, bool hasStreams) {
    const auto fits = [&] { return hdl::checkForm(form, device, hasStreams).has_value(); };
    if (fits())
        return form;
    form.bitstream = false;
    if (fits())
        return form;
    form.board.clear();
    if (fits())
        return form;
    form.interface = hdl::ExportInterface::Stream;
    form.streamBits = 0;
    return fits() ? form : hdl::ExportForm();
}

} // namespace marquetry::app
