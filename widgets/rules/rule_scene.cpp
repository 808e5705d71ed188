#include "widgets/rules/rule_scene.h"

#include "widgets/canvas/scene_painter.h"
#include "widgets/rules/rule_terms.h"

#include <QFontMetricsF>
#include <QObject>

#include <algorithm>
#include <cmath>

namespace marquetry::widgets {

namespace {

constexpr double kFontPixels = 11;
constexpr double kBoxHeight = 24;
constexpr double kBoxPadding = 16; ///< of both sides
constexpr double kBetween = 10;    ///< two arguments
constexpr double kBelow = 22;      ///< an operator
constexpr double kArrow = 36;
constexpr double kInside = 10; ///< from the frame of a side to what is in it

double boxWidth(const QString& label) {
    QFont font = textFont(10);
    font.setPixelSize(static_cast<int>(kFontPixels));
    font.setBold(true);
    return std::ceil(QFontMetricsF(font).horizontalAdvance(label)) + kBoxPadding;
}

double argumentsWidth(const RuleTerm& term);

double widthOf(const RuleTerm& term) {
    return std::max(boxWidth(term.label()), argumentsWidth(term));
}

double argumentsWidth(const RuleTerm& term) {
    double width = 0;
    for (const RuleTerm& argument : term.arguments)
        width += widthOf(argument) + kBetween;
    return std::max(0.0, width - kBetween);
}

double heightOf(const RuleTerm& term) {
    double below = 0;
    for (const RuleTerm& argument : term.arguments)
        below = std::max(below, kBelow + heightOf(argument));
    return kBoxHeight + below;
}

void addEdge(Scene& scene, QPointF from, QPointF to, bool arrow) {
    SceneEdge edge;
    edge.points = QPolygonF({from, to});
    edge.line = arrow ? Role::Ink : Role::Line;
    edge.width = arrow ? 2 : 1.2;
    edge.arrow = arrow;
    scene.edges.push_back(edge);
}

/// In the middle of its width; where its upper edge is met.
QPointF addTerm(Scene& scene, const RuleTerm& term, QPointF corner, Role fill) {
    const double middle = corner.x() + widthOf(term) / 2;
    SceneBox box;
    const double width = boxWidth(term.label());
    box.rect = QRectF(middle - width / 2, corner.y(), width, kBoxHeight);
    box.text = term.label();
    box.bold = !term.isVariable();
    box.radius = term.isVariable() ? kBoxHeight / 2 : 4;
    box.fill = term.isVariable() ? Role::Paper : fill;
    scene.boxes.push_back(box);
    double left = middle - argumentsWidth(term) / 2;
    for (const RuleTerm& argument : term.arguments) {
        const QPointF top =
            addTerm(scene, argument, {left, corner.y() + kBoxHeight + kBelow}, fill);
        addEdge(scene, {middle, corner.y() + kBoxHeight}, top, false);
        left += widthOf(argument) + kBetween;
    }
    return {middle, corner.y()};
}

struct Side {
    const RuleTerm& term;
    QString title;
    Role fill;

    QSizeF size() const {
        return {std::max(widthOf(term), boxWidth(title)) + 2 * kInside,
                heightOf(term) + kCaptionHeight + 2 * kInside};
    }
};

void addSide(Scene& scene, const Side& side, const QRectF& place) {
    SceneBox frame;
    frame.rect = place;
    frame.fill = Role::Raised;
    frame.caption = side.title;
    scene.frames.push_back(frame);
    addTerm(scene, side.term,
            {place.center().x() - widthOf(side.term) / 2, place.top() + kCaptionHeight + kInside},
            side.fill);
}

/// Both as boxes with their text.
RuleSides asTexts(const QString& equation) {
    const qsizetype middle = equation.indexOf(QStringLiteral(" = "));
    if (middle < 0)
        return {{equation, {}, {}}, {QStringLiteral("?"), {}, {}}};
    return {{equation.left(middle), {}, {}}, {equation.mid(middle + 3), {}, {}}};
}

} // namespace

Scene ruleScene(const QString& equation, double width) {
    const RuleSides sides = readEquation(equation).value_or(asTexts(equation));
    const Side before{sides.before, QObject::tr("matches"), Role::ValueTint};
    const Side after{sides.after, QObject::tr("adds as equal"), Role::UnitTint};
    const QSizeF one = before.size();
    const QSizeF other = after.size();
    Scene scene;
    scene.fontSize = kFontPixels;
    if (one.width() + kArrow + other.width() <= width) {
        const double height = std::max(one.height(), other.height());
        addSide(scene, before, {0, 0, one.width(), height});
        addSide(scene, after, {one.width() + kArrow, 0, other.width(), height});
        addEdge(scene, {one.width() + 4, height / 2}, {one.width() + kArrow - 4, height / 2}, true);
    } else {
        const double wide = std::max(one.width(), other.width());
        addSide(scene, before, {0, 0, wide, one.height()});
        addSide(scene, after, {0, one.height() + kArrow, wide, other.height()});
        addEdge(scene, {wide / 2, one.height() + 4}, {wide / 2, one.height() + kArrow - 4}, true);
    }
    return scene;
}

Picture rulePicture(const QString& equation, double width, const Theme& theme) {
    constexpr double kMargin = 2; // lines of frames are as wide outside
    const Scene scene = ruleScene(equation, width - 2 * kMargin);
    const QRectF bounds = scene.bounds().adjusted(-kMargin, -kMargin, kMargin, kMargin);
    Viewport viewport;
    viewport.scale = std::min(1.0, width / bounds.width());
    viewport.size = bounds.size() * viewport.scale;
    viewport.centre = bounds.center();
    return {viewport.size, equation, [scene, viewport, &theme](QPainter& painter) {
                paint(painter, scene, viewport, theme, {3000, false, true});
            }};
}

} // namespace marquetry::widgets
