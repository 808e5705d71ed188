// The test binary is its own layout worker, as the executable is; other flags make bad workers.
#include "widgets/graph_layout/layout_worker.h"
#include "widgets/theme/theme.h"

#include <QApplication>
#include <QLocale>

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

/// Reads what it is sent, then behaves badly.
int runBadWorker(const char* kind) {
    char byte = 0;
    const bool got = std::fread(&byte, 1, 1, stdin) == 1;
    if (got && std::strcmp(kind, "--crashing-worker") == 0)
        std::_Exit(77);
    if (got && std::strcmp(kind, "--babbling-worker") == 0) {
        std::fputs("this is no layout, whatever its length says", stdout);
        std::fflush(stdout);
    }
    while (std::fread(&byte, 1, 1, stdin) == 1) {
    }
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    using namespace marquetry::widgets;
    if (argc > 1 && std::strcmp(argv[1], kLayoutWorkerFlag) == 0)
        return runLayoutWorker();
    if (argc > 1 && std::strstr(argv[1], "-worker") != nullptr)
        return runBadWorker(argv[1]);
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    ::testing::InitGoogleTest(&argc, argv);
    QLocale::setDefault(QLocale::c());
    QApplication application(argc, argv);
    loadFonts();
    applyTheme(application, lightTheme());
    return RUN_ALL_TESTS();
}
