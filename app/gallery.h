// Gallery: the start page, shown when no program is open — files opened lately, and the shipped
// examples (examples.h) as cards with a picture.
//
// A slab's height is the image's, its width the channels', both on a square-root scale. Reading the
// examples searches for banks, so it happens in a thread of its own. Thread rule: window's thread.
#pragma once

#include "app/examples.h"

#include <QListWidget>
#include <QStringList>
#include <QWidget>

#include <thread>
#include <vector>

class QPushButton;

namespace marquetry::app {

void paintSlabs(QPainter& painter, const std::vector<Slab>& slabs, const QRectF& area);

class Gallery : public QWidget {
    Q_OBJECT
public:
    explicit Gallery(QWidget* parent = nullptr);

    /// Returns at once; the cards come when they have been read.
    void readExamples(const QString& folder);
    void setExamples(const std::vector<Example>& examples);
    /// Paths of files that exist, the last first; those there is no room for are left to the menu.
    void setRecent(const QStringList& files);
    QListWidget* list() const { return list_; }

Q_SIGNALS:
    void exampleChosen(QString path);
    void openRequested();
    void recentChosen(QString path);

private:
    static constexpr int kMostRecent = 5;

    QPushButton* recentButton(const QString& path, bool last);

    QWidget* recent_ = nullptr; ///< a button for each file; null: there is none
    QListWidget* list_ = nullptr;
    std::jthread reader_; ///< last: it ends before the list does
};

} // namespace marquetry::app
