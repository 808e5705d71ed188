// Fields of views that are narrow: what has no room says so, and can be read as a whole.
#include "shown_fields.h"
#include "window_fixture.h"

#include "widgets/ledger/ledger_view.h"
#include "widgets/memories/memories_view.h"
#include "widgets/streams/streams_view.h"
#include "widgets/text/elided_label.h"

namespace marquetry::test {

class ShownFields : public EngineWindow {
protected:
    template <class View>
    void expectNarrowFieldsWhole(const char* example) {
        window->resize(1280, 800);
        window->openFile(QString::fromStdString(sourceFolder() + "/examples/" + example));
        auto* const view = window->findChild<View*>();
        ASSERT_TRUE(until([&] { return view->isVisible() && !view->summary().isEmpty(); }));
        ASSERT_TRUE(until([&] { return !app::isRunning(snapshot()->phase); }));
        QCoreApplication::processEvents();
        EXPECT_EQ(cutFields(*window).join(u'\n').toStdString(), "");
        bool shortened = false;
        for (const QLabel* const label : view->template findChildren<QLabel*>())
            shortened = shortened || (dynamic_cast<const widgets::ElidedLabel*>(label) &&
                                      label->width() < label->sizeHint().width());
        EXPECT_TRUE(shortened) << "there is room for everything: nothing was tested";
    }
};

/// What is said above the rows becomes longer than its line.
TEST_F(ShownFields, OfALedgerGrowWithWhatTheySay) {
    runToEnd();
    session::Settings settings = snapshot()->settings;
    settings.objective = design::Objective::Throughput;
    window->post(session::ChangeSettings{settings});
    const auto* const ledger = window->findChild<widgets::LedgerView*>();
    ASSERT_TRUE(until([&] {
        return ledger->isVisible() && ledger->summaryText().contains(QStringLiteral("a frame"));
    }));
    QCoreApplication::processEvents();
    EXPECT_EQ(cutFields(*window).join(u'\n').toStdString(), "");
}

TEST_F(ShownFields, OfMemoriesAreCutWithAnEllipsisAndATip) {
    expectNarrowFieldsWhole<widgets::MemoriesView>("memories/memories.mq");
}

TEST_F(ShownFields, OfStreamsAreCutWithAnEllipsisAndATip) {
    expectNarrowFieldsWhole<widgets::StreamsView>("streams/luma/luma.mq");
}

} // namespace marquetry::test
