#include "app/window_main.h"

#include "app/gallery.h"
#include "app/main_window.h"
#include "app/session_port.h"
#include "widgets/theme/theme.h"

#include <QApplication>

#include <cstdio>
#include <cstring>

namespace marquetry::app {

namespace {

/// The file after an optional "open"; null when there is none.
const char* fileArgument(int argc, char** argv) {
    const int at = argc > 1 && std::strcmp(argv[1], "open") == 0 ? 2 : 1;
    return at < argc ? argv[at] : nullptr;
}

int argumentLimit(int argc, char** argv) {
    return argc > 1 && std::strcmp(argv[1], "open") == 0 ? 3 : 2;
}

bool hasDisplay() {
#ifdef Q_OS_LINUX
    return !qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM") ||
           !qEnvironmentVariableIsEmpty("DISPLAY") ||
           !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY");
#else
    return true;
#endif
}

} // namespace

int runWindow(int argc, char** argv) {
    constexpr int kInputError = 2;
    constexpr int kInternalError = 3;
    if (argc > argumentLimit(argc, argv)) {
        std::fputs("error: open takes one file\n", stderr);
        return kInputError;
    }
    if (!hasDisplay()) {
        std::fputs("error: there is no display; see marquetry --help for what works without\n",
                   stderr);
        return kInternalError;
    }
    const char* file = fileArgument(argc, argv);
    int one = 1; // the file is ours, not Qt's
    QApplication application(one, argv);
    QApplication::setApplicationName(QStringLiteral("Marquetry"));
    QApplication::setOrganizationName(QStringLiteral("Marquetry"));
    QApplication::setApplicationVersion(QStringLiteral(MARQUETRY_VERSION));
    widgets::loadFonts();
    MainWindow window({&makeEnginePort, QString(), examplesFolder()});
    window.show();
    if (file)
        window.openFile(QString::fromLocal8Bit(file));
    return QApplication::exec();
}

} // namespace marquetry::app
