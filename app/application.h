// Application: a QApplication whose event handlers may run out of memory.
//
// Qt's event loop does not survive an exception. Application catches an exception at the end of the
// handler that threw it; the window then says what happened, and the next event is handled as
// usual. Thread rule: main thread.
#pragma once

#include "engine/support/diagnostic.h"

#include <QApplication>

#include <functional>

namespace marquetry::app {

class Application : public QApplication {
public:
    using QApplication::QApplication;

    /// Called for each; without it, or when it throws too, the message goes to standard error.
    void onFailure(std::function<void(const Diagnostic&)> told) { told_ = std::move(told); }

    bool notify(QObject* receiver, QEvent* event) override;

private:
    std::function<void(const Diagnostic&)> told_;
    bool telling_ = false; ///< a failure while the one before is shown
};

} // namespace marquetry::app
