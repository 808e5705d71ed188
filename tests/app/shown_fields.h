// What no window may do with its fields and pictures, whatever was done to it: text that is cut
// without saying so, letters that are too small, a picture that looks where nothing is.
// Thread rule: window's thread.
#pragma once

#include <QStringList>

class QWidget;

namespace marquetry::test {

/// Nothing, or what is cut or too small.
QStringList cutFields(const QWidget& window);
/// Nothing, or which pictures have something to show and do not show it.
QStringList emptyPictures(const QWidget& window);

} // namespace marquetry::test
