#include "widgets/compare/gantt_pair.h"

#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>

namespace marquetry::widgets {

namespace {

Gantt named(const QString& name, const std::shared_ptr<const design::Design>& design) {
    Gantt gantt;
    if (design)
        gantt = ganttOf(*design);
    else
        gantt.message = QObject::tr("Nothing is compared yet.");
    gantt.title = QObject::tr("%1 — %2").arg(name, gantt.title);
    return gantt;
}

} // namespace

GanttPair::GanttPair(SelectionModel* selection, QWidget* parent)
    : QScrollArea(parent),
      selection_(selection),
      within_{new SelectionModel(this), new SelectionModel(this)} {
    auto* both = new QWidget(this);
    a_ = new GanttWidget(within_[0], both);
    b_ = new GanttWidget(within_[1], both);
    a_->setAccessibleName(tr("Units of design A over time"));
    b_->setAccessibleName(tr("Units of design B over time"));
    auto* column = new QVBoxLayout(both);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(a_);
    column->addWidget(b_);
    column->addStretch(1);
    setWidget(both);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    for (GanttWidget* gantt : {a_, b_})
        connect(gantt, &GanttWidget::menuRequested, this, &GanttPair::menuRequested);
    for (SelectionModel* model : {selection_, within_[0], within_[1]})
        connect(model, &SelectionModel::changed, this, [this, model] { follow(*model); });
}

/// Units and calls of one design are none of the other: their layers have the same names.
void GanttPair::follow(const SelectionModel& from) {
    if (following_)
        return;
    following_ = true;
    const auto& layers = from.linked().layers;
    for (SelectionModel* model : {selection_, within_[0], within_[1]}) {
        if (model == &from)
            continue;
        if (isEmpty(from.subject()))
            model->clear();
        else if (layers.size() == 1)
            model->select(LayerName{layers.front()});
    }
    following_ = false;
}

void GanttPair::setDesigns(const std::shared_ptr<const session::Snapshot>& snapshot,
                           const std::shared_ptr<const design::Design>& a,
                           const std::shared_ptr<const design::Design>& b) {
    following_ = true;
    for (std::size_t k = 0; k < within_.size(); ++k) {
        auto alone = std::make_shared<session::Snapshot>(*snapshot);
        alone->design = k == 0 ? a : b;
        alone->egraph = nullptr; // its ids are of the e-graph at hand, which may be another one
        alone->pins.clear();
        within_[k]->setSnapshot(alone);
    }
    following_ = false;
    scale_ = static_cast<double>(std::max(a ? a->cycles : 0, b ? b->cycles : 0));
    a_->setGantt(named(tr("A"), a));
    b_->setGantt(named(tr("B"), b));
    const double labels = std::max(ganttLabelWidth(a_->gantt()), ganttLabelWidth(b_->gantt()));
    for (GanttWidget* gantt : {a_, b_}) {
        gantt->setScale(scale_);
        gantt->setLabelWidth(labels);
    }
    follow(*selection_);
}

Picture GanttPair::exported() const {
    const Gantt a = a_->gantt();
    const Gantt b = b_->gantt();
    GanttView of;
    of.to = std::max(1.0, scale_);
    of.labelWidth = std::max(ganttLabelWidth(a), ganttLabelWidth(b));
    const double width = std::max(a_->width(), 480);
    GanttView ofA = of;
    ofA.size = QSizeF(width, ganttHeight(a));
    GanttView ofB = of;
    ofB.size = QSizeF(width, ganttHeight(b));
    const Theme theme = themeOf(palette());
    return {QSizeF(width, ofA.size.height() + ofB.size.height()), tr("Two designs over time"),
            [a, b, ofA, ofB, theme](QPainter& painter) {
                paintGantt(painter, a, ofA, theme);
                painter.translate(0, ofA.size.height());
                paintGantt(painter, b, ofB, theme);
            }};
}

QString GanttPair::toText() const {
    return ganttText(a_->gantt()) + ganttText(b_->gantt());
}

} // namespace marquetry::widgets
