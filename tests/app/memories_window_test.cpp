// Memories in the window by real key and mouse events, on the real session: slide over iterations,
// try a scheme that conflicts, choose another from the front, pin, undo.
#include "window_fixture.h"

#include "app/gallery.h"
#include "tests/support/places.h"
#include "widgets/hdl/hdl_view.h"
#include "widgets/hdl/verify_panel.h"
#include "widgets/log/log_view.h"
#include "widgets/memories/memories_view.h"

#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSlider>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>

#include <algorithm>

namespace marquetry::test {

using session::Phase;

class MemoriesWindow : public EngineWindow {
protected:
    void SetUp() override {
        EngineWindow::SetUp();
        view = window->findChild<widgets::MemoriesView*>();
        ASSERT_NE(view, nullptr);
    }

    const session::MemoryItem& item() { return snapshot()->memories.at(snapshot()->memory); }
    bool planned() {
        return until([&] {
            return !snapshot()->memories.empty() && item().detail && !item().planning &&
                   (!item().attempt || !item().attempt->running);
        });
    }
    const banking::Scheme& chosen() { return item().detail->priced.scheme; }

    void openSobel() {
        window->openItem(
            QString::fromStdString(test::sourceFolder() + "/examples/memories/memories.mq"),
            QStringLiteral("sobel"));
        ASSERT_TRUE(planned());
        ASSERT_TRUE(until([&] { return window->tabs()->currentWidget() == view; }));
        ASSERT_TRUE(until([&] { return !view->grid()->picture().empty(); }));
    }
    void type(QLineEdit* field, const QString& text) {
        QTest::mouseClick(field, Qt::LeftButton);
        QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(field, text);
    }
    void showPage(QWidget* page) {
        QTabBar* bar = view->pages()->tabBar();
        QTest::mouseClick(bar, Qt::LeftButton, {},
                          bar->tabRect(view->pages()->indexOf(page)).center());
        ASSERT_EQ(view->pages()->currentWidget(), page);
    }
    void clickRow(int row) {
        QTableView* front = view->front();
        QTest::mouseClick(front->viewport(), Qt::LeftButton, {},
                          front->visualRect(front->model()->index(row, 1)).center());
    }

    /// A scheme of one copy that fails, by keys and the mouse.
    void tryInVain(const QString& banks, const QString& alpha) {
        type(view->tryPanel()->banks(), banks);
        type(view->tryPanel()->blocks(), QStringLiteral("1"));
        type(view->tryPanel()->alpha(), alpha);
        view->tryPanel()->copies()->setFocus();
        view->tryPanel()->copies()->selectAll();
        QTest::keyClicks(view->tryPanel()->copies(), QStringLiteral("1"));
        QTest::mouseClick(view->tryPanel()->tryButton(), Qt::LeftButton);
        ASSERT_TRUE(until([&] { return item().attempt && item().attempt->witness; }));
        ASSERT_TRUE(
            until([&] { return view->verdict().contains(QStringLiteral("both hit bank")); }));
    }

