// ExportFormFields: in which form to export — target, interface, width of the streams, board,
// and whether the open tools make a bitstream of it.
//
// All targets and boards are on offer: one that does not fit the device says why, and what does
// (hdl::checkForm), instead of not being there. Thread rule: window's thread.
#pragma once

#include "engine/artefact/export_form.h"

#include <QObject>

class QCheckBox;
class QComboBox;
class QFormLayout;

namespace marquetry::app {

class ExportFormFields : public QObject {
    Q_OBJECT
public:
    /// Rows of `form`.
    explicit ExportFormFields(QFormLayout* form);

    /// The width is of axi alone, the bitstream of the target open.
    hdl::ExportForm form() const;
    void setForm(const hdl::ExportForm& form);

Q_SIGNALS:
    void changed();

private:
    QComboBox* addRow(QFormLayout* form, const QString& label, const QString& name);
    void onChange();

    QComboBox* target_ = nullptr;
    QComboBox* interface_ = nullptr;
    QComboBox* streamBits_ = nullptr;
    QComboBox* board_ = nullptr;
    QCheckBox* bitstream_ = nullptr;
};

/// The form, or what is left of it when the rest does not fit the device.
hdl::ExportForm fittingForm(hdl::ExportForm form, const device::Device& device, bool hasStreams);

} // namespace marquetry::app
