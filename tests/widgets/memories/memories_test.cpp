// The Memories view: its geometry and its accesses against a direct reading of the program, its
// answers to what a person does, and how long it takes to paint arrays of any size.
#include "engine/device/device_file.h"
#include "engine/frontend/parser.h"
#include "engine/session/memories.h"
#include "widgets/memories/memories_view.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ctime>
#include <numeric>
#include <set>

namespace marquetry::widgets {
namespace {

using session::SchemeName;

std::vector<ir::MemoryProgram> parsed(const std::string& text) {
    auto result = frontend::parse(text, "test.mq");
    EXPECT_TRUE(result.has_value()) << (result ? "" : format(result.error()));
    return result ? result->memories : std::vector<ir::MemoryProgram>();
}

std::vector<ir::MemoryProgram> shipped() {
    auto result = frontend::parseFile(MARQUETRY_SOURCE_DIR "/examples/memories/memories.mq");
    EXPECT_TRUE(result.has_value());
    return result ? result->memories : std::vector<ir::MemoryProgram>();
}

/// A session's memories without its thread.
class Rooms {
public:
    Rooms(std::vector<ir::MemoryProgram> programs, const std::string& item) {
        memories.open(std::move(programs), item);
    }
    std::shared_ptr<const session::Snapshot> snapshot() {
        while (memories.due())
            memories.work(device, 10, {});
        auto made = std::make_shared<session::Snapshot>();
        made->phase = session::Phase::Loaded;
        made->device = device;
        made->memories = memories.items();
        made->memory = memories.current();
        return made;
    }
    const session::MemoryItem& item() const { return memories.items()[memories.current()]; }

