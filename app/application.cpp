#include "app/application.h"

#include "engine/support/failure.h"

#include <cstdio>
#include <exception>
#include <utility>

namespace marquetry::app {

bool Application::notify(QObject* receiver, QEvent* event) {
    try {
        return QApplication::notify(receiver, event);
    } catch (...) {
        try {
            const Diagnostic failure = failureOf("answering to the mouse, the keys or the engine");
            if (told_ && !std::exchange(telling_, true)) {
                told_(failure);
                telling_ = false;
            } else {
                std::fputs(format(failure).c_str(), stderr);
            }
        } catch (...) { // there is no memory to say so
            std::fputs("error: this ran out of memory [out-of-memory]\n", stderr);
            telling_ = false;
        }
    }
    return false;
}

} // namespace marquetry::app
