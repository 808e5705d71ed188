#include "app/recent_exports.h"

#include <QSettings>

#include <algorithm>

namespace marquetry::app {

namespace {

const QString kExports = QStringLiteral("recentExports");
const QString kItem = QStringLiteral("item");
const QString kTarget = QStringLiteral("target");
const QString kInterface = QStringLiteral("interface");
const QString kStreamBits = QStringLiteral("streamBits");
const QString kBoard = QStringLiteral("board");
const QString kBitstream = QStringLiteral("bitstream");
const QString kFolder = QStringLiteral("folder");

RecentExport read(const QSettings& settings) {
    const auto text = [&](const QString& key) {
        return settings.value(key).toString().toStdString();
    };
    RecentExport made{text(kItem), hdl::ExportForm(text(kTarget)),
                      settings.value(kFolder).toString()};
    made.form.interface =
        hdl::interfaceNamed(text(kInterface)).value_or(hdl::ExportInterface::Stream);
    made.form.streamBits = settings.value(kStreamBits).toInt();
    made.form.board = text(kBoard);
    made.form.bitstream = settings.value(kBitstream).toBool();
    return made;
}

void write(QSettings& settings, const RecentExport& made) {
    settings.setValue(kItem, QString::fromStdString(made.item));
    settings.setValue(kTarget, QString::fromStdString(made.form.target));
    settings.setValue(kInterface, QString::fromLatin1(hdl::nameOf(made.form.interface)));
    settings.setValue(kStreamBits, made.form.streamBits);
    settings.setValue(kBoard, QString::fromStdString(made.form.board));
    settings.setValue(kBitstream, made.form.bitstream);
    settings.setValue(kFolder, made.folder);
}

} // namespace

std::vector<RecentExport> RecentExports::all() const {
    std::vector<RecentExport> list;
    const int count = settings_.beginReadArray(kExports);
    for (int k = 0; k < count; ++k) {
        settings_.setArrayIndex(k);
        list.push_back(read(settings_));
    }
    settings_.endArray();
    return list;
}

void RecentExports::add(const RecentExport& made) {
    std::vector<RecentExport> list = all();
    std::erase_if(list, [&](const RecentExport& other) { return other.item == made.item; });
    list.insert(list.begin(), made);
    if (list.size() > kMax)
        list.resize(kMax);
    settings_.beginWriteArray(kExports, static_cast<int>(list.size()));
    for (std::size_t k = 0; k < list.size(); ++k) {
        settings_.setArrayIndex(static_cast<int>(k));
        write(settings_, list[k]);
    }
    settings_.endArray();
}

std::optional<RecentExport> RecentExports::of(const std::string& item) const {
    for (const RecentExport& made : all())
        if (made.item == item)
            return made;
    return std::nullopt;
}

std::optional<RecentExport> RecentExports::latest() const {
    const std::vector<RecentExport> list = all();
    return list.empty() ? std::nullopt : std::optional(list.front());
}

} // namespace marquetry::app
