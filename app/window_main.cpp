#include "app/window_main.h"

#include "app/application.h"
#include "app/gallery.h"
#include "app/main_window.h"
#include "app/session_port.h"
#include "engine/support/failure.h"
#include "engine/support/quote.h"
#include "widgets/theme/theme.h"

#include <QStandardPaths>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace marquetry::app {

namespace {

struct Arguments {
    const char* file = nullptr;
    const char* item = ""; ///< of the file; empty: the first
    bool understood = true;
};

/// [open] [FILE [--item NAME]]; a word that begins with '-' is no file.
Arguments argumentsOf(int argc, char** argv) {
    Arguments arguments;
    int at = argc > 1 && std::strcmp(argv[1], "open") == 0 ? 2 : 1;
    if (at < argc && argv[at][0] != '-')
        arguments.file = argv[at++];
    if (arguments.file && at + 1 < argc && std::strcmp(argv[at], "--item") == 0) {
        arguments.item = argv[at + 1];
        at += 2;
    }
    arguments.understood = at >= argc;
    return arguments;
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

constexpr int kInputError = 2;
constexpr int kInternalError = 3;

/// Qt gives up on a display that does not answer, or a platform plugin that is not there, by
/// aborting; that is no mistake of the program.
void endWithoutWindow(QtMsgType type, const QMessageLogContext&, const QString& message) {
    std::fprintf(stderr, "%s%s\n", type == QtFatalMsg ? "error: no window can be opened: " : "",
                 printable(message.toStdString(), true).c_str());
    if (type != QtFatalMsg)
        return;
    std::fputs("  hint: check DISPLAY, WAYLAND_DISPLAY and QT_QPA_PLATFORM; see marquetry --help "
               "for what works without a window\n",
               stderr);
    std::fflush(stderr);
    std::_Exit(kInputError);
}

int showWindow(Application& application, const Arguments& arguments) {
    const QString data = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
    MainWindow window({&makeEnginePort, QString(), examplesFolder(),
                       data.isEmpty() ? data : data + QStringLiteral("/journals")});
    application.onFailure([&window](const Diagnostic& failure) { window.report({failure}); });
    window.show();
    if (arguments.file)
        window.openItem(QString::fromLocal8Bit(arguments.file),
                        QString::fromLocal8Bit(arguments.item));
    const int status = QApplication::exec();
    application.onFailure({});
    return status;
}

} // namespace

int runWindow(int argc, char** argv) {
    const Arguments arguments = argumentsOf(argc, argv);
    if (!arguments.understood) {
        std::fputs(
            "error: open takes one file and --item NAME\n"
            "  hint: see marquetry open --help; a file whose name begins with '-' is ./-name\n",
            stderr);
        return kInputError;
    }
    if (!hasDisplay()) {
        std::fputs("error: there is no display; see marquetry --help for what works without\n",
                   stderr);
        return kInputError;
    }
    int one = 1; // the file is ours, not Qt's
    qInstallMessageHandler(endWithoutWindow);
    Application application(one, argv);
    qInstallMessageHandler(nullptr);
    QApplication::setApplicationName(QStringLiteral("Marquetry"));
    QApplication::setOrganizationName(QStringLiteral("Marquetry"));
    QApplication::setApplicationVersion(QStringLiteral(MARQUETRY_VERSION));
    widgets::loadFonts();
    try {
        return showWindow(application, arguments);
    } catch (...) { // no engine thread, or no memory for the window itself
        application.onFailure({});
        std::fputs(format(failureOf("opening the window")).c_str(), stderr);
        return kInternalError;
    }
}

} // namespace marquetry::app
