// Gallery: the shipped examples as cards with a picture, shown when no program is open.
//
// An example is a folder with one .mq file and a README.md, or a folder of such folders; its title
// is the README's first heading and its text the first paragraph. The picture is drawn from the
// program itself: one slab per stored tensor, its height the image's, its width the channels' (both
// on a square-root scale); of a file of memories the banks of the first. Errors: a folder without a
// .mq file is not an example; a program with errors has no picture. Complexity: one parse per
// example. Thread rule: window's thread.
#pragma once

#include "engine/ir/memory_program.h"
#include "engine/ir/program.h"

#include <QImage>
#include <QListWidget>
#include <QWidget>

#include <optional>
#include <vector>

namespace marquetry::app {

struct Slab {
    double extent = 1; ///< rows of the image; 1 for a vector
    double channels = 1;
};

struct Example {
    QString path; ///< of the .mq file
    QString title;
    QString text;
    std::vector<Slab> slabs; ///< of the first design
    QImage banks;            ///< of the first memory, when there is no design: a pixel per word
};

std::vector<Slab> slabsOf(const ir::Program& program);
/// The corner of the array in the colours of its cheapest banks; null when there are none.
QImage banksOf(const ir::MemoryProgram& memory);
std::vector<Example> findExamples(const QString& folder);
/// The folder "examples" next to the source tree or the installed data; empty if there is none.
QString examplesFolder();
void paintSlabs(QPainter& painter, const std::vector<Slab>& slabs, const QRectF& area);

class Gallery : public QWidget {
    Q_OBJECT
public:
    explicit Gallery(QWidget* parent = nullptr);

    void setExamples(const std::vector<Example>& examples);
    QListWidget* list() const { return list_; }

Q_SIGNALS:
    void exampleChosen(QString path);
    void openRequested();

private:
    QListWidget* list_ = nullptr;
};

} // namespace marquetry::app

Q_DECLARE_METATYPE(std::vector<marquetry::app::Slab>)
