#include "widgets/egraph/search.h"

#include "widgets/egraph/subject_key.h"
#include "widgets/text/number_text.h"

#include <QObject>

namespace marquetry::widgets {

namespace {

using egraph::EClassId;
using egraph::ENodeId;

class Finder {
public:
    Finder(const SnapshotIndex& index, const EGraphFilter& filter)
        : index_(index), view_(*index.egraph()), part_(index, filter) {}

    Hits run(const QString& wanted) {
        if (!findId(wanted))
            for (const EClassId eclass : part_.eclasses())
                findName(eclass, wanted);
        return std::move(hits_);
    }

private:
    bool findId(const QString& wanted) {
        bool isNumber = false;
        const std::uint32_t id = wanted.mid(1).toUInt(&isNumber);
        if (!isNumber || id >= view_.totalEnodes() || (wanted[0] != u'c' && wanted[0] != u'n'))
            return false;
        if (wanted[0] == u'c')
            addClass(view_.find(EClassId{id}));
        else
            addNode(ENodeId{id});
        hits_.eclasses = 1;
        return true;
    }

    void findName(EClassId eclass, const QString& wanted) {
        const auto has = [&](const std::string& name) {
            return QString::fromStdString(name).contains(wanted, Qt::CaseInsensitive);
        };
        const std::size_t before = hits_.keys.size();
        if (const std::string unit = index_.unitName(eclass); !unit.empty() && has(unit))
            addClass(eclass);
        for (const ENodeId node : part_.enodes(eclass))
            if (has(termName(view_, node)))
                addNode(node);
        hits_.eclasses += hits_.keys.size() > before ? 1 : 0;
    }

    QString classText(EClassId id) const {
        const QString number = QStringLiteral("c%1").arg(id.value());
        const std::string unit = index_.unitName(id);
        return unit.empty() ? number : number + QLatin1Char(' ') + QString::fromStdString(unit);
    }

    void addClass(EClassId id) {
        add(keyOf(id), [&] { return classText(id); });
    }

    void addNode(ENodeId node) {
        ++hits_.enodes;
        add(keyOf(node), [&] {
            return QStringLiteral("n%1 %2 · %3")
                .arg(node.value())
                .arg(QString::fromStdString(termName(view_, node)),
                     classText(view_.eclassOf(node)));
        });
    }

    template <class Text>
    void add(std::uint32_t key, Text text) {
        hits_.keys.push_back(key);
        if (hits_.listed.size() < Hits::kListed)
            hits_.listed.push_back({key, text()});
    }

    const SnapshotIndex& index_;
    const egraph::FrozenEGraph& view_;
    const ShownPart part_;
    Hits hits_;
};

} // namespace

Hits findIn(const SnapshotIndex& index, const EGraphFilter& filter, const QString& text) {
    const QString wanted = text.trimmed();
    if (index.egraph() == nullptr || wanted.isEmpty())
        return {};
    return Finder(index, filter).run(wanted);
}

QString countText(const Hits& hits) {
    const auto count = [](std::size_t n) { return grouped(static_cast<std::int64_t>(n)); };
    if (hits.keys.empty())
        return QObject::tr("nothing found");
    QString text = hits.enodes == 1 ? QObject::tr("1 e-node")
                                    : QObject::tr("%1 e-nodes").arg(count(hits.enodes));
    text += hits.eclasses == 1 ? QObject::tr(" in 1 e-class")
                               : QObject::tr(" in %1 e-classes").arg(count(hits.eclasses));
    if (hits.listed.size() < hits.keys.size())
        text += QObject::tr(" · the first %1 listed").arg(count(hits.listed.size()));
    return text;
}

} // namespace marquetry::widgets
