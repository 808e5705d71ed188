#include "app/examples.h"

#include "engine/banking/plan.h"
#include "engine/device/device_file.h"
#include "engine/frontend/parser.h"
#include "widgets/theme/theme.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QTextStream>

#include <algorithm>

namespace marquetry::app {

namespace {

/// Title and first paragraph of a README.
std::pair<QString, QString> readReadme(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly | QIODevice::Text))
        return {};
    QTextStream stream(&file);
    QString title;
    QString text;
    while (!stream.atEnd()) {
        const QString line = stream.readLine().trimmed();
        if (line.startsWith(u'#') && title.isEmpty())
            title = line.mid(line.indexOf(u' ') + 1);
        else if (!line.isEmpty())
            text += (text.isEmpty() ? QString() : QStringLiteral(" ")) + line;
        else if (!text.isEmpty())
            break;
    }
    return {title, text};
}

std::optional<Example> readExample(const QDir& folder, const std::stop_token& stop) {
    const QStringList programs =
        folder.entryList({QStringLiteral("*.mq")}, QDir::Files, QDir::Name);
    if (programs.isEmpty())
        return std::nullopt;
    Example example;
    example.path = folder.filePath(programs.front());
    std::tie(example.title, example.text) =
        readReadme(folder.filePath(QStringLiteral("README.md")));
    if (example.title.isEmpty())
        example.title = folder.dirName();
    if (auto parsed = frontend::parseFile(example.path.toStdString())) {
        if (parsed->programs.empty() && parsed->memories.empty())
            return std::nullopt; // the window opens designs and memories
        if (parsed->programs.empty())
            example.banks = banksOf(parsed->memories.front(), stop);
        else
            example.slabs = slabsOf(parsed->programs.front());
    }
    return example;
}

} // namespace

std::vector<Slab> slabsOf(const ir::Program& program) {
    std::vector<Slab> slabs;
    for (const ir::Value& value : program.values) {
        const bool pool = value.op == ir::OpKind::MaxPool || value.op == ir::OpKind::SumPool;
        const bool shown = value.kind == ir::ValueKind::Input ||
                           (value.kind == ir::ValueKind::Op && (value.macs > 0 || pool));
        if (!shown || value.type.dims.empty())
            continue;
        const ir::Shape& dims = value.type.dims;
        slabs.push_back({dims.size() > 1 ? static_cast<double>(dims.front()) : 1.0,
                         static_cast<double>(dims.back())});
    }
    return slabs;
}

QImage banksOf(const ir::MemoryProgram& memory, const std::stop_token& stop) {
    constexpr std::int64_t kMost = 16;
    const auto device = device::findDevice(device::kDefaultDevice);
    const auto pattern = banking::accessPattern(memory);
    if (!device || !pattern)
        return {};
    const auto plan = banking::plan(*pattern, memory.directive, *device, {}, stop);
    if (!plan)
        return {};
    const ir::Shape& dims = memory.type.dims;
    const std::int64_t columns = std::min(dims.back(), kMost);
    const std::int64_t rows = dims.size() < 2 ? 1 : std::min(dims[dims.size() - 2], kMost);
    QImage image(static_cast<int>(columns), static_cast<int>(rows), QImage::Format_RGB32);
    banking::Address x(dims.size());
    for (int row = 0; row < image.height(); ++row) {
        for (int column = 0; column < image.width(); ++column) {
            if (dims.size() > 1)
                x[dims.size() - 2] = row;
            x.back() = column;
            const std::int64_t bank = plan->chosen().scheme.bank(x);
            image.setPixelColor(column, row,
                                widgets::categoryColour(static_cast<std::size_t>(bank)));
        }
    }
    return image;
}

std::vector<Example> findExamples(const QString& folder, const std::stop_token& stop) {
    std::vector<Example> examples;
    const QDir root(folder);
    if (folder.isEmpty() || !root.exists())
        return examples;
    const auto inside = [](const QDir& dir) {
        return dir.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name);
    };
    for (const QString& name : inside(root)) {
        if (stop.stop_requested())
            break;
        const QDir dir(root.filePath(name));
        if (auto example = readExample(dir, stop)) {
            examples.push_back(std::move(*example));
            continue;
        }
        for (const QString& member : inside(dir))
            if (auto example = readExample(QDir(dir.filePath(member)), stop))
                examples.push_back(std::move(*example));
    }
    return examples;
}

QString examplesFolder() {
    QDir dir(QCoreApplication::applicationDirPath());
    const QString installed = dir.filePath(QStringLiteral("../share/marquetry/examples"));
    if (QDir(installed).exists())
        return QDir::cleanPath(installed);
    for (int up = 0; up < 5; ++up) {
        if (QFile::exists(dir.filePath(QStringLiteral("CMakePresets.json"))) &&
            dir.exists(QStringLiteral("examples")))
            return dir.filePath(QStringLiteral("examples"));
        if (!dir.cdUp())
            break;
    }
    return {};
}

} // namespace marquetry::app