    widgets::MemoriesView* view = nullptr;
};

TEST_F(MemoriesWindow, SlideTryChoosePinUndo) {
    ASSERT_NO_FATAL_FAILURE(openSobel());
    EXPECT_EQ(item().plan->found.minBanks, 9);
    EXPECT_FALSE(window->windowActions()[app::Act::Run]->isEnabled());
    const auto original = chosen().maps;
    saveViewPicture(QStringLiteral("memories_light"));

    QSlider* slider = view->iterations()->slider();
    QTest::mouseClick(slider, Qt::LeftButton, {}, slider->rect().center());
    QTest::keyClick(slider, Qt::Key_Home);
    for (int k = 0; k < 8; ++k)
        QTest::keyClick(slider, Qt::Key_Right);
    EXPECT_EQ(view->grid()->picture().window.lanes.at(0).address, (banking::Address{1, 2}));

    ASSERT_NO_FATAL_FAILURE(showPage(view->tryPanel()));
    ASSERT_NO_FATAL_FAILURE(tryInVain(QStringLiteral("9"), QStringLiteral("1, 2")));
    const auto& lanes = view->grid()->picture().window.lanes;
    EXPECT_GE(std::ranges::count_if(lanes, [](const auto& lane) { return lane.conflict; }), 2);
    EXPECT_EQ(chosen().maps, original) << "trying changes nothing";
    saveViewPicture(QStringLiteral("memories_conflict"));
    window->setDark(true);
    saveViewPicture(QStringLiteral("memories_conflict_dark"));
    window->setDark(false);

    ASSERT_NO_FATAL_FAILURE(showPage(view->front()));
    ASSERT_GT(view->front()->model()->rowCount(), 1);
    const auto& front = item().plan->front;
    const auto oneCopy = std::ranges::find_if(
        front, [](const banking::PricedScheme& priced) { return priced.scheme.copies == 1; });
    ASSERT_NE(oneCopy, front.end());
    const auto row = static_cast<std::size_t>(oneCopy - front.begin());
    ASSERT_NE(row, 0U);
    const banking::Scheme second = oneCopy->scheme;
    clickRow(static_cast<int>(row));
    QTest::keyClick(view->front(), Qt::Key_Return);
    ASSERT_TRUE(until([&] { return item().chosen == row && !item().attempt; }));
    EXPECT_EQ(chosen().maps, second.maps);
    ASSERT_TRUE(until([&] { return view->grid()->picture().scheme.maps == second.maps; }));
    saveViewPicture(QStringLiteral("memories_chosen"));

    QTest::keyClick(view->front(), Qt::Key_Space); // pin it
    ASSERT_TRUE(until([&] { return !item().choice.pins.free() && item().plan; }));
    ASSERT_TRUE(planned());
    EXPECT_EQ(item().plan->front.size(), 1U);
    EXPECT_EQ(chosen().maps, second.maps);
    EXPECT_TRUE(until([&] { return view->summary().contains(u'⌾'); }));

    press(Qt::Key_Z, Qt::ControlModifier); // the pin
    ASSERT_TRUE(until([&] { return item().choice.pins.free() && item().plan && item().detail; }));
    ASSERT_TRUE(planned());
    EXPECT_EQ(chosen().maps, second.maps);
    press(Qt::Key_Z, Qt::ControlModifier); // the choice
    ASSERT_TRUE(until([&] { return chosen().maps == original && !item().planning; }));
    EXPECT_FALSE(snapshot()->canUndo);

    const QString log = window->findChild<widgets::LogView*>()->toText();
    for (const char* line : {"--item sobel", "$ marquetry bank", "--map 9,1,1,2"})
        EXPECT_TRUE(log.contains(QLatin1String(line))) << line;
    EXPECT_EQ(window->notice().toStdString(), "");
}

TEST_F(MemoriesWindow, ABufferOfVggIsShownTriedChosenPinnedAndReleased) {
    window->openFile(
        QString::fromStdString(test::sourceFolder() + "/examples/vgg_cifar/vgg_cifar.mq"));
    ASSERT_TRUE(reaches(Phase::Loaded));
    press(Qt::Key_F5);
    ASSERT_TRUE(reaches(Phase::Ready));
    ASSERT_TRUE(snapshot()->design);
    const auto design = snapshot()->design;
    QTabBar* bar = window->tabs()->tabBar();
    QTest::mouseClick(bar, Qt::LeftButton, {},
                      bar->tabRect(window->tabs()->indexOf(view)).center());
    ASSERT_TRUE(planned()) << "the first buffer is planned when it is looked at";
    ASSERT_TRUE(until([&] { return view->items()->count() > 10; }));
    view->items()->setFocus();
    QTest::keyClick(view->items(), Qt::Key_Down);
    ASSERT_TRUE(until([&] { return snapshot()->memory == 1; }));
    ASSERT_TRUE(planned());
    EXPECT_TRUE(item().buffer);
    ASSERT_EQ(item().program->type.dims, (ir::Shape{32, 32, 64}));
    EXPECT_TRUE(item().plan->found.proved());
    EXPECT_GE(item().plan->found.minBanks, design->lanes);
    ASSERT_TRUE(until([&] { return !view->grid()->picture().empty(); }));
    saveViewPicture(QStringLiteral("memories_vgg"));

    QSlider* slider = view->iterations()->slider();
    slider->setFocus();
    const auto before = view->grid()->picture().window.lanes;
    QTest::keyClick(slider, Qt::Key_End);
    EXPECT_NE(view->grid()->picture().window.lanes.front().address, before.front().address);

    ASSERT_NO_FATAL_FAILURE(showPage(view->tryPanel()));
    view->tryPanel()->kind()->setCurrentIndex(0);
    ASSERT_NO_FATAL_FAILURE(
        tryInVain(QString::number(item().plan->found.minBanks / 2), QStringLiteral("0, 0, 1")));

    ASSERT_NO_FATAL_FAILURE(showPage(view->front()));
    const int last = view->front()->model()->rowCount() - 1;
    clickRow(last);
    const banking::Scheme scheme = item().plan->front[static_cast<std::size_t>(last)].scheme;
    QTest::keyClick(view->front(), Qt::Key_Return);
    ASSERT_TRUE(until([&] { return planned() && chosen().maps == scheme.maps; }));
    QTest::keyClick(view->front(), Qt::Key_Space);
    ASSERT_TRUE(until([&] { return item().choice.pins.maps == scheme.maps; }));
    ASSERT_TRUE(planned());
    EXPECT_EQ(item().plan->front.size(), 1U);

    QTest::mouseClick(view->hardwareButton(), Qt::LeftButton);
    const QString target = folder.filePath(QStringLiteral("buffer"));
    ASSERT_NO_FATAL_FAILURE(fillExportDialog(target));
    QTest::mouseClick(view->verifyButton(), Qt::LeftButton);
    ASSERT_TRUE(until([&] { return snapshot()->verify.done; })) << window->notice().toStdString();
    EXPECT_TRUE(snapshot()->verify.pass) << snapshot()->verify.message;
    EXPECT_EQ(snapshot()->verify.item, item().program->name);

    press(Qt::Key_Z, Qt::ControlModifier);
    ASSERT_TRUE(until([&] { return item().choice.pins.free(); }));
    ASSERT_TRUE(planned());
    EXPECT_EQ(snapshot()->design, design) << "banks of a buffer change no design";
}

TEST_F(MemoriesWindow, TheArraysOfAStreamAreShownAtItsThroughput) {
    window->openItem(
        QString::fromStdString(test::sourceFolder() + "/examples/streams/conv/conv.mq"),
        QStringLiteral("conv_4x4"));
    ASSERT_TRUE(until([&] { return snapshot()->memories.size() == 2; }));
    EXPECT_NE(window->tabs()->currentWidget(), view) << "a file of streams opens with its streams";
    QTabBar* bar = window->tabs()->tabBar();
    QTest::mouseClick(bar, Qt::LeftButton, {},
                      bar->tabRect(window->tabs()->indexOf(view)).center());
    ASSERT_TRUE(planned()) << "the first array is planned when it is looked at";
    EXPECT_EQ(item().program->type.dims, (ir::Shape{2, 4}));
    ASSERT_TRUE(until([&] { return !view->grid()->picture().empty(); }));
    EXPECT_TRUE(view->summary().contains(QStringLiteral("stream conv_4x4, 1 elements per clock")));
    EXPECT_TRUE(view->summary().contains(QStringLiteral("fewest 2 banks, proven")));
    view->items()->setFocus();
    QTest::keyClick(view->items(), Qt::Key_Down);
    ASSERT_TRUE(until([&] { return snapshot()->memory == 1; }));
    ASSERT_TRUE(planned());
    EXPECT_EQ(item().program->name, "v4");
    saveViewPicture(QStringLiteral("memories_stream"));
    QTest::mouseClick(view->hardwareButton(), Qt::LeftButton);
    ASSERT_NO_FATAL_FAILURE(fillExportDialog(folder.filePath(QStringLiteral("array"))));
    QTest::mouseClick(view->verifyButton(), Qt::LeftButton);
    ASSERT_TRUE(until([&] { return snapshot()->verify.done; })) << window->notice().toStdString();
    EXPECT_TRUE(snapshot()->verify.pass) << snapshot()->verify.message;
    EXPECT_EQ(snapshot()->verify.item, "v4");
}

TEST_F(MemoriesWindow, TheChosenSchemeIsExportedAndVerified) {
    ASSERT_NO_FATAL_FAILURE(openSobel());
    ASSERT_TRUE(until([&] { return view->hardwareButton()->isEnabled(); }));
    ASSERT_NO_FATAL_FAILURE(showPage(view->front()));
    clickRow(view->front()->model()->rowCount() - 1);
    QTest::keyClick(view->front(), Qt::Key_Space); // pin
    ASSERT_TRUE(until([&] { return !item().choice.pins.free(); }));
    ASSERT_TRUE(planned());
    const std::string scheme = chosen().text();

    trigger(app::Act::VerifyIcarus);
    QTest::mouseClick(view->hardwareButton(), Qt::LeftButton);
    const QString target = folder.filePath(QStringLiteral("sobel"));
    ASSERT_NO_FATAL_FAILURE(fillExportDialog(target, true));
    ASSERT_TRUE(until([&] { return snapshot()->verify.done; })) << window->notice().toStdString();
    EXPECT_TRUE(snapshot()->verify.pass) << snapshot()->verify.message;
    QFile design(target + QStringLiteral("/DESIGN.json"));
    ASSERT_TRUE(design.open(QIODevice::ReadOnly));
    EXPECT_TRUE(design.readAll().contains('"' + QByteArray::fromStdString(scheme) + '"'));
    EXPECT_TRUE(QFileInfo::exists(target + QStringLiteral("/rtl/sobel.v")));
    const auto* panel = window->findChild<widgets::HdlView*>()->verifyPanel();
    EXPECT_TRUE(panel->verdict().startsWith(u'✓')) << panel->verdict().toStdString();
    const QString log = window->findChild<widgets::LogView*>()->toText();
    EXPECT_TRUE(log.contains(QStringLiteral("$ marquetry export"))) << log.toStdString();
    EXPECT_TRUE(log.contains(QStringLiteral("--item sobel --map"))) << log.toStdString();
}

TEST_F(MemoriesWindow, APartIsPinnedFromTheMenu) {
    ASSERT_NO_FATAL_FAILURE(openSobel());
    QMenu* menu = view->pinMenu();
    menu->popup(QPoint(10, 10));
    ASSERT_TRUE(waitForExposed(menu));
    QAction* kind = nullptr;
    for (QAction* action : menu->actions())
        if (action->text().startsWith(QStringLiteral("N = ")))
            kind = action;
    ASSERT_NE(kind, nullptr);
    QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(kind).center());
    ASSERT_TRUE(until([&] { return item().choice.pins.banks == 3; }));
    ASSERT_TRUE(planned());
    for (const banking::PricedScheme& priced : item().plan->front)
        EXPECT_EQ(priced.scheme.banks(), 3);
}

