// Gallery: the shipped examples (examples.h) as cards with a picture, shown when no program is
// open.
//
// A slab's height is the image's, its width the channels', both on a square-root scale. Reading the
// examples searches for banks, so it happens in a thread of its own. Thread rule: window's thread.
#pragma once

#include "app/examples.h"

#include <QListWidget>
#include <QWidget>

#include <thread>
#include <vector>

namespace marquetry::app {

void paintSlabs(QPainter& painter, const std::vector<Slab>& slabs, const QRectF& area);

class Gallery : public QWidget {
    Q_OBJECT
public:
    explicit Gallery(QWidget* parent = nullptr);

    /// Returns at once; the cards come when they have been read.
    void readExamples(const QString& folder);
    void setExamples(const std::vector<Example>& examples);
    QListWidget* list() const { return list_; }

Q_SIGNALS:
    void exampleChosen(QString path);
    void openRequested();

private:
    QListWidget* list_ = nullptr;
    std::jthread reader_; ///< last: it ends before the list does
};

} // namespace marquetry::app
