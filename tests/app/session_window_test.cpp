// Session files in the window: saved, opened, asked about, and told of.
#include "app/session_keeper.h"
#include "engine/session/session_file.h"
#include "tests/support/text_files.h"
#include "window_fixture.h"

#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileDialog>
#include <QLabel>
#include <QMessageBox>
#include <QMimeData>

namespace marquetry::test {

using session::Phase;

namespace {

const char* const kProgram = "design d { input a : i8[8] = random(seed: 1);"
                             "weight v : i8[4, 8] = random(seed: 5); output y = mv(v, a); }\n";

} // namespace

class SessionWindow : public WindowFixture {
protected:
    QString path(const char* name) { return folder.filePath(QLatin1String(name)); }

    void writeFile(const char* name, const std::string& text) {
        ASSERT_TRUE(writeText(path(name).toStdString(), text));
    }

    /// A program of the test's own, with two pins, of which one names nothing.
    void openPinned() {
        writeFile("d.mq", kProgram);
        window->openFile(path("d.mq"));
        ASSERT_TRUE(reaches(Phase::Loaded));
        pin("Mv 4×8");
        pin("Mv 999×999", design::PinKind::Share);
    }

    void pin(const std::string& unit, design::PinKind kind = design::PinKind::NeverShare) {
        const std::size_t before = snapshot()->pins.size();
        window->post(session::AddPin{{0, kind, unit, "", true}});
        ASSERT_TRUE(waitFor([&] { return snapshot()->pins.size() == before + 1; }));
    }

    /// In the dialog that is open now.
    void fillSaveDialog(const QString& file) {
        auto* const files = shownDialog<QFileDialog>("saveSessionDialog");
        ASSERT_NE(files, nullptr);
        auto* const name = files->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
        ASSERT_NE(name, nullptr);
        name->setCompleter(nullptr);
        name->setText(file);
        QTest::keyClick(name, Qt::Key_Return);
    }

    void saveAs(const char* name) {
        trigger(app::Act::SaveSession);
        fillSaveDialog(path(name));
        ASSERT_TRUE(waitFor([&] { return window->keeper().path() == path(name); }))
            << window->notice().toStdString();
    }

    session::SessionFile written(const char* name) {
        const auto read = session::readSession(path(name).toStdString());
        EXPECT_TRUE(read) << format(read.error());
        return read ? *read : session::SessionFile();
    }

