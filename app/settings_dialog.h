// SettingsDialog: everything an exploration depends on but the program, as a form.
//
// Limits left at 0 are the device's; clock and bandwidth left at 0 too. The line at the bottom is
// the command line that explores with these settings. Thread rule: window's thread.
#pragma once

#include "engine/session/snapshot.h"

#include <QDialog>

#include <map>
#include <string>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLineEdit;
class QSpinBox;

namespace marquetry::app {

class SettingsDialog : public QDialog {
    Q_OBJECT
public:
    SettingsDialog(const session::Snapshot& snapshot, QWidget* parent = nullptr);

    session::Settings settings() const;

private:
    QFormLayout* createForm();
    void addHardware(QFormLayout* form);
    void addGoal(QFormLayout* form);
    QWidget* createGroups();
    void addLimit(QFormLayout* form, const std::string& name, const QString& label);
    void fill();
    void showCommand();

    session::Settings before_;
    std::string file_;
    std::vector<design::Pin> pins_;
    QComboBox* device_ = nullptr;
    QDoubleSpinBox* clock_ = nullptr;
    QDoubleSpinBox* bandwidth_ = nullptr;
    std::map<std::string, QDoubleSpinBox*> limits_;
    QComboBox* cost_ = nullptr;
    QComboBox* objective_ = nullptr;
    QSpinBox* batch_ = nullptr;
    std::map<std::string, QCheckBox*> groups_;
    QSpinBox* seed_ = nullptr;
    QDoubleSpinBox* seconds_ = nullptr;
    QSpinBox* iterations_ = nullptr;
    QSpinBox* enodes_ = nullptr;
    QLineEdit* command_ = nullptr;
};

} // namespace marquetry::app
