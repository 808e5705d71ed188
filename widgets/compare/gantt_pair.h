// GanttPair: the units of two designs over time, A above B, on one time scale.
//
// A layer that is selected is lit in both. Thread rule: window's thread.
#pragma once

#include "widgets/canvas/picture.h"
#include "widgets/models/selection_model.h"
#include "widgets/sharing/gantt_widget.h"

#include <QScrollArea>

#include <array>

namespace marquetry::widgets {

class GanttPair : public QScrollArea {
    Q_OBJECT
public:
    explicit GanttPair(SelectionModel* selection, QWidget* parent = nullptr);

    /// Null: there is nothing to show. `snapshot`: of the window, for the pins and the program.
    void setDesigns(const std::shared_ptr<const session::Snapshot>& snapshot,
                    const std::shared_ptr<const design::Design>& a,
                    const std::shared_ptr<const design::Design>& b);
    const GanttWidget& ofA() const { return *a_; }
    const GanttWidget& ofB() const { return *b_; }
    double scale() const { return scale_; }

    Picture exported() const;
    QString toText() const;

Q_SIGNALS:
    void menuRequested(QPoint place);

private:
    void follow(const SelectionModel& from);

    SelectionModel* selection_;               ///< of the window
    std::array<SelectionModel*, 2> within_{}; ///< of A and of B
    GanttWidget* a_;
    GanttWidget* b_;
    double scale_ = 0;
    bool following_ = false;
};

} // namespace marquetry::widgets