    std::string title() { return window->windowTitle().toStdString(); }
};

TEST_F(SessionWindow, SavesWhatWasDecidedAndBringsItBack) {
    openPinned();
    session::Settings settings = snapshot()->settings;
    settings.limits["dsp"] = 64;
    window->post(session::ChangeSettings{settings});
    trigger(app::Act::Run);
    ASSERT_TRUE(reaches(Phase::Ready));
    window->perspectives().enter(app::Perspective::Inspect);
    const auto view = [this] { return window->tabs()->tabText(window->tabs()->currentIndex()); };
    const QString entered = view();
    window->tabs()->setCurrentIndex(window->tabs()->count() - 1);
    const QString left = view();
    ASSERT_NE(left, entered) << "it is not where the perspective leads";
    saveAs("one.mqs");
    EXPECT_EQ(written("one.mqs").pins.size(), 2U);
    makeWindow();
    window->openFile(path("one.mqs"));
    ASSERT_TRUE(reaches(Phase::Ready));
    EXPECT_EQ(snapshot()->settings, settings);
    EXPECT_EQ(snapshot()->pins.size(), 2U);
    EXPECT_EQ(snapshot()->file, path("d.mq").toStdString());
    // The program may be in sight before the answer is that brings the window's state.
    ASSERT_TRUE(waitFor([&] { return window->keeper().path() == path("one.mqs"); }));
    EXPECT_EQ(window->perspectives().current(), app::Perspective::Inspect);
    EXPECT_EQ(view().toStdString(), left.toStdString());
    EXPECT_EQ(title(), "one.mqs[*] — Marquetry");
}

TEST_F(SessionWindow, TheTitleHasTheNameAndAMark) {
    openPinned();
    EXPECT_EQ(title(), "d.mq[*] — Marquetry");
    EXPECT_TRUE(window->isWindowModified());
    saveAs("one.mqs");
    EXPECT_EQ(title(), "one.mqs[*] — Marquetry");
    EXPECT_FALSE(window->isWindowModified());
    trigger(app::Act::Undo);
    ASSERT_TRUE(waitFor([&] { return window->isWindowModified(); }));
    trigger(app::Act::Redo);
    ASSERT_TRUE(waitFor([&] { return !window->isWindowModified(); })) << "it is as it was saved";
    trigger(app::Act::Undo);
    ASSERT_TRUE(waitFor([&] { return window->isWindowModified(); }));
    trigger(app::Act::SaveSession); // where it was
    EXPECT_FALSE(window->isWindowModified());
    EXPECT_EQ(written("one.mqs").pins.size(), 1U);
}

/// What is gone is not used, not lost, and said where one looks.
TEST_F(SessionWindow, PinsOnWhatIsGoneAreSwitchedOffAndTold) {
    openPinned();
    trigger(app::Act::Run);
    ASSERT_TRUE(waitFor([&] { return !snapshot()->infeasible.empty(); }));
    EXPECT_TRUE(window->notice().isEmpty()) << "the pin was not opened with a session";
    saveAs("one.mqs");
    makeWindow();
    window->openFile(path("one.mqs"));
    ASSERT_TRUE(waitFor([&] { return snapshot()->design != nullptr; }));
    ASSERT_EQ(snapshot()->pins.size(), 2U);
    EXPECT_TRUE(snapshot()->pins[0].enabled);
    EXPECT_FALSE(snapshot()->pins[1].enabled);
    EXPECT_TRUE(window->notice().contains(QStringLiteral("Mv 999×999")))
        << window->notice().toStdString();
    EXPECT_FALSE(window->notice().contains(QStringLiteral("Mv 4×8")));
}

TEST_F(SessionWindow, AskWhichProgramIsMeantWhenItHasChanged) {
    openPinned();
    saveAs("one.mqs");
    const std::string changed = std::string(kProgram) + "// changed\n";
    writeFile("d.mq", changed);
    for (const bool held : {true, false}) {
        makeWindow();
        window->openFile(path("one.mqs"));
        auto* const box = shownDialog<QMessageBox>("programChanged");
        ASSERT_NE(box, nullptr);
        EXPECT_EQ(snapshot()->phase, Phase::Empty) << "nothing is opened meanwhile";
        clickButton(held ? "useHeld" : "useFile");
        ASSERT_TRUE(reaches(Phase::Loaded));
        EXPECT_EQ(*snapshot()->source, held ? kProgram : changed);
        EXPECT_EQ(snapshot()->pins.size(), 2U);
        EXPECT_EQ(window->isWindowModified(), !held);
    }
}

TEST_F(SessionWindow, OfAProgramThatIsGoneOpensItsText) {
    openPinned();
    saveAs("one.mqs");
    ASSERT_TRUE(QFile::remove(path("d.mq")));
    makeWindow();
    window->openFile(path("one.mqs"));
    ASSERT_TRUE(reaches(Phase::Loaded));
    EXPECT_EQ(*snapshot()->source, kProgram);
    EXPECT_TRUE(window->notice().contains(QStringLiteral("d.mq")))
        << window->notice().toStdString();
}

TEST_F(SessionWindow, BadFilesAreToldWithTheirPlaceAndChangeNothing) {
    openPinned();
    saveAs("one.mqs");
    const auto whole = readText(path("one.mqs").toStdString());
    ASSERT_TRUE(whole);
    writeFile("cut.mqs", whole->substr(0, 99));
    writeFile("newer.mqs", "{\"marquetry\": \"session\",\n\"version\": 9}");
    const std::pair<const char*, const char*> files[] = {
        {"cut.mqs", "the session file ends here"},
        {"newer.mqs", "newer.mqs:2:12: this session file was written by a later Marquetry"},
        {"missing.mqs", "there is no file"}};
    for (const auto& [name, message] : files) {
        window->openFile(path(name));
        EXPECT_TRUE(window->notice().contains(QLatin1String(message)))
            << window->notice().toStdString();
        EXPECT_EQ(snapshot()->file, path("d.mq").toStdString());
        EXPECT_EQ(snapshot()->pins.size(), 2U);
    }
}

TEST_F(SessionWindow, TheStartPageReopensWhatWasOpenLast) {
    EXPECT_EQ(window->findChild<QPushButton*>(QStringLiteral("reopenLast")), nullptr);
    openPinned();
    saveAs("one.mqs");
    makeWindow();
    QStringList buttons;
    for (const QPushButton* each : window->findChildren<QPushButton*>())
        if (each->objectName().startsWith(QStringLiteral("reopen")) && each->isVisible())
            buttons << each->text();
    EXPECT_EQ(buttons.join(u'|').toStdString(), "Reopen one.mqs|d.mq");
    clickButton("reopenLast");
    ASSERT_TRUE(reaches(Phase::Loaded));
    EXPECT_EQ(snapshot()->pins.size(), 2U);
    EXPECT_TRUE(window->tabs()->isVisible());
}

TEST_F(SessionWindow, AProgramThatAnotherProgramChangesIsOfferedAgain) {
    openPinned();
    saveAs("one.mqs");
    std::string text = kProgram;
    for (const bool inPlace : {true, false}) {
        text += "// changed\n";
        if (inPlace) {
            QFile file(path("d.mq"));
            ASSERT_TRUE(file.open(QIODevice::WriteOnly));
            file.write(text.c_str());
        } else {
            writeFile("d.mq", text); // another file in its place
        }
        clickButton("reloadProgram");
        ASSERT_TRUE(waitFor([&] { return *snapshot()->source == text; }));
        EXPECT_EQ(snapshot()->pins.size(), 2U) << "all else stays";
        EXPECT_TRUE(window->isWindowModified()) << "the session file holds the text of before";
    }
}

TEST_F(SessionWindow, TheOfferToReadTheProgramAgainEndsWhenThatIsDone) {
    openPinned();
    const std::string text = std::string(kProgram) + "// changed\n";
    writeFile("d.mq", text);
    ASSERT_NE(shownDialog<QPushButton>("reloadProgram"), nullptr);
    trigger(app::Act::Reload);
    ASSERT_TRUE(waitFor([&] { return *snapshot()->source == text; }));
    EXPECT_FALSE(window->findChild<QPushButton*>(QStringLiteral("reloadProgram"))->isVisible());
}

TEST_F(SessionWindow, TheOfferToReadTheProgramAgainStaysWhenThatFails) {
    openPinned();
    const std::string text = std::string(kProgram) + "// changed\n";
    writeFile("d.mq", text);
    ASSERT_NE(shownDialog<QPushButton>("reloadProgram"), nullptr);
    ASSERT_TRUE(QFile::remove(path("d.mq")));
    clickButton("reloadProgram");
    ASSERT_TRUE(reaches(Phase::Invalid));
    EXPECT_TRUE(window->findChild<QPushButton*>(QStringLiteral("reloadProgram"))->isVisible());
    EXPECT_TRUE(waitFor([&] { return !window->notice().isEmpty(); })) << "it says why";
    writeFile("d.mq", text);
    clickButton("reloadProgram");
    ASSERT_TRUE(waitFor([&] { return snapshot()->source && *snapshot()->source == text; }));
    EXPECT_EQ(snapshot()->pins.size(), 2U);
    EXPECT_FALSE(window->findChild<QPushButton*>(QStringLiteral("reloadProgram"))->isVisible());
}

TEST_F(SessionWindow, TheOfferToReadAProgramAgainEndsWithTheProgram) {
    writeFile("d.mq", kProgram);
    window->openFile(path("d.mq"));
    ASSERT_TRUE(reaches(Phase::Loaded));
    writeFile("d.mq", std::string(kProgram) + "// changed\n");
    ASSERT_NE(shownDialog<QPushButton>("reloadProgram"), nullptr);
    window->openFile(QString::fromStdString(runningExample()));
    ASSERT_TRUE(waitFor([&] { return snapshot()->file == runningExample(); }));
    EXPECT_FALSE(window->findChild<QPushButton*>(QStringLiteral("reloadProgram"))->isVisible());
}

TEST_F(SessionWindow, AreTakenWhenTheyAreDropped) {
    openPinned();
    saveAs("one.mqs");
    makeWindow();
    QMimeData dropped;
    dropped.setUrls({QUrl::fromLocalFile(path("one.mqs"))});
    QDragEnterEvent enter({9, 9}, Qt::CopyAction, &dropped, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(window.get(), &enter);
    EXPECT_TRUE(enter.isAccepted());
    QDropEvent event({9, 9}, Qt::CopyAction, &dropped, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(window.get(), &event);
    ASSERT_TRUE(reaches(Phase::Loaded));
    EXPECT_EQ(snapshot()->pins.size(), 2U);
}

TEST_F(SessionWindow, WhatIsNotSavedIsAskedAboutBeforeAnotherIsOpened) {
    openPinned();
    window->openFile(QString::fromStdString(runningExample()));
    auto* box = shownDialog<QMessageBox>("unsavedSession");
    ASSERT_NE(box, nullptr);
    box->reject();
    ASSERT_TRUE(waitFor([&] { return !window->findChild<QMessageBox*>(); }));
    EXPECT_EQ(snapshot()->file, path("d.mq").toStdString());
    window->openFile(QString::fromStdString(runningExample()));
    clickButton("saveFirst");
    fillSaveDialog(path("one.mqs"));
    ASSERT_TRUE(waitFor([&] { return snapshot()->file == runningExample(); }));
    EXPECT_EQ(written("one.mqs").pins.size(), 2U);
    EXPECT_EQ(title(), "running_example.mq[*] — Marquetry");
    EXPECT_FALSE(window->isWindowModified());
    pin("Mv 2×2");
    window->openFile(path("one.mqs"));
    clickButton("discard");
    ASSERT_TRUE(waitFor([&] { return snapshot()->file == path("d.mq").toStdString(); }));
}

TEST_F(SessionWindow, TheDesignThatWasChosenIsUndoneSavedAndChosenAgain) {
    runToEnd();
    const app::SnapshotPtr best = snapshot();
    const auto other = std::ranges::find_if(best->points, [&](const design::DesignPoint& point) {
        return point.onFront && point.feasible && point.cycles != best->design->cycles;
    });
    ASSERT_NE(other, best->points.end());
    const std::int64_t cycles = other->cycles;
    window->post(session::ChoosePoint{*other});
    const auto atHand = [&](std::int64_t wanted) {
        return waitFor([&] {
            return snapshot()->design && snapshot()->design->cycles == wanted &&
                   snapshot()->phase == Phase::Ready;
        });
    };
    ASSERT_TRUE(atHand(cycles));
    trigger(app::Act::Undo);
    ASSERT_TRUE(atHand(best->design->cycles));
    trigger(app::Act::Redo);
    ASSERT_TRUE(atHand(cycles));
    saveAs("chosen.mqs");
    ASSERT_TRUE(written("chosen.mqs").picked);
    makeWindow();
    window->openFile(path("chosen.mqs"));
    EXPECT_TRUE(atHand(cycles));
    EXPECT_EQ(snapshot()->foundBy, session::FoundBy::Choice);
    ASSERT_TRUE(waitFor([&] { return window->keeper().path() == path("chosen.mqs"); }));
    EXPECT_FALSE(window->keeper().modified());
}

TEST_F(SessionWindow, ADesignThatWasChosenFromThePlotIsNotAskedAbout) {
    runToEnd();
    const app::SnapshotPtr best = snapshot();
    const auto other = std::ranges::find_if(best->points, [&](const design::DesignPoint& point) {
        return point.feasible && point.cycles != best->design->cycles;
    });
    ASSERT_NE(other, best->points.end());
    window->post(session::ChoosePoint{*other});
    ASSERT_TRUE(waitFor([&] { return snapshot()->foundBy == session::FoundBy::Choice; }));
    EXPECT_TRUE(window->isWindowModified());
    EXPECT_FALSE(window->keeper().asksToSave());
    saveAs("chosen.mqs");
    trigger(app::Act::Undo);
    ASSERT_TRUE(waitFor([&] { return window->isWindowModified(); }));
    EXPECT_TRUE(window->keeper().asksToSave()) << "the file holds another";
}

TEST_F(SessionWindow, SettingsThatWereTriedOnAProgramAreNotAskedAbout) {
    openExample();
    session::Settings settings = snapshot()->settings;
    settings.limits["dsp"] = 63;
    window->post(session::ChangeSettings{settings});
    ASSERT_TRUE(waitFor([&] { return window->isWindowModified(); }));
    EXPECT_TRUE(window->close());
}

TEST_F(SessionWindow, WhatIsNotSavedIsAskedAboutBeforeTheEnd) {
    openPinned();
    window->close();
    ASSERT_NE(shownDialog<QMessageBox>("unsavedSession"), nullptr);
    EXPECT_TRUE(window->isVisible());
    clickButton("discard");
    ASSERT_TRUE(waitFor([&] { return !window->isVisible(); }));
}

TEST_F(SessionWindow, WithoutDecisionsEndsUnasked) {
    openExample();
    trigger(app::Act::Run);
    ASSERT_TRUE(reaches(Phase::Ready));
    window->close();
    EXPECT_FALSE(window->isVisible());
}

TEST_F(SessionWindow, AFileThatAnotherWindowSavedIsNotReplacedUnasked) {
    openPinned();
    saveAs("one.mqs");
    session::SessionFile other = written("one.mqs");
    other.pins.clear();
    writeFile("one.mqs", printSession(other));
    trigger(app::Act::Undo);
    ASSERT_TRUE(waitFor([&] { return window->isWindowModified(); }));
    trigger(app::Act::SaveSession);
    ASSERT_NE(shownDialog<QMessageBox>("sessionChanged"), nullptr);
    EXPECT_TRUE(written("one.mqs").pins.empty());
    clickButton("saveElsewhere");
    auto* const files = shownDialog<QFileDialog>("saveSessionDialog");
    ASSERT_NE(files, nullptr);
    // As when its name was typed: the file that is there is selected later than a test can type.
    Q_EMIT files->fileSelected(path("two.mqs"));
    files->reject();
    ASSERT_TRUE(waitFor([&] { return window->keeper().path() == path("two.mqs"); }));
    EXPECT_EQ(written("two.mqs").pins.size(), 1U);
    EXPECT_TRUE(written("one.mqs").pins.empty());
}

TEST_F(SessionWindow, NoOtherFileIsReplacedByASession) {
    openPinned();
    trigger(app::Act::SaveSessionAs);
    auto* const files = shownDialog<QFileDialog>("saveSessionDialog");
    ASSERT_NE(files, nullptr);
    writeFile("d.mqs", kProgram);
    Q_EMIT files->fileSelected(path("d.mqs")); // as when the dialog's own question was answered
    EXPECT_TRUE(window->notice().contains(QStringLiteral("is not a session file")))
        << window->notice().toStdString();
    EXPECT_EQ(readText(path("d.mqs").toStdString()).value_or(""), kProgram);
    EXPECT_TRUE(window->isWindowModified());
}

/// Or nothing would open it as a session again.
TEST_F(SessionWindow, NamesEndAsThoseOfSessionsDo) {
    openPinned();
    for (const bool there : {false, true}) {
        trigger(app::Act::SaveSessionAs);
        auto* const files = shownDialog<QFileDialog>("saveSessionDialog");
        ASSERT_NE(files, nullptr);
        Q_EMIT files->fileSelected(path("d.mq"));
        files->reject();
        if (there)
            clickButton("replaceSession");
        ASSERT_TRUE(waitFor([&] { return !window->findChild<QDialog*>(); }));
        EXPECT_EQ(window->keeper().path(), path("d.mq.mqs"));
        EXPECT_EQ(written("d.mq.mqs").pins.size(), 2U);
        EXPECT_EQ(readText(path("d.mq").toStdString()).value_or(""), kProgram);
    }
}

TEST_F(SessionWindow, HoldTheProgramsPathFromAnywhere) {
    writeFile("d.mq", kProgram);
    window->openFile(QDir::current().relativeFilePath(path("d.mq")));
    ASSERT_TRUE(reaches(Phase::Loaded));
    saveAs("one.mqs");
    EXPECT_EQ(written("one.mqs").program, path("d.mq").toStdString());
}

TEST_F(SessionWindow, WhatCannotBeReadAgainIsKept) {
    openPinned();
    saveAs("one.mqs");
    ASSERT_TRUE(QFile::remove(path("d.mq")));
    trigger(app::Act::Reload);
    ASSERT_TRUE(reaches(Phase::Invalid));
    ASSERT_TRUE(window->keeper().save(path("one.mqs")));
    EXPECT_EQ(*written("one.mqs").text, kProgram);
    EXPECT_EQ(written("one.mqs").pins.size(), 2U);
}

} // namespace marquetry::test