TEST_F(MemoriesWindow, AnotherItemIsChosenFromTheList) {
    ASSERT_NO_FATAL_FAILURE(openSobel());
    view->items()->setFocus();
    QTest::keyClick(view->items(), Qt::Key_Down);
    ASSERT_TRUE(until([&] { return item().program->name == "motion_lv"; }));
    ASSERT_TRUE(planned());
    EXPECT_TRUE(until([&] {
        return view->grid()->picture().layout.rows() == 16 && !view->grid()->picture().empty();
    }));
}

TEST_F(MemoriesWindow, AFileOfBothOpensTheDesignAndKeepsTheMemories) {
    const QString path = folder.filePath(QStringLiteral("both.mq"));
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    QFile example(QString::fromStdString(runningExample()));
    ASSERT_TRUE(example.open(QIODevice::ReadOnly));
    file.write(example.readAll());
    file.write("\nmemory m { array a : i32[16]; for i in 0 .. 8 { read a[i], a[i+1]; } }\n");
    file.close();
    window->openFile(path);
    ASSERT_TRUE(until([&] { return snapshot()->program && !snapshot()->memories.empty(); }));
    EXPECT_NE(window->tabs()->currentWidget(), view) << "the design comes first";
    EXPECT_TRUE(until([&] { return item().detail != nullptr; }));
    EXPECT_TRUE(until([&] { return snapshot()->phase == Phase::Loaded; }));
    trigger(app::Act::Run);
    ASSERT_TRUE(reaches(Phase::Ready));
    EXPECT_TRUE(snapshot()->design);
    EXPECT_TRUE(item().detail);
}