    device::Device device = *device::findDevice("arria10");
    session::Memories memories;
};

// ---- geometry

TEST(BankLayout, EveryAddressHasACellOfItsOwn) {
    for (const std::vector<std::int64_t>& dims : std::vector<std::vector<std::int64_t>>{
             {7}, {100}, {4, 6}, {3, 4, 5}, {2, 3, 4, 5}, {2, 3, 2, 3, 2}}) {
        const BankLayout layout(dims);
        std::set<Cell> cells;
        std::int64_t words = 1;
        for (const std::int64_t extent : dims)
            words *= extent;
        std::vector<std::int64_t> x(dims.size());
        for (std::int64_t k = 0; k < words; ++k) {
            const Cell cell = layout.cellOf(x);
            EXPECT_LT(cell.row, layout.rows());
            EXPECT_LT(cell.column, layout.columns());
            EXPECT_EQ(layout.addressOf(cell), x);
            cells.insert(cell);
            for (std::size_t d = dims.size(); d-- > 0;) {
                if (++x[d] < dims[d])
                    break;
                x[d] = 0;
            }
        }
        EXPECT_EQ(cells.size(), static_cast<std::size_t>(words));
    }
    EXPECT_FALSE(BankLayout({100}).addressOf({3, 10})) << "the wrapped array has ended";
    EXPECT_EQ(BankLayout({2, 3, 4, 5}).rowLabel(5), QStringLiteral("1,1"));
    EXPECT_EQ(BankLayout({100}).rowLabel(2), QStringLiteral("64"));
}

TEST(BankLayout, PixelsFindTheirCellsAtEveryZoom) {
    for (const std::vector<std::int64_t>& dims :
         std::vector<std::vector<std::int64_t>>{{9, 9}, {3, 4, 5}, {1080, 1920}}) {
        const BankLayout layout(dims);
        for (const double size : {0.5, 2.0, 7.0, 20.0, 44.0}) {
            BankView view;
            view.size = {900, 600};
            view.cell = size;
            for (const Cell cell : {Cell{0, 0}, Cell{layout.rows() - 1, layout.columns() - 1},
                                    Cell{layout.rows() / 2, layout.columns() / 3}}) {
                view.origin = {};
                view.origin = view.rectOf(layout, cell).center() - QPointF(400, 300);
                EXPECT_EQ(view.cellAt(layout, view.rectOf(layout, cell).center()), cell)
                    << size << " at " << cell.row << ", " << cell.column;
            }
        }
    }
}

// ---- the access window

/// All addresses that the loops of a nest touch in one cycle, read from the program itself.
std::multiset<banking::Address> touched(const ir::MemoryProgram& program, std::size_t n,
                                        const std::vector<std::int64_t>& trips) {
    const ir::MemoryNest& nest = program.nests[n];
    std::multiset<banking::Address> addresses;
    std::set<std::pair<bool, banking::Address>> once;
    std::vector<std::int64_t> ids(nest.loops.size());
    for (bool more = true; more;) {
        std::vector<std::int64_t> value;
        bool running = true;
        for (std::size_t l = 0; l < nest.loops.size(); ++l) {
            const ir::MemoryLoop& loop = nest.loops[l];
            value.push_back(loop.begin + loop.step * (loop.parallel * trips[l] + ids[l]));
            running = running && value.back() < loop.end;
        }
        for (const ir::MemoryReference& reference : nest.references) {
            banking::Address address;
            for (const ir::AffineForm& form : reference.index) {
                std::int64_t at = form.constant;
                for (std::size_t l = 0; l < value.size(); ++l)
                    at += form.coefficients[l] * value[l];
                address.push_back(at);
            }
            if (running && ir::isInside(address, program.type.dims) &&
                once.emplace(reference.write, address).second)
                addresses.insert(address);
        }
        std::size_t l = ids.size();
        while (l > 0 && ++ids[l - 1] == nest.loops[l - 1].parallel)
            ids[--l] = 0;
        more = l > 0;
    }
    return addresses;
}

TEST(AccessWindow, IsWhatTheProgramTouches) {
    std::vector<ir::MemoryProgram> programs = shipped();
    for (ir::MemoryProgram& extra :
         parsed("memory odd { array a : i32[9, 7]; for i in 1 .. 8 step 2 par 3, j in 0 .. 7 par 2 "
                "{ read a[i, j], a[i-1, 7-j]; write a[i, j]; } }"))
        programs.push_back(std::move(extra));
    int compared = 0;
    for (const ir::MemoryProgram& program : programs) {
        const auto pattern = banking::accessPattern(program);
        ASSERT_TRUE(pattern.has_value());
        const banking::Scheme scheme = banking::derive(
            {ir::FlatMap{banking::Address(program.type.dims.size(), 1), 1, 7}}, program.type.dims);
        for (std::size_t n = 0; n < program.nests.size(); ++n) {
            const std::int64_t count = iterationCount(*pattern, n);
            if (!program.nests[n].symbols.empty())
                continue;
            for (std::int64_t k = 0; k < count; k += std::max<std::int64_t>(1, count / 40)) {
                const auto point = pointOf(*pattern, n, k);
                EXPECT_EQ(iterationOf(*pattern, n, point), k);
                std::multiset<banking::Address> shown;
                for (const LaneAt& lane : windowAt(*pattern, scheme, n, point).lanes)
                    if (lane.happens) {
                        shown.insert(lane.address);
                        EXPECT_EQ(lane.bank, scheme.bank(lane.address));
                    }
                EXPECT_EQ(shown, touched(program, n, point)) << program.name << " at " << k;
                ++compared;
            }
        }
    }
    EXPECT_GT(compared, 500);
}

TEST(AccessWindow, UnknownValuesStayInsideTheArrayAndAreMarked) {
    const auto programs = parsed("memory m { array a : i32[8, 8]; for t in 0 .. 6 { "
                                 "read a[?row(t), t], a[?row(t), t+1]; } }");
    const auto pattern = banking::accessPattern(programs.at(0));
    ASSERT_TRUE(pattern.has_value());
    const banking::Scheme scheme = banking::derive({ir::FlatMap{{0, 1}, 1, 2}}, {8, 8});
    std::set<std::int64_t> rows;
    for (std::int64_t k = 0; k < 6; ++k) {
        const auto point = pointOf(*pattern, 0, k);
        EXPECT_EQ(point, pointOf(*pattern, 0, k));
        const AccessWindow window = windowAt(*pattern, scheme, 0, point);
        for (const LaneAt& lane : window.lanes) {
            EXPECT_TRUE(lane.happens);
            rows.insert(lane.address[0]);
        }
        EXPECT_FALSE(window.conflicts());
        EXPECT_TRUE(pointText(*pattern, 0, point).endsWith(u'?'));
    }
    EXPECT_GT(rows.size(), 1U);
}

TEST(AccessWindow, ConflictsAreThoseOfOneBankOneCopyAndOneKind) {
    const auto programs =
        parsed("memory m { array a : i32[8]; for i in 0 .. 4 { read a[i], a[i+2], a[i+4]; "
               "write a[i], a[i+1]; } }");
    const auto pattern = banking::accessPattern(programs.at(0));
    ASSERT_TRUE(pattern.has_value());
    banking::Scheme scheme = banking::derive({ir::FlatMap{{1}, 1, 2}}, {8});
    const auto conflicting = [&] {
        int count = 0;
        for (const LaneAt& lane : windowAt(*pattern, scheme, 0, {0}).lanes)
            count += lane.conflict ? 1 : 0;
        return count;
    };
    EXPECT_EQ(conflicting(), 3) << "the reads meet, the writes do not";
    scheme.copies = 3;
    scheme.copyOf.resize(pattern->groups.size());
    for (std::size_t g = 0; g < pattern->groups.size(); ++g)
        for (std::size_t k = 0; k < pattern->groups[g].lanes.size(); ++k)
            scheme.copyOf[g].push_back(pattern->groups[g].write ? 0 : static_cast<std::int64_t>(k));
    EXPECT_EQ(conflicting(), 0) << "a copy for each reader";
}

// ---- the fields

TEST(SchemeFields, ReadBackWhatTheyShow) {
    for (const std::vector<ir::FlatMap>& maps : std::vector<std::vector<ir::FlatMap>>{
             {ir::FlatMap{{3, 2}, 1, 9}},
             {ir::FlatMap{{1, 0}, 2, 3}, ir::FlatMap{{0, 5}, 3, 2}},
             {ir::FlatMap{{1, 1}, 1, 2}, ir::FlatMap{{1, 3}, 1, 4}}}) {
        const banking::Scheme scheme = banking::derive(maps, {12, 12});
        const auto back = parseFields(fieldsOf(scheme), 2);
        ASSERT_TRUE(back.has_value()) << scheme.text();
        EXPECT_EQ(back->maps, scheme.maps);
    }
}

TEST(SchemeFields, SayWhatIsWrong) {
    const auto message = [](const SchemeFields& fields) {
        const auto result = parseFields(fields, 2);
        return result ? std::string("accepted") : result.error().front().message;
    };
    const auto flat = banking::Kind::Flat;
    EXPECT_EQ(message({flat, "9", "1", "3 2", 1}), "accepted");
    EXPECT_EQ(message({flat, "9", "1", "[3, 2]", 1}), "accepted");
    EXPECT_EQ(message({flat, "nine", "1", "3, 2", 1}), "N: \"nine\" is no number");
    EXPECT_EQ(message({flat, "9", "1", "3", 1}), "α needs 2 numbers, not 1");
    EXPECT_EQ(message({flat, "9, 2", "1", "3, 2", 1}), "N needs 1 numbers, not 2");
    EXPECT_EQ(message({flat, "0", "1", "3, 2", 1}), "N and B are at least 1");
    EXPECT_EQ(message({flat, "9", "1", "-3, 2", 1}), "α: \"-3\" is no number");
    EXPECT_EQ(message({banking::Kind::Hierarchical, "3", "1", "1, 1", 1}),
              "N needs 2 numbers, not 1");
}

// ---- the view

class MemoriesPanel : public ::testing::Test {
protected:
    void SetUp() override {
        view.resize(1100, 760);
        view.show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(&view));
        QObject::connect(&view, &MemoriesView::tryRequested,
                         [this](const QString& item, const SchemeName& scheme) {
                             ASSERT_TRUE(
                                 rooms.memories.attempt(item.toStdString(), scheme).has_value());
                             show();
                         });
        show();
    }
    void show() { view.setSnapshot(rooms.snapshot()); }

