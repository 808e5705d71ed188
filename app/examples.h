// The shipped examples, as the gallery shows them.
//
// An example is a folder with one .mq file and a README.md, or a folder of such folders; its title
// is the README's first heading and its text the first paragraph. The picture is drawn from the
// program itself: one slab per stored tensor, of a file of memories the banks of the first. Errors:
// a folder without a .mq file is not an example; a program with errors has no picture. Complexity:
// one parse per example, and one bank search per file of memories. Thread rule: any thread.
#pragma once

#include "engine/ir/memory_program.h"
#include "engine/ir/program.h"

#include <QImage>
#include <QMetaType>
#include <QString>

#include <stop_token>
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
QImage banksOf(const ir::MemoryProgram& memory, const std::stop_token& stop = {});
/// In the order of their names. When stopped: those found until then.
std::vector<Example> findExamples(const QString& folder, const std::stop_token& stop = {});
/// The folder "examples" next to the source tree or the installed data; empty if there is none.
QString examplesFolder();

} // namespace marquetry::app

Q_DECLARE_METATYPE(std::vector<marquetry::app::Slab>)
