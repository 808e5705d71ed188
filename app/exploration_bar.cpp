#include "app/exploration_bar.h"

#include "engine/device/device_file.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QSpinBox>

#include <cmath>

namespace marquetry::app {

namespace {

void choose(QComboBox* box, const QString& value) {
    const QSignalBlocker quiet(box);
    int at = box->findData(value);
    if (at < 0) { // a device file
        box->addItem(value.section(u'/', -1), value);
        at = box->count() - 1;
    }
    box->setCurrentIndex(at);
}

} // namespace

ExplorationBar::ExplorationBar(QWidget* parent) : QWidget(parent) {
    device_ = new QComboBox(this);
    device_->setAccessibleName(tr("Device"));
    device_->setToolTip(tr("The chip: its limits, clock and memory"));
    for (const device::Device& device : device::shippedDevices()) {
        device_->addItem(QString::fromStdString(device.id), QString::fromStdString(device.id));
        device_->setItemData(device_->count() - 1, QString::fromStdString(device.name),
                             Qt::ToolTipRole);
    }
    budget_ = new QSpinBox(this);
    budget_->setAccessibleName(tr("DSP budget"));
    budget_->setToolTip(tr("DSP blocks the design may use; 0: all the device has"));
    budget_->setRange(0, 1'000'000);
    budget_->setSpecialValueText(tr("device"));
    budget_->setSuffix(tr(" DSP"));
    budget_->setKeyboardTracking(false);
    objective_ = new QComboBox(this);
    objective_->setAccessibleName(tr("Objective"));
    objective_->setToolTip(tr("What the best design is best at"));
    for (const design::Objective objective : design::kObjectives)
        objective_->addItem(tr(toString(objective)), QLatin1String(toString(objective)));

    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(4, 0, 4, 0);
    for (QWidget* widget : std::initializer_list<QWidget*>{device_, budget_, objective_})
        row->addWidget(widget);
    connect(device_, &QComboBox::activated, this, &ExplorationBar::request);
    connect(objective_, &QComboBox::activated, this, &ExplorationBar::request);
    connect(budget_, &QSpinBox::valueChanged, this, &ExplorationBar::request);
}

void ExplorationBar::setSettings(const session::Settings& settings) {
    if (settings == settings_)
        return;
    settings_ = settings;
    choose(device_, QString::fromStdString(settings.device));
    choose(objective_, QString::fromLatin1(toString(settings.objective)));
    const auto dsp = settings.limits.find("dsp");
    const QSignalBlocker quiet(budget_);
    budget_->setValue(dsp == settings.limits.end() ? 0
                                                   : static_cast<int>(std::lround(dsp->second)));
}

void ExplorationBar::request() {
    session::Settings wanted = settings_;
    wanted.device = device_->currentData().toString().toStdString();
    wanted.objective = design::objectiveNamed(objective_->currentData().toString().toStdString())
                           .value_or(settings_.objective);
    if (budget_->value() == 0)
        wanted.limits.erase("dsp");
    else
        wanted.limits["dsp"] = budget_->value();
    if (wanted == settings_)
        return;
    settings_ = wanted;
    Q_EMIT settingsRequested(wanted);
}

} // namespace marquetry::app
