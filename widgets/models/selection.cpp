#include "widgets/models/selection.h"

#include <QStringList>

#include <utility>

namespace marquetry::widgets {

namespace {

template <class Id>
QString numbered(const char* kind, Id id) {
    return QLatin1String(kind) + QLatin1Char(':') + QString::number(id.value());
}

struct LinkWriter {
    QString operator()(std::monostate) const { return {}; }
    QString operator()(const LayerName& layer) const {
        return QStringLiteral("layer:") + QString::fromStdString(layer.name);
    }
    QString operator()(design::UnitId id) const { return numbered("unit", id); }
    QString operator()(design::CallId id) const { return numbered("call", id); }
    QString operator()(egraph::EClassId id) const { return numbered("class", id); }
    QString operator()(egraph::ENodeId id) const { return numbered("node", id); }
    QString operator()(design::BufferId id) const { return numbered("buffer", id); }
    QString operator()(const RuleName& rule) const {
        return QStringLiteral("rule:") + QString::fromStdString(rule.name);
    }
};

struct Describer {
    const session::Snapshot& snapshot;

    QString operator()(std::monostate) const { return QStringLiteral("nothing"); }
    QString operator()(const LayerName& layer) const {
        return QStringLiteral("layer ") + QString::fromStdString(layer.name);
    }
    QString operator()(design::UnitId id) const {
        if (!snapshot.design || id.index() >= snapshot.design->units.size())
            return QStringLiteral("unit %1").arg(id.value());
        return QStringLiteral("unit ") + QString::fromStdString(snapshot.design->unit(id).name);
    }
    QString operator()(design::CallId id) const {
        if (!snapshot.design || id.index() >= snapshot.design->calls.size())
            return QStringLiteral("call %1").arg(id.value());
        return QStringLiteral("call of ") + QString::fromStdString(snapshot.design->call(id).layer);
    }
    QString operator()(egraph::EClassId id) const {
        return QStringLiteral("e-class c%1").arg(id.value());
    }
    QString operator()(egraph::ENodeId id) const {
        const QString name = QStringLiteral("e-node n%1").arg(id.value());
        if (!snapshot.egraph || id.index() >= snapshot.egraph->totalEnodes())
            return name;
        return name + QLatin1Char(' ') + QString::fromStdString(termName(*snapshot.egraph, id));
    }
    QString operator()(design::BufferId id) const {
        if (!snapshot.design || id.index() >= snapshot.design->buffers.size())
            return QStringLiteral("buffer %1").arg(id.value());
        return QStringLiteral("buffer ") +
               QString::fromStdString(snapshot.design->buffers[id.index()].name);
    }
    QString operator()(const RuleName& rule) const {
        return QStringLiteral("rule ") + QString::fromStdString(rule.name);
    }
};

} // namespace

bool sameEGraph(const std::shared_ptr<const egraph::FrozenEGraph>& a,
                const std::shared_ptr<const egraph::FrozenEGraph>& b) {
    return a && b ? a->sameEGraph(*b) : a == b;
}

QString toLink(const Subject& subject) {
    return std::visit(LinkWriter{}, subject);
}

std::optional<Subject> parseLink(const QString& link) {
    const qsizetype colon = link.indexOf(QLatin1Char(':'));
    if (colon < 0)
        return std::nullopt;
    const QString kind = link.left(colon);
    const QString rest = link.mid(colon + 1);
    if (kind == QLatin1String("layer"))
        return rest.isEmpty() ? std::nullopt
                              : std::optional<Subject>(LayerName{rest.toStdString()});
    if (kind == QLatin1String("rule"))
        return rest.isEmpty() ? std::nullopt : std::optional<Subject>(RuleName{rest.toStdString()});
    bool number = false;
    const std::uint32_t id = rest.toUInt(&number);
    if (!number)
        return std::nullopt;
    if (kind == QLatin1String("unit"))
        return design::UnitId{id};
    if (kind == QLatin1String("call"))
        return design::CallId{id};
    if (kind == QLatin1String("class"))
        return egraph::EClassId{id};
    if (kind == QLatin1String("node"))
        return egraph::ENodeId{id};
    if (kind == QLatin1String("buffer"))
        return design::BufferId{id};
    return std::nullopt;
}

QString describe(const Subject& subject, const session::Snapshot& snapshot) {
    return std::visit(Describer{snapshot}, subject);
}

std::string termName(const egraph::FrozenEGraph& view, egraph::ENodeId node) {
    std::string text = view.opName(node);
    const egraph::ParamSpan params = view.params(node);
    if (params.empty())
        return text;
    char separator = '[';
    for (const egraph::Param param : params) {
        text += separator + std::string(separator == ',' ? " " : "") + std::to_string(param);
        separator = ',';
    }
    return text + "]";
}

QString originText(const session::Snapshot& snapshot, const egraph::Origin& origin) {
    if (origin.rule == egraph::kGiven)
        return QStringLiteral("as written");
    if (origin.rule == egraph::kCongruence)
        return QStringLiteral("congruence, iteration %1").arg(origin.iteration);
    const std::size_t rule = origin.rule.index();
    const QString name = rule < snapshot.ruleNames.size()
                             ? QString::fromStdString(snapshot.ruleNames[rule])
                             : QStringLiteral("rule %1").arg(rule);
    return QStringLiteral("%1, iteration %2").arg(name).arg(origin.iteration);
}

} // namespace marquetry::widgets
