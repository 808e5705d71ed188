#include "widgets/models/pin_text.h"

#include <QObject>

namespace marquetry::widgets {

using design::Pin;
using design::PinKind;

QString pinVerb(PinKind kind) {
    switch (kind) {
    case PinKind::Share:
        return QObject::tr("share");
    case PinKind::NeverShare:
        return QObject::tr("never share");
    case PinKind::ForceTerm:
        return QObject::tr("force");
    case PinKind::ForbidTerm:
        return QObject::tr("forbid");
    }
    return {};
}

QString pinText(const Pin& pin) {
    const QString text = pinVerb(pin.kind) + u' ' + QString::fromStdString(pin.target);
    return pin.layer.empty()
               ? text
               : QObject::tr("%1 (layer %2)").arg(text, QString::fromStdString(pin.layer));
}

} // namespace marquetry::widgets
