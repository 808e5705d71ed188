#include "widgets/streams/circuit_scene.h"

#include "widgets/graph_layout/layered_layout.h"
#include "widgets/text/number_text.h"

#include <QFontMetricsF>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace marquetry::widgets {

namespace {

using session::StreamOperator;

constexpr double kCircuitFont = 11; ///< pixels
constexpr double kOperatorHeight = 28;
constexpr double kInside = 12; ///< from a frame to what is in it
constexpr double kWidestLine = 6;
constexpr double kWideAspect = 8;

bool startsWithAny(const std::string& text, std::initializer_list<const char*> starts) {
    return std::ranges::any_of(starts, [&](const char* start) { return text.starts_with(start); });
}

Role tintOfOperator(const StreamOperator& op) {
    if (startsWithAny(op.text, {"fifo", "shift", "reshape"}))
        return Role::StoredTint;
    return startsWithAny(op.text, {"input", "const", "counter"}) ? Role::ValueTint : Role::UnitTint;
}

/// "%5 map_t 4 0 · 16 bits · delay 3".
QString operatorText(const StreamOperator& op) {
    QString text = QString::fromStdString(op.name + " " + op.text);
    if (op.isOutput)
        text += QObject::tr(" → output");
    text += QObject::tr(" · %1 bits").arg(grouped(bitsPerClock(op.type)));
    return op.delay == 0 ? text : text + QObject::tr(" · delay %1").arg(grouped(op.delay));
}

double lineWidthOf(const StreamOperator& op) {
    const auto bits = static_cast<double>(std::max<std::int64_t>(1, bitsPerClock(op.type)));
    return std::min(kWidestLine, 0.8 + std::log2(bits) / 2);
}

class CircuitDrawer {
public:
    explicit CircuitDrawer(const std::vector<StreamOperator>& operators) : operators_(operators) {}

    std::shared_ptr<const Scene> run() {
        auto scene = std::make_shared<Scene>();
        scene->fontSize = kCircuitFont;
        scene_ = scene.get();
        rects_.resize(operators_.size());
        place(0, operators_.size(), QPointF());
        for (std::size_t k = 0; k < operators_.size(); ++k)
            for (const std::size_t operand : operators_[k].operands)
                addEdge(operand, k);
        return scene;
    }

private:
    /// Behind the operators of its function.
    std::size_t endOf(std::size_t op) const {
        std::size_t end = op + 1;
        while (end < operators_.size() && operators_[end].depth > operators_[op].depth)
            ++end;
        return end;
    }

    QSizeF sizeOf(std::size_t op) {
        const QFontMetricsF metrics(fontOf());
        const QSizeF own(metrics.horizontalAdvance(operatorText(operators_[op])) + 24,
                         kOperatorHeight);
        if (endOf(op) == op + 1)
            return own;
        const QSizeF inside = layout(op + 1, endOf(op)).bounds.size();
        return {std::max(own.width(), inside.width() + 2 * kInside),
                kCaptionHeight + inside.height() + 2 * kInside};
    }

    static QFont fontOf() {
        QFont font = textFont(10);
        font.setPixelSize(static_cast<int>(kCircuitFont));
        return font;
    }

    std::vector<std::size_t> graphOf(std::size_t begin, std::size_t end) const {
        std::vector<std::size_t> nodes;
        for (std::size_t op = begin; op < end; op = endOf(op))
            nodes.push_back(op);
        return nodes;
    }

    /// Of the graph of the operators begin … end, without those inside of them.
    const LayeredResult& layout(std::size_t begin, std::size_t end) {
        const auto known = layouts_.find(begin);
        if (known != layouts_.end())
            return known->second;
        LayeredGraph graph;
        std::map<std::size_t, std::uint32_t> index;
        for (const std::size_t op : graphOf(begin, end)) {
            index.emplace(op, static_cast<std::uint32_t>(graph.sizes.size()));
            graph.sizes.push_back(sizeOf(op));
        }
        for (const auto& [op, at] : index)
            for (const std::size_t operand : operators_[op].operands)
                if (const auto from = index.find(operand); from != index.end())
                    graph.edges.emplace_back(from->second, at);
        LayeredParams params;
        params.columnGap = 22;
        params.rowGap = 40;
        params.aspect = kWideAspect; // inputs side by side, so that lines do not pass behind them
        return layouts_.emplace(begin, layeredLayout(graph, params)).first->second;
    }

    void place(std::size_t begin, std::size_t end, QPointF corner) {
        const LayeredResult& here = layout(begin, end);
        const std::vector<std::size_t> nodes = graphOf(begin, end);
        for (std::size_t k = 0; k < nodes.size(); ++k) {
            QRectF rect(QPointF(), sizeOf(nodes[k]));
            rect.moveCenter(here.centres[k] - here.bounds.topLeft() + corner);
            rects_[nodes[k]] = rect;
            addBox(nodes[k], rect);
            const std::size_t inner = nodes[k] + 1;
            if (const std::size_t last = endOf(nodes[k]); last > inner) {
                const double spare = rect.width() - layout(inner, last).bounds.width();
                place(inner, last, rect.topLeft() + QPointF(spare / 2, kCaptionHeight + kInside));
            }
        }
    }

    void addBox(std::size_t op, const QRectF& rect) {
        const StreamOperator& is = operators_[op];
        SceneBox box;
        box.rect = rect;
        box.line = is.isOutput ? Role::ChosenLine : Role::Line;
        box.lineWidth = is.isOutput ? 2 : 1;
        box.key = static_cast<std::uint32_t>(op);
        if (endOf(op) > op + 1) {
            box.fill = Role::Raised;
            box.title = operatorText(is);
            scene_->frames.push_back(std::move(box));
            return;
        }
        box.fill = tintOfOperator(is);
        box.text = operatorText(is);
        scene_->boxes.push_back(std::move(box));
    }

    /// From the bottom of what gives to the top of what takes.
    void addEdge(std::size_t from, std::size_t to) {
        const QRectF& above = rects_[from];
        const QRectF& below = rects_[to];
        const QPointF start(above.center().x(), above.bottom());
        const QPointF end(below.center().x(), below.top());
        const QPointF bend(0, std::max(12.0, (end.y() - start.y()) / 2));
        SceneEdge edge;
        edge.points = QPolygonF({start, start + bend, end - bend, end});
        edge.width = lineWidthOf(operators_[from]);
        scene_->edges.push_back(std::move(edge));
    }

    const std::vector<StreamOperator>& operators_;
    Scene* scene_ = nullptr;
    std::vector<QRectF> rects_;                    ///< by operator
    std::map<std::size_t, LayeredResult> layouts_; ///< by the first operator of the graph
};

} // namespace

std::shared_ptr<const Scene> circuitScene(const std::vector<StreamOperator>* operators,
                                          const QString& message) {
    if (operators != nullptr && !operators->empty())
        return CircuitDrawer(*operators).run();
    auto empty = std::make_shared<Scene>();
    empty->message = message;
    return empty;
}

} // namespace marquetry::widgets
