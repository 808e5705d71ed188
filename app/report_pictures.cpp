#include "app/report_pictures.h"

#include "widgets/canvas/picture.h"
#include "widgets/memories/memories_view.h"
#include "widgets/models/selection_model.h"
#include "widgets/pareto/pareto_view.h"
#include "widgets/sharing/sharing_view.h"
#include "widgets/streams/circuit_rows.h"
#include "widgets/theme/theme.h"

#include <QApplication>

#include <algorithm>

namespace marquetry::app {

namespace {

using ShownSnapshot = std::shared_ptr<const session::Snapshot>;

constexpr int kDrawnWidth = 1000;
constexpr int kDrawnHeight = 640;

hdl::ReportPicture reported(const char* title, const QString& caption, const QByteArray& svg) {
    return {title, caption.toStdString(), svg.toStdString()};
}

/// As if it were on a screen: what is hidden has no size.
void layOut(QWidget& view) {
    view.setAttribute(Qt::WA_DontShowOnScreen);
    view.resize(kDrawnWidth, kDrawnHeight);
    view.show();
}

hdl::ReportPicture sharing(const ShownSnapshot& snapshot) {
    widgets::SelectionModel selection;
    selection.setSnapshot(snapshot);
    widgets::SharingView view(&selection);
    layOut(view);
    view.setSnapshot(snapshot);
    return reported("Sharing",
                    QObject::tr("Units over time, and below a lane for each call; time in which a "
                                "unit is idle is hatched."),
                    widgets::svgBytes(view.exported()));
}

hdl::ReportPicture front(const ShownSnapshot& snapshot) {
    widgets::ParetoView view;
    layOut(view);
    view.setSnapshot(snapshot);
    return reported("Front", QObject::tr("The designs that were found, and those of the front."),
                    view.plot()->toSvg());
}

hdl::ReportPicture circuit(const session::StreamItem& stream) {
    const auto& operators = *stream.operators;
    const auto output = std::ranges::find_if(operators, [](const session::StreamOperator& each) {
        return each.isOutput && each.depth == 0;
    });
    widgets::SpaceTimePicture picture;
    if (output != operators.end())
        picture =
            widgets::pictureOf(operators, static_cast<std::size_t>(output - operators.begin()));
    widgets::SpaceTimeWidget view;
    view.resize(kDrawnWidth, static_cast<int>(widgets::heightOf(picture)) + 1);
    view.setPicture(std::move(picture));
    return reported("Stream circuit",
                    QObject::tr("What the last operator takes and gives, lane by lane, clock by "
                                "clock."),
                    widgets::svgBytes(view.exported()));
}

hdl::ReportPicture banks(const session::Snapshot& snapshot, session::MemoryItem memory) {
    memory.attempt.reset(); // the picture is of what is exported
    auto alone = std::make_shared<session::Snapshot>();
    alone->device = snapshot.device;
    alone->memories = std::vector{std::move(memory)};
    widgets::MemoriesView view;
    layOut(view);
    view.setSnapshot(alone);
    return reported(
        "Banks",
        QObject::tr(
            "The bank and the offset of each word; outlined are those that the first iteration "
            "reads and writes."),
        widgets::svgBytes(view.exported()));
}

} // namespace

std::vector<hdl::ReportPicture> reportPictures(const ShownSnapshot& snapshot,
                                               const std::string& item) {
    if (const session::MemoryItem* const memory = snapshot->exportedMemory(item))
        return {banks(*snapshot, *memory)};
    if (const session::StreamItem* const stream = snapshot->exportedStream(item))
        return {circuit(*stream)};
    if (snapshot->design && item.empty())
        return {sharing(snapshot), front(snapshot)};
    return {};
}

std::vector<hdl::ReportPicture> reportPicturesOffscreen(const ShownSnapshot& snapshot,
                                                        const std::string& item) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    int one = 1;
    char name[] = "marquetry";
    char* arguments[] = {name, nullptr};
    QApplication application(one, arguments);
    widgets::loadFonts();
    widgets::applyTheme(application, widgets::lightTheme());
    return reportPictures(snapshot, item);
}

} // namespace marquetry::app
