// The list of the view's designs, and the range that limits it.
#include "widgets/pareto/pareto_list_model.h"
#include "widgets/pareto/pareto_view.h"
#include "widgets/text/table_set_up.h"

#include <QHeaderView>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QToolButton>

namespace marquetry::widgets {

void ParetoView::createList() {
    listModel_ = new ParetoListModel(this);
    sorted_ = new QSortFilterProxyModel(this);
    sorted_->setSourceModel(listModel_);
    sorted_->setSortRole(Qt::UserRole);
    list_ = new QTableView(this);
    constexpr int kRowHeight = 22;
    setUpTable(*list_, sorted_, tr("Designs of the plot"), kRowHeight);
    list_->setSortingEnabled(true);
    list_->sortByColumn(ParetoListModel::Cycles, Qt::AscendingOrder);
    list_->hide();
    listButton_ = new QToolButton(this);
    listButton_->setText(tr("List"));
    listButton_->setAccessibleName(tr("List of the designs"));
    listButton_->setToolTip(tr("The designs as a table; a drag with Shift over the plot lists "
                               "those it covers"));
    listButton_->setCheckable(true);
    listButton_->setAutoRaise(true);
    connect(listButton_, &QToolButton::toggled, this, [this](bool shown) {
        list_->setVisible(shown);
        showList();
    });
    connect(list_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& row) {
                if (!following_ && row.isValid())
                    pick(row.data(ParetoListModel::kIndexRole).toULongLong());
            });
    // Return comes to the view itself.
    connect(list_, &QTableView::doubleClicked, this, &ParetoView::requestDesign);
}

void ParetoView::setRange(const std::optional<QRectF>& range) {
    range_ = range;
    listed_ = {}; // its rows are others
    if (range_)
        listButton_->setChecked(true);
    refresh();
}

/// The rows change only with the points, or the range.
void ParetoView::showList() {
    if (!snapshot_ || !list_->isVisibleTo(this))
        return;
    const auto& points = snapshot_->points;
    if (!listed_.empty() && &*listed_.begin() == &*points.begin() &&
        listed_.size() == points.size())
        return;
    following_ = true;
    listed_ = points;
    listModel_->setPoints(points, pointsWithin(points, axis(), range_));
    following_ = false;
    showPickedRow();
}

void ParetoView::showPickedRow() {
    const int row = picked_ ? listModel_->rowOf(*picked_) : -1;
    following_ = true;
    if (row < 0)
        list_->clearSelection();
    else
        list_->selectRow(sorted_->mapFromSource(listModel_->index(row, 0)).row());
    following_ = false;
}

} // namespace marquetry::widgets
