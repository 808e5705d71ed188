// The part of the view that shows a sweep.
#include "widgets/pareto/pareto_view.h"

#include <QAction>
#include <QFileDialog>
#include <QMenu>

namespace marquetry::widgets {

QMenu* ParetoView::createSweepMenu() {
    auto* menu = new QMenu(this);
    connect(menu->addAction(tr("Show a sweep…")), &QAction::triggered, this,
            &ParetoView::chooseSweep);
    hideSweep_ = menu->addAction(tr("Hide the sweep"));
    hideSweep_->setEnabled(false);
    connect(hideSweep_, &QAction::triggered, this, [this] { Q_EMIT sweepChosen({}); });
    return menu;
}

void ParetoView::chooseSweep() {
    auto* dialog = new QFileDialog(this, tr("The folder of a sweep"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this, &ParetoView::sweepChosen);
    dialog->open();
}

void ParetoView::setSweep(const QString& name, std::vector<SweepPoint> points) {
    sweepName_ = name;
    sweep_ = std::move(points);
    hideSweep_->setEnabled(!sweepName_.isEmpty());
    refresh();
}

} // namespace marquetry::widgets
