// The gallery finds the shipped examples, in folders and in folders of folders.
#include "app/examples.h"
#include "engine/frontend/parser.h"
#include "tests/support/places.h"

#include <gtest/gtest.h>

#include <QDirIterator>

namespace marquetry {

TEST(Gallery, FindsEveryShippedDesignAndMemory) {
    const QString folder = QString::fromStdString(test::sourceFolder() + "/examples");
    QStringList programs;
    for (QDirIterator it(folder, {QStringLiteral("*.mq")}, QDir::Files,
                         QDirIterator::Subdirectories);
         it.hasNext();) {
        const QString path = it.next();
        const auto parsed = frontend::parseFile(path.toStdString());
        ASSERT_TRUE(parsed.has_value()) << path.toStdString();
        if (!parsed->programs.empty() || !parsed->memories.empty()) // what the window opens
            programs << path;
    }
    QStringList found;
    for (const app::Example& example : app::findExamples(folder)) {
        found << example.path;
        EXPECT_FALSE(example.title.isEmpty()) << example.path.toStdString();
        EXPECT_FALSE(example.text.isEmpty()) << example.path.toStdString();
        EXPECT_TRUE(!example.slabs.empty() || !example.banks.isNull())
            << example.path.toStdString();
    }
    programs.sort();
    found.sort();
    EXPECT_EQ(found, programs);
    EXPECT_GE(found.size(), 12);
}

} // namespace marquetry
