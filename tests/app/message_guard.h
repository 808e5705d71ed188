// MessageGuard: collects Qt's warnings while it lives; a test expects none. Lines that the platform
// plugin prints about itself are not ours.
#pragma once

#include <QString>
#include <QStringList>
#include <QtGlobal>

namespace marquetry::test {

class MessageGuard {
public:
    MessageGuard() {
        messages() = {};
        previous_ = qInstallMessageHandler(&MessageGuard::handle);
    }
    ~MessageGuard() { qInstallMessageHandler(previous_); }
    MessageGuard(const MessageGuard&) = delete;
    MessageGuard& operator=(const MessageGuard&) = delete;

    std::string text() const { return messages().join(u'\n').toStdString(); }

private:
    static QStringList& messages() {
        static QStringList list;
        return list;
    }
    static void handle(QtMsgType type, const QMessageLogContext&, const QString& message) {
        const bool platform = message.contains(QStringLiteral("This plugin does not support")) ||
                              message.contains(QStringLiteral("XDG_RUNTIME_DIR"));
        if (type != QtDebugMsg && type != QtInfoMsg && !platform)
            messages() << message;
    }

    QtMessageHandler previous_ = nullptr;
};

} // namespace marquetry::test
