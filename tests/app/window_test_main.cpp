#include "pinning_window.h"
#include "touring_window.h"

#include "app/application.h"
#include "widgets/graph_layout/layout_worker.h"
#include "widgets/theme/theme.h"

#include <QLocale>

#include <gtest/gtest.h>

#include <cstring>

int main(int argc, char** argv) {
    // The graph view runs its own executable as the layout worker.
    if (argc == 2 && std::strcmp(argv[1], marquetry::widgets::kLayoutWorkerFlag) == 0)
        return marquetry::widgets::runLayoutWorker();
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    // Tests of journals run their own executable as the window that is killed.
    if (argc == 3 && std::strcmp(argv[1], marquetry::test::kPinningFlag) == 0)
        return marquetry::test::runPinningWindow(argv[2]);
    if (argc == 3 && std::strcmp(argv[1], marquetry::test::kTourFlag) == 0)
        return marquetry::test::runTouringWindow(argv[2]);
    ::testing::InitGoogleTest(&argc, argv);
    QLocale::setDefault(QLocale::c());
    marquetry::app::Application application(argc, argv);
    QApplication::setEffectEnabled(Qt::UI_AnimateMenu, false);
    QApplication::setEffectEnabled(Qt::UI_AnimateTooltip, false);
    marquetry::widgets::loadFonts();
    marquetry::widgets::applyTheme(application, marquetry::widgets::lightTheme());
    return RUN_ALL_TESTS();
}