TEST_F(MemoriesWindow, TheGalleryOffersMemories) {
    QListWidget* cards = window->findChild<app::Gallery*>()->list();
    ASSERT_TRUE(until([&] { return cards->count() > 0; }));
    QListWidgetItem* card = nullptr;
    for (int k = 0; k < cards->count(); ++k)
        if (cards->item(k)->toolTip().contains(QStringLiteral("memor"), Qt::CaseInsensitive))
            card = cards->item(k);
    ASSERT_NE(card, nullptr);
    cards->scrollToItem(card);
    QTest::mouseClick(cards->viewport(), Qt::LeftButton, {}, cards->visualItemRect(card).center());
    ASSERT_TRUE(planned());
    EXPECT_TRUE(until([&] { return window->tabs()->currentWidget() == view; }));
}

TEST_F(MemoriesWindow, ARefusalIsTold) {
    ASSERT_NO_FATAL_FAILURE(openSobel());
    ASSERT_NO_FATAL_FAILURE(showPage(view->tryPanel()));
    type(view->tryPanel()->banks(), QStringLiteral("5000"));
    QTest::keyClick(view->tryPanel()->banks(), Qt::Key_Return);
    ASSERT_TRUE(until([&] { return window->notice().contains(QStringLiteral("4096 banks")); }))
        << window->notice().toStdString();
}

} // namespace marquetry::test