    void type(QLineEdit* field, const QString& text) {
        QTest::mouseClick(field, Qt::LeftButton);
        QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(field, text);
    }
    void tryFlat(const QString& banks, const QString& blocks, const QString& alpha) {
        view.pages()->setCurrentWidget(view.tryPanel());
        view.tryPanel()->kind()->setCurrentIndex(0);
        type(view.tryPanel()->banks(), banks);
        type(view.tryPanel()->blocks(), blocks);
        type(view.tryPanel()->alpha(), alpha);
        view.tryPanel()->copies()->setValue(1);
        QTest::keyClick(view.tryPanel()->alpha(), Qt::Key_Return);
    }
    int rings() const {
        int count = 0;
        for (const LaneAt& lane : view.grid()->picture().window.lanes)
            count += lane.conflict ? 1 : 0;
        return count;
    }

    Rooms rooms{shipped(), "sobel"};
    MemoriesView view;
};

TEST_F(MemoriesPanel, ShowsTheChosenSchemeItsProofAndItsCost) {
    EXPECT_EQ(view.items()->count(), 23);
    EXPECT_EQ(view.items()->currentText(), QStringLiteral("sobel"));
    EXPECT_EQ(view.summary(), QStringLiteral("a : i32[8, 8] · fewest 9 banks, proven: 9 addresses "
                                             "in one cycle"));
    EXPECT_TRUE(
        view.verdict().startsWith(QStringLiteral("flat N=3 B=1 alpha=(0, 1) x 3 copies ·")));
    EXPECT_EQ(view.front()->model()->rowCount(), static_cast<int>(rooms.item().plan->front.size()));
    const QString text = view.toText();
    EXPECT_TRUE(text.contains(QStringLiteral("1 of 36: i = 0, j = 0")));
    for (int bank = 0; bank < 3; ++bank)
        EXPECT_TRUE(text.contains(QStringLiteral("\nbank %1: ").arg(bank)));
    double lut = 0;
    for (const banking::CostTerm& term : rooms.item().detail->priced.cost.terms)
        lut += term.resources.lut;
    EXPECT_EQ(lut, rooms.item().detail->priced.cost.total.lut);
    EXPECT_TRUE(text.contains(QStringLiteral("read a[2, 2]: bank")));
    const QAbstractItemModelTester tester(view.front()->model());
}

TEST_F(MemoriesPanel, TheWindowMovesWithTheSlider) {
    const auto first = [&] { return view.grid()->picture().window.lanes.at(0).address; };
    EXPECT_EQ(first(), (banking::Address{0, 0}));
    QSlider* slider = view.iterations()->slider();
    slider->setFocus();
    QTest::keyClick(slider, Qt::Key_Right);
    EXPECT_EQ(first(), (banking::Address{0, 1}));
    QTest::keyClick(slider, Qt::Key_End);
    EXPECT_EQ(first(), (banking::Address{5, 5}));
    EXPECT_TRUE(view.iterations()->text().startsWith(QStringLiteral("36 of 36")));
    QTest::mouseClick(view.iterations()->nextButton(), Qt::LeftButton);
    EXPECT_EQ(first(), (banking::Address{5, 5})) << "the last one stays";
    QTest::mouseClick(view.iterations()->playButton(), Qt::LeftButton);
    EXPECT_TRUE(QTest::qWaitFor(
        [&] {
            return first() == banking::Address{0, 1};
        },
        10000))
        << "playing goes on at the beginning";
    QTest::mouseClick(view.iterations()->playButton(), Qt::LeftButton);
    EXPECT_EQ(rings(), 0);
}

TEST_F(MemoriesPanel, AConflictIsDrawnAndSaid) {
    tryFlat(QStringLiteral("9"), QStringLiteral("1"), QStringLiteral("1, 1"));
    ASSERT_TRUE(rooms.item().attempt && rooms.item().attempt->witness);
    EXPECT_TRUE(view.verdict().contains(QStringLiteral("both hit bank")))
        << view.verdict().toStdString();
    EXPECT_GE(rings(), 2) << "rings around the accesses that meet";
    const banking::Witness& witness = *rooms.item().attempt->witness;
    for (const banking::Address& address : witness.addresses)
        EXPECT_TRUE(
            std::ranges::any_of(view.grid()->picture().window.lanes, [&](const LaneAt& lane) {
                return lane.conflict && lane.address == address && lane.bank == witness.bank;
            }));
    const std::vector<std::int64_t>& words = view.crossbar()->crossbar().words;
    ASSERT_EQ(words.size(), 9U) << "what its banks would hold";
    EXPECT_EQ(std::accumulate(words.begin(), words.end(), std::int64_t{0}), 64);
    EXPECT_EQ(words[7], 8) << "i + j is 7 in eight words, any other residue in seven";
    EXPECT_FALSE(view.tryPanel()->pinButton()->isEnabled());
    EXPECT_TRUE(view.grid()->picture().proof.empty());
    QTest::keyClick(view.tryPanel()->alpha(), Qt::Key_Escape);
    EXPECT_EQ(rings(), 0);
    EXPECT_TRUE(
        view.verdict().startsWith(QStringLiteral("flat N=3 B=1 alpha=(0, 1) x 3 copies ·")));
}

TEST_F(MemoriesPanel, TooFewBanksShowWhoNeedsThem) {
    tryFlat(QStringLiteral("8"), QStringLiteral("1"), QStringLiteral("3, 1"));
    EXPECT_TRUE(view.verdict().contains(QStringLiteral("No scheme of any form has 8 banks")))
        << view.verdict().toStdString();
    EXPECT_EQ(view.grid()->picture().proof.size(), 9U);
}

TEST_F(MemoriesPanel, TheBoundIsMarkedOnRequest) {
    EXPECT_TRUE(view.grid()->picture().proof.empty());
    QTest::mouseClick(view.boundButton(), Qt::LeftButton);
    EXPECT_EQ(view.grid()->picture().proof.size(), 9U);
    QTest::mouseClick(view.boundButton(), Qt::LeftButton);
    EXPECT_TRUE(view.grid()->picture().proof.empty());
}

TEST_F(MemoriesPanel, ASchemeThatWorksIsComparedAndCanBePinned) {
    QSignalSpy pinned(&view, &MemoriesView::pinRequested);
    tryFlat(QStringLiteral("11"), QStringLiteral("1"), QStringLiteral("3, 1"));
    EXPECT_TRUE(view.verdict().startsWith(QStringLiteral("✓ flat N=11 B=1 alpha=(3, 1) serves")))
        << view.verdict().toStdString();
    EXPECT_EQ(rings(), 0);
    ASSERT_TRUE(view.tryPanel()->pinButton()->isEnabled());
    QTest::mouseClick(view.tryPanel()->pinButton(), Qt::LeftButton);
    ASSERT_EQ(pinned.count(), 1);
    const auto pins = pinned.at(0).at(1).value<banking::SchemePins>();
    EXPECT_EQ(pins.maps, (std::vector{ir::FlatMap{{3, 1}, 1, 11}}));
}

TEST_F(MemoriesPanel, MistypedFieldsAreExplained) {
    QSignalSpy tried(&view, &MemoriesView::tryRequested);
    tryFlat(QStringLiteral("x"), QStringLiteral("1"), QStringLiteral("3, 1"));
    EXPECT_EQ(tried.count(), 0);
    EXPECT_TRUE(view.tryPanel()->verdict().contains(QStringLiteral("is no number")));
}

TEST_F(MemoriesPanel, RowsOfTheFrontAreChosenAndPinned) {
    QSignalSpy chosen(&view, &MemoriesView::chooseRequested);
    QSignalSpy pinned(&view, &MemoriesView::pinRequested);
    ASSERT_GT(view.front()->model()->rowCount(), 1);
    const QModelIndex second = view.front()->model()->index(1, 1);
    view.front()->setFocus();
    QTest::mouseClick(view.front()->viewport(), Qt::LeftButton, {},
                      view.front()->visualRect(second).center());
    QTest::keyClick(view.front(), Qt::Key_Return);
    ASSERT_EQ(chosen.count(), 1);
    const auto name = chosen.at(0).at(1).value<SchemeName>();
    EXPECT_EQ(name.maps, rooms.item().plan->front[1].scheme.maps);
    QTest::keyClick(view.front(), Qt::Key_Space);
    ASSERT_EQ(pinned.count(), 1);
    EXPECT_EQ(pinned.at(0).at(1).value<banking::SchemePins>().maps, name.maps);
}

TEST_F(MemoriesPanel, PartsOfTheSchemeArePinnedFromTheMenu) {
    QSignalSpy pinned(&view, &MemoriesView::pinRequested);
    Q_EMIT view.pinMenu()->aboutToShow();
    QStringList texts;
    for (QAction* action : view.pinMenu()->actions())
        texts << action->text();
    EXPECT_TRUE(texts.contains(QStringLiteral("N = 3 banks"))) << texts.join(u'\n').toStdString();
    for (QAction* action : view.pinMenu()->actions())
        if (action->text() == QStringLiteral("N = 3 banks"))
            action->trigger();
    ASSERT_EQ(pinned.count(), 1);
    EXPECT_EQ(pinned.at(0).at(1).value<banking::SchemePins>().banks, 3);
    session::BankChoice choice;
    choice.pins.banks = 3;
    rooms.memories.setChoices({{"sobel", choice}});
    show();
    EXPECT_TRUE(view.summary().endsWith(QStringLiteral("⌾ N = 3")));
    Q_EMIT view.pinMenu()->aboutToShow();
    for (QAction* action : view.pinMenu()->actions())
        if (action->text() == QStringLiteral("Clear the pins"))
            action->trigger();
    ASSERT_EQ(pinned.count(), 2);
    EXPECT_TRUE(pinned.at(1).at(1).value<banking::SchemePins>().free());
}

TEST_F(MemoriesPanel, KeysReachEveryWord) {
    BankGrid* grid = view.grid();
    grid->setFocus();
    QSignalSpy told(&view, &MemoriesView::message);
    QTest::keyClick(grid, Qt::Key_Right);
    QTest::keyClick(grid, Qt::Key_Right);
    QTest::keyClick(grid, Qt::Key_Down);
    ASSERT_EQ(told.count(), 3);
    EXPECT_TRUE(told.at(2).at(0).toString().startsWith(QStringLiteral("a[1, 1]: bank 1")))
        << told.at(2).at(0).toString().toStdString();
    EXPECT_EQ(grid->accessibleDescription(), told.at(2).at(0).toString());
    EXPECT_TRUE(grid->tipOf({1, 1}).contains(QStringLiteral("⌊1 / 1⌋ mod 3 = 1")));
    const double before = grid->view().cell;
    QTest::keyClick(grid, Qt::Key_Plus);
    EXPECT_GT(grid->view().cell, before);
    QTest::keyClick(grid, Qt::Key_F);
    EXPECT_EQ(grid->view().cell, before);
}

TEST_F(MemoriesPanel, EveryItemOfTheExamplesIsShown) {
    for (const ir::MemoryProgram& program : shipped()) {
        ASSERT_TRUE(rooms.memories.show(program.name).has_value());
        show();
        EXPECT_EQ(view.items()->currentText().toStdString(), program.name);
        EXPECT_FALSE(view.grid()->picture().empty()) << program.name;
        EXPECT_FALSE(view.grid()->grab().isNull());
        EXPECT_EQ(rings(), 0) << program.name;
    }
}

TEST_F(MemoriesPanel, TheTipOfALaneSaysWhatBrokeLockstep) {
    Rooms ragged(parsed("memory ragged { array a : i32[64, 4]; for i in 0 .. 64 par 2,"
                        " j in 0 .. ?n(i) { read a[j, 0], a[j, 1]; } }"),
                 "ragged");
    view.setSnapshot(ragged.snapshot());
    const QString tip = view.crossbar()->tipAt({20, 34});
    EXPECT_TRUE(tip.startsWith(QStringLiteral("read a[j, 0] (i lane 0)"))) << tip.toStdString();
    EXPECT_TRUE(tip.contains(QStringLiteral("`j in 0 .. ?n(i)` ends differently")));
    EXPECT_TRUE(tip.contains(QStringLiteral("write `j in 0 .. 64`")));
    const QString text = view.toText();
    EXPECT_TRUE(text.contains(QStringLiteral("1 of 32: i = 0, j@i=0 = "))) << text.toStdString();
    EXPECT_FALSE(text.contains(QStringLiteral(", j = ")));
}

TEST_F(MemoriesPanel, WhatCannotBeIsExplained) {
    session::BankChoice choice;
    choice.pins.banks = 4;
    choice.pins.copies = 1;
    rooms.memories.setChoices({{"sobel", choice}});
    show();
    EXPECT_TRUE(view.verdict().startsWith(QStringLiteral("✕ no scheme found with N = 4")));
    EXPECT_TRUE(view.verdict().contains(QStringLiteral("at least 9 banks are needed")));
    EXPECT_TRUE(view.grid()->picture().empty());
    EXPECT_EQ(view.front()->model()->rowCount(), 0);
}

TEST_F(MemoriesPanel, ExportsWhatItShows) {
    QTemporaryDir folder;
    for (const char* suffix : {"png", "svg", "csv", "md", "txt"}) {
        const QString path = folder.filePath(QStringLiteral("banks.") + QLatin1String(suffix));
        ASSERT_TRUE(view.exportTo(path).has_value());
        EXPECT_GT(QFile(path).size(), 100) << suffix;
    }
    EXPECT_FALSE(view.exportTo(QStringLiteral("/nowhere/banks.png")).has_value());
}

TEST(MemoriesEmpty, SaysWhatToOpen) {
    MemoriesView view;
    view.setSnapshot(std::make_shared<session::Snapshot>());
    EXPECT_TRUE(view.grid()->picture().message.contains(QStringLiteral("memory item")));
    EXPECT_FALSE(view.items()->isEnabled());
    EXPECT_FALSE(view.grab().isNull());
}

// ---- colour and time

QImage painted(const BankPicture& picture, const BankView& view, const Theme& theme) {
    QImage image(view.size.toSize(), QImage::Format_RGB32);
    QPainter painter(&image);
    paintBanks(painter, picture, view, theme);
    return image;
}

TEST(BankPainter, CellsHaveTheColourOfTheirBankAtEveryZoom) {
    BankPicture picture;
    picture.layout = BankLayout({40, 60});
    picture.scheme = banking::derive({ir::FlatMap{{2, 1}, 1, 5}}, {40, 60});
    for (const Theme* theme : {&lightTheme(), &darkTheme()}) {
        for (const double size : {4.0, 9.0, 20.0, 40.0}) {
            BankView view;
            view.size = {800, 500};
            view.cell = size;
            const QImage image = painted(picture, view, *theme);
            for (std::int64_t row = 0; row < 6; ++row)
                for (std::int64_t column = 0; column < 9; ++column) {
                    const QRectF rect = view.rectOf(picture.layout, {row, column});
                    const QPointF corner = rect.bottomRight() - QPointF(2, 2);
                    const std::int64_t bank = (2 * row + column) % 5;
                    EXPECT_EQ(image.pixelColor(corner.toPoint()),
                              categoryColour(static_cast<std::size_t>(bank)))
                        << size << " at " << row << ", " << column;
                }
        }
    }
}

/// Processor time of the quickest of some paints, in milliseconds.
double paintMs(const BankPicture& picture, const BankView& view) {
    double least = 1e9;
    for (int k = 0; k < 5; ++k) {
        const std::clock_t started = std::clock();
        (void)painted(picture, view, lightTheme());
        least =
            std::min(least, 1000.0 * static_cast<double>(std::clock() - started) / CLOCKS_PER_SEC);
    }
    return least;
}

TEST(BankPainter, LargeArraysArePaintedInLessThan50Milliseconds) {
    const std::vector<std::vector<std::int64_t>> arrays = {
        {1080, 1920}, {std::int64_t{1} << 31}, {46340, 46340}, {128, 16, 1024, 1024}};
    for (const std::vector<std::int64_t>& dims : arrays) {
        BankPicture picture;
        picture.layout = BankLayout(dims);
        banking::Address alpha(dims.size(), 5);
        alpha.back() = 1;
        picture.scheme = banking::derive({ir::FlatMap{alpha, 3, 13}}, dims);
        for (const double size : {0.0, 0.7, 3.0, 6.0, 15.0, 16.0, 30.0, 44.0}) {
            BankView view = BankView::fitting(picture.layout, {1600, 900});
            if (size > 0)
                view.cell = size;
            const QSizeF plane = view.planeSize(picture.layout);
            view.origin = {std::max(0.0, plane.width() / 2 - 800),
                           std::max(0.0, plane.height() / 2 - 450)};
            const double ms = paintMs(picture, view);
            EXPECT_LT(ms, 50) << dims.size() << " dimensions, cells of " << view.cell;
            RecordProperty("ms_" + std::to_string(dims.size()) + "_" + std::to_string(size),
                           std::to_string(ms));
        }
    }
}

} // namespace
} // namespace marquetry::widgets
