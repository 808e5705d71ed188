#include "app/settings_dialog.h"

#include "engine/design/batch.h"
#include "engine/device/device_file.h"
#include "engine/session/command_line.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QGridLayout>
#include <QLineEdit>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <limits>

namespace marquetry::app {

namespace {

struct Group {
    const char* name;
    const char* tip;
};

constexpr std::array kGroups{
    Group{"sharing", QT_TR_NOOP("One unit for several call sites")},
    Group{"padding", QT_TR_NOOP("Pad small problems to a larger unit")},
    Group{"tiling", QT_TR_NOOP("Call a small unit many times")},
    Group{"parallelism", QT_TR_NOOP("Choose how many products are computed at once")},
    Group{"partial", QT_TR_NOOP("Partial tiles")},
    Group{"fusion", QT_TR_NOOP("Join operations at write-back")},
    Group{"storage", QT_TR_NOOP("Choose where tensors are kept")},
    Group{"skeletons", QT_TR_NOOP("Express one skeleton by another")},
    Group{"grouping", QT_TR_NOOP("Depth-wise convolutions of few channels on units of products")},
    Group{"overlap", QT_TR_NOOP("Let a unit start while what it reads is still written")},
    Group{"streams", QT_TR_NOOP("Let small convolutions be streams with their weights inside")},
};

QDoubleSpinBox* amountBox(double maximum, const QString& none, const QString& suffix) {
    auto* box = new QDoubleSpinBox;
    box->setRange(0, maximum);
    box->setDecimals(0);
    box->setSpecialValueText(none);
    box->setSuffix(suffix);
    return box;
}

QSpinBox* countBox(int low, int high) {
    auto* box = new QSpinBox;
    box->setRange(low, high);
    box->setGroupSeparatorShown(true);
    return box;
}

} // namespace

SettingsDialog::SettingsDialog(const session::Snapshot& snapshot, QWidget* parent)
    : QDialog(parent), before_(snapshot.settings), file_(snapshot.file), pins_(snapshot.pins) {
    setObjectName(QStringLiteral("settingsDialog"));
    setWindowTitle(tr("Exploration Settings"));
    command_ = new QLineEdit(this);
    command_->setReadOnly(true);
    command_->setAccessibleName(tr("Equivalent command line"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(createForm());
    layout->addWidget(command_);
    layout->addWidget(buttons);
    fill();
    for (QWidget* field : findChildren<QWidget*>())
        if (auto* combo = qobject_cast<QComboBox*>(field))
            connect(combo, &QComboBox::currentIndexChanged, this, &SettingsDialog::showCommand);
        else if (auto* real = qobject_cast<QDoubleSpinBox*>(field))
            connect(real, &QDoubleSpinBox::valueChanged, this, &SettingsDialog::showCommand);
        else if (auto* whole = qobject_cast<QSpinBox*>(field))
            connect(whole, &QSpinBox::valueChanged, this, &SettingsDialog::showCommand);
        else if (auto* check = qobject_cast<QCheckBox*>(field))
            connect(check, &QCheckBox::toggled, this, &SettingsDialog::showCommand);
    showCommand();
    resize(560, sizeHint().height());
}

namespace {

void addField(QFormLayout* form, const QString& label, QWidget* field) {
    field->setAccessibleName(label);
    form->addRow(label, field);
}

} // namespace

QFormLayout* SettingsDialog::createForm() {
    auto* form = new QFormLayout;
    addHardware(form);
    addGoal(form);
    form->addRow(tr("Rules"), createGroups());
    addField(form, tr("Seed"), seed_ = countBox(0, std::numeric_limits<int>::max()));
    addField(form, tr("Stop after"), seconds_ = amountBox(86400, QString(), tr(" s")));
    seconds_->setMinimum(1);
    addField(form, tr("At most iterations"), iterations_ = countBox(1, 100000));
    addField(form, tr("At most e-nodes"), enodes_ = countBox(1, 100'000'000));
    return form;
}

void SettingsDialog::addHardware(QFormLayout* form) {
    device_ = new QComboBox;
    for (const device::Device& device : device::shippedDevices())
        device_->addItem(QString::fromStdString(device.id + " — " + device.name),
                         QString::fromStdString(device.id));
    addField(form, tr("Device"), device_);
    addField(form, tr("Clock"), clock_ = amountBox(2000, tr("the device's"), tr(" MHz")));
    addField(form, tr("Memory bandwidth"),
             bandwidth_ = amountBox(1e6, tr("the device's"), tr(" B/cycle")));
    addLimit(form, "dsp", tr("Limit on DSP blocks"));
    addLimit(form, "bram", tr("Limit on block RAM"));
    addLimit(form, "lut", tr("Limit on LUTs"));
    addLimit(form, "cycles", tr("Limit on cycles"));
}

void SettingsDialog::addGoal(QFormLayout* form) {
    cost_ = new QComboBox;
    cost_->addItem(tr("cycles of our hardware"));
    cost_->addItem(tr("as published"));
    cost_->addItem(tr("as published, open"));
    addField(form, tr("Cost model"), cost_);
    objective_ = new QComboBox;
    for (const design::Objective objective : design::kObjectives)
        objective_->addItem(tr(toString(objective)), QLatin1String(toString(objective)));
    addField(form, tr("Objective"), objective_);
    addField(form, tr("Frames of a run"),
             batch_ = countBox(0, static_cast<int>(design::kMostFrames)));
    batch_->setSpecialValueText(tr("as the objective likes"));
    batch_->setToolTip(tr("Frames that go through the hardware together: their weights are read "
                          "from external memory once"));
}

void SettingsDialog::addLimit(QFormLayout* form, const std::string& name, const QString& label) {
    auto* box = amountBox(1e12, name == "cycles" ? tr("none") : tr("the device's"), QString());
    box->setGroupSeparatorShown(true);
    addField(form, label, box);
    limits_[name] = box;
}

QWidget* SettingsDialog::createGroups() {
    auto* host = new QWidget;
    auto* grid = new QGridLayout(host);
    grid->setContentsMargins(0, 0, 0, 0);
    int place = 0;
    for (const Group& group : kGroups) {
        auto* box = new QCheckBox(QLatin1String(group.name));
        box->setToolTip(tr(group.tip));
        box->setAccessibleName(tr("Rules: %1").arg(QLatin1String(group.name)));
        grid->addWidget(box, place / 4, place % 4);
        ++place;
        groups_[group.name] = box;
    }
    return host;
}

void SettingsDialog::fill() {
    const QString device = QString::fromStdString(before_.device);
    if (device_->findData(device) < 0)
        device_->addItem(device, device);
    device_->setCurrentIndex(device_->findData(device));
    clock_->setValue(before_.clockMhz.value_or(0));
    bandwidth_->setValue(before_.bandwidth.value_or(0));
    for (const auto& [name, box] : limits_)
        if (const auto limit = before_.limits.find(name); limit != before_.limits.end())
            box->setValue(limit->second);
    cost_->setCurrentIndex(static_cast<int>(before_.cost));
    objective_->setCurrentIndex(objective_->findData(QLatin1String(toString(before_.objective))));
    batch_->setValue(static_cast<int>(before_.batch.value_or(0)));
    for (const auto& [name, box] : groups_)
        box->setChecked(std::find(before_.without.begin(), before_.without.end(), name) ==
                        before_.without.end());
    seed_->setValue(static_cast<int>(before_.seed));
    seconds_->setValue(before_.seconds);
    iterations_->setValue(before_.maxIterations);
    enodes_->setValue(static_cast<int>(before_.maxEnodes));
}

session::Settings SettingsDialog::settings() const {
    session::Settings s = before_;
    const auto given = [](const QDoubleSpinBox* box) {
        return box->value() > 0 ? std::optional<double>(box->value()) : std::nullopt;
    };
    s.device = device_->currentData().toString().toStdString();
    s.clockMhz = given(clock_);
    s.bandwidth = given(bandwidth_);
    s.limits.clear();
    for (const auto& [name, box] : limits_)
        if (box->value() > 0)
            s.limits[name] = box->value();
    s.cost = static_cast<design::CostModel>(cost_->currentIndex());
    s.objective = design::objectiveNamed(objective_->currentData().toString().toStdString())
                      .value_or(before_.objective);
    s.batch = batch_->value() > 0 ? std::optional<std::int64_t>(batch_->value()) : std::nullopt;
    // Rules that are off one by one stay so.
    std::erase_if(s.without, [this](const std::string& name) { return groups_.contains(name); });
    for (const Group& group : kGroups)
        if (!groups_.at(group.name)->isChecked())
            s.without.emplace_back(group.name);
    s.seed = static_cast<std::uint64_t>(seed_->value());
    s.seconds = seconds_->value();
    s.maxIterations = iterations_->value();
    s.maxEnodes = static_cast<std::size_t>(enodes_->value());
    return s;
}

void SettingsDialog::showCommand() {
    session::CommandContext context;
    context.file = file_.empty() ? "FILE" : file_;
    context.pins = pins_;
    command_->setText(
        QString::fromStdString(session::commandLine(session::ChangeSettings{settings()}, context)));
    command_->setCursorPosition(0);
}

} // namespace marquetry::app
