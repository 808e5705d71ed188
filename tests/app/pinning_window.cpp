#include "pinning_window.h"

#include "app/application.h"
#include "app/main_window.h"
#include "app/session_keeper.h"
#include "fake_session.h"
#include "widgets/theme/theme.h"

#include <QTimer>

#include <cstdio>

namespace marquetry::test {

int runPinningWindow(const char* folder) {
    constexpr int kPinEveryMs = 7;
    int one = 1;
    char name[] = "pinning";
    char* arguments[] = {name, nullptr};
    app::Application application(one, arguments);
    widgets::loadFonts();
    const QString place = QString::fromLocal8Bit(folder);
    app::MainWindow window({&app::makeEnginePort, place + QStringLiteral("/killed.ini"), QString(),
                            place + QStringLiteral("/journals")});
    window.show();
    window.openFile(QString::fromStdString(runningExample()));
    QObject::connect(&window.keeper(), &app::SessionKeeper::kept, &window, [&window] {
        std::printf("%zu\n", window.bridge().snapshot()->pins.size());
        std::fflush(stdout);
    });
    int pinned = 0;
    QTimer pin;
    QObject::connect(&pin, &QTimer::timeout, &window, [&] {
        window.post(session::AddPin{
            {0, design::PinKind::NeverShare, "unit " + std::to_string(++pinned), "", true}});
    });
    pin.start(kPinEveryMs);
    return QApplication::exec();
}

} // namespace marquetry::test
