#include "widgets/egraph/labels.h"

#include <algorithm>

namespace marquetry::widgets {

namespace {

constexpr qsizetype kMaxLabel = 30;

} // namespace

QFontMetricsF letterMetrics(double pixels, bool bold) {
    QFont font = textFont(10);
    font.setPixelSize(static_cast<int>(pixels));
    font.setBold(bold);
    return QFontMetricsF(font);
}

QString enodeLabel(const egraph::FrozenEGraph& view, egraph::ENodeId node) {
    const QString text = QString::fromStdString(termName(view, node));
    if (text.size() <= kMaxLabel)
        return text;
    const qsizetype half = kMaxLabel / 2 - 1;
    return text.left(half) + QChar(u'…') + text.right(half);
}

QString eclassLabel(const SnapshotIndex& index, egraph::EClassId eclass,
                    std::span<const egraph::ENodeId> shown) {
    QString name = QString::fromStdString(index.unitName(eclass));
    if (name.isEmpty()) {
        const auto taken =
            std::ranges::find_if(shown, [&](egraph::ENodeId node) { return index.chosen(node); });
        name = enodeLabel(*index.egraph(), taken != shown.end() ? *taken : shown.front());
    }
    return shown.size() == 1 ? name : QStringLiteral("%1 · %2").arg(name).arg(shown.size());
}

Role tintOf(const egraph::FrozenEGraph& view, egraph::EClassId eclass) {
    const std::string& sort = view.language().sortName(view.sort(eclass));
    return sort == "unit" ? Role::UnitTint : sort == "stored" ? Role::StoredTint : Role::ValueTint;
}

} // namespace marquetry::widgets
