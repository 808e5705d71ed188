#include "engine/frontend/stream_windows.h"

#include "engine/frontend/stream_elaborator.h"
#include "engine/frontend/suggest.h"
#include "engine/ir/op.h"

namespace marquetry::frontend {

using ir::StreamNodeId;
using ir::StreamOp;
using ir::StreamType;

namespace {

using Written = StreamWriter::Meaning;

/// One of the two directions of a picture.
struct Direction {
    Written place;           ///< of each pixel, counted from 0
    std::int64_t unit = 1;   ///< by which the place grows from line to line, or pixel to pixel
    std::int64_t length = 1; ///< of the picture, in units
};

ir::Scalar countedIn(std::int64_t length) {
    return length - 1 <= ir::info(ir::Scalar::U16).max ? ir::Scalar::U16 : ir::Scalar::U32;
}

class Windows {
public:
    Windows(StreamWriter& writer, const StreamType& pixel, const WindowShape& params)
        : writer_(writer), pixel_(pixel), params_(params) {}

    /// The pixels of the windows along a direction, first to last.
    std::vector<Written> along(const Direction& direction, Written pixels,
                               std::int64_t size) const {
        const std::int64_t before = size / 2;
        std::vector<Written> all(static_cast<std::size_t>(size));
        for (std::int64_t k = 0; k <= before; ++k) {
            const auto at = [&](std::int64_t offset) -> Written& {
                return all[static_cast<std::size_t>(before + offset)];
            };
            if (k == 0) {
                at(0) = pixels;
                continue;
            }
            at(-k) = earlier(direction, pixels, k, at(1 - k));
            if (before + k < size)
                at(k) = later(direction, pixels, k, at(k - 1));
        }
        return all;
    }

private:
    /// `offset` units after each pixel, as far as the sequence goes.
    Written moved(const Direction& direction, Written pixels, std::int64_t offset) const {
        return offset == 0 ? pixels
                           : writer_.put(StreamOp::Shift, {pixels}, {-offset * direction.unit, 0});
    }

    /// The pixel `far` units before; `nearer` is the one a unit nearer.
    Written earlier(const Direction& direction, Written pixels, std::int64_t far,
                    Written nearer) const {
        const Written inside = moved(direction, pixels, -far);
        switch (params_.border.kind) {
        case WindowBorder::Kind::Word:
            return wordBefore(direction, far, inside);
        case WindowBorder::Kind::Clamp:
            return chosen(direction, far, nearer, inside);
        default:
            break;
        }
        Written all = inside;
        for (std::int64_t k = far; k-- > 0;)
            all = chosen(direction, k + 1, moved(direction, pixels, far - 2 * k), all);
        return all;
    }

    Written later(const Direction& direction, Written pixels, std::int64_t far,
                  Written nearer) const {
        const Written inside = moved(direction, pixels, far);
        const std::int64_t last = direction.length - 1;
        switch (params_.border.kind) {
        case WindowBorder::Kind::Word:
            return wordBehind(direction, last + 1 - far, inside);
        case WindowBorder::Kind::Clamp:
            return chosen(direction, last + 1 - far, inside, nearer);
        default:
            break;
        }
        Written all = inside;
        for (std::int64_t k = last + 1 - far; k <= last; ++k)
            all = chosen(direction, k, all, moved(direction, pixels, 2 * (last - k) - far));
        return all;
    }

    Written isBefore(StreamWriter& writer, const Direction& direction, Written place,
                     std::int64_t limit) const {
        const StreamType type = writer.typeOf(*place);
        return writer.put(StreamOp::Lt, {place, writer.number(limit * direction.unit, type)});
    }

    /// One value in the places before `limit` units, another from there on.
    Written chosen(const Direction& direction, std::int64_t limit, Written before,
                   Written behind) const {
        const Written both =
            writer_.map({before, behind}, [](StreamWriter& inner, const auto& pixels) {
                return inner.put(StreamOp::Tuple, {pixels[0], pixels[1]});
            });
        return writer_.map({direction.place, both}, [&](StreamWriter& inner, const auto& each) {
            return inner.put(StreamOp::If, {isBefore(inner, direction, each[0], limit),
                                            inner.put(StreamOp::Fst, {each[1]}),
                                            inner.put(StreamOp::Snd, {each[1]})});
        });
    }

    Written wordBefore(const Direction& direction, std::int64_t limit, Written inside) const {
        return writer_.map({direction.place, inside}, [&](StreamWriter& inner, const auto& each) {
            return inner.put(StreamOp::If, {isBefore(inner, direction, each[0], limit),
                                            inner.constant(params_.border.words, pixel_), each[1]});
        });
    }

    Written wordBehind(const Direction& direction, std::int64_t limit, Written inside) const {
        return writer_.map({direction.place, inside}, [&](StreamWriter& inner, const auto& each) {
            return inner.put(StreamOp::If, {isBefore(inner, direction, each[0], limit), each[1],
                                            inner.constant(params_.border.words, pixel_)});
        });
    }

    StreamWriter& writer_;
    const StreamType& pixel_;
    const WindowShape& params_;
};

/// Every element of a sequence gets one more pixel of its window.
Written withPixel(StreamWriter& writer, Written windows, Written pixels, std::int64_t count) {
    if (count == 0)
        return pixels;
    const StreamOp op = count == 1 ? StreamOp::STuple : StreamOp::Append;
    return writer.map({windows, pixels}, [op](StreamWriter& inner, const auto& each) {
        return inner.put(op, {each[0], each[1]});
    });
}

/// Of the window's pixels beside each other.
Written inRows(StreamWriter& writer, Written windows, const WindowShape& params,
               const StreamType& picture) {
    const std::int64_t columns = picture.element().length;
    const std::int64_t pixels = picture.length * columns;
    Written each = writer.put(StreamOp::Partition, {windows}, {pixels, 1});
    if (params.rows * params.columns > 1)
        each = writer.map({each}, [](StreamWriter& inner, const auto& window) {
            return inner.put(StreamOp::TupleToSeq, {window[0]});
        });
    each = writer.map({each}, [&](StreamWriter& inner, const auto& window) {
        return inner.put(StreamOp::Partition, {window[0]}, {params.rows, params.columns});
    });
    return writer.put(StreamOp::Partition, {each}, {picture.length, columns});
}

} // namespace

Written writeWindow(StreamWriter& writer, StreamNodeId picture, const WindowShape& params) {
    const StreamType type = writer.typeOf(picture);
    const StreamType pixel = type.element().element();
    const std::int64_t width = type.element().length;
    const std::int64_t count = type.length * width;
    const Windows windows(writer, pixel, params);
    const Written pixels = writer.put(StreamOp::Unpartition, {picture});
    Direction down{std::nullopt, width, type.length};
    Direction across{std::nullopt, 1, width};
    if (params.rows > 1)
        down.place = writer.counter(count, countedIn(count));
    if (params.columns > 1)
        across.place =
            writer.put(StreamOp::Unpartition, {writePixelX(writer, picture, countedIn(width))});
    Written all;
    std::int64_t taken = 0;
    for (const Written line : windows.along(down, pixels, params.rows)) {
        for (const Written each : windows.along(across, line, params.columns))
            all = withPixel(writer, all, each, taken++);
    }
    return inRows(writer, all, params, type);
}

Written writePixelX(StreamWriter& writer, StreamNodeId picture, ir::Scalar scalar) {
    const std::int64_t width = writer.typeOf(picture).element().length;
    return writer.map({picture}, [&](StreamWriter& inner, const auto& line) {
        return inner.map({line[0], inner.counter(width, scalar)},
                         [](StreamWriter&, const auto& each) { return each[1]; });
    });
}

Written writePixelY(StreamWriter& writer, StreamNodeId picture, ir::Scalar scalar) {
    const StreamType type = writer.typeOf(picture);
    const Written numbers =
        writer.put(StreamOp::Partition, {writer.counter(type.length, scalar)}, {type.length, 1});
    return writer.map({picture, numbers}, [&](StreamWriter& inner, const auto& line) {
        const Written same = inner.put(StreamOp::Up, {line[1]}, {type.element().length, 0});
        return inner.map({line[0], same}, [](StreamWriter&, const auto& each) { return each[1]; });
    });
}

std::optional<WindowBorder> StreamElaborator::borderOf(const StreamExprSyntax& call,
                                                       const StreamType& pixel,
                                                       const Scope& scope) {
    const auto words = static_cast<std::size_t>(ir::words(pixel));
    if (call.named.empty())
        return WindowBorder{WindowBorder::Kind::Word, std::vector(words, ir::kUndefined)};
    const StreamExprSyntax& value = stream_.expressions[call.named[0].value];
    if (value.kind == StreamExprSyntax::Kind::Name && !isNumber(value, scope)) {
        if (value.name.text == "undefined")
            return WindowBorder{WindowBorder::Kind::Word, std::vector(words, ir::kUndefined)};
        if (value.name.text == "zero")
            return WindowBorder{WindowBorder::Kind::Word, std::vector(words, std::int64_t{0})};
        if (value.name.text == "clamp")
            return WindowBorder{WindowBorder::Kind::Clamp};
        if (value.name.text == "mirror")
            return WindowBorder{WindowBorder::Kind::Mirror};
        return error("bad-parameter", "there is no border '" + value.name.text + "'",
                     didYouMean(value.name.text, {"undefined", "zero", "clamp", "mirror"}),
                     value.range);
    }
    if (!isNumber(value, scope))
        return error("bad-parameter", "a border is undefined, zero, clamp, mirror or a number", "",
                     value.range);
    const Written number = numberOf(value, pixel, scope);
    return number ? std::optional(
                        WindowBorder{WindowBorder::Kind::Word, scope.graph.node(*number).literal})
                  : std::nullopt;
}

bool StreamElaborator::namesFit(bool isWindow, const StreamExprSyntax& call) {
    bool given = false;
    for (const NamedArgumentSyntax& argument : call.named) {
        const WordSyntax& name = argument.name;
        if (!isWindow || name.text != "border") {
            error("unknown-parameter",
                  "'" + call.name.text + "' has no parameter '" + name.text + "'",
                  isWindow ? didYouMean(name.text, {"border"}) : "its arguments have no names",
                  name.range);
            return false;
        }
        if (given) {
            error("duplicate-name", "'border' is given twice", "", name.range);
            return false;
        }
        given = true;
    }
    return true;
}

StreamElaborator::Meaning StreamElaborator::window(const ir::StreamNode& node,
                                                   const StreamExprSyntax& call,
                                                   const Scope& scope) {
    const auto type = typeOf(node, nullptr, scope, call.range);
    if (!type)
        return std::nullopt;
    const StreamNodeId picture = node.operands[0];
    const auto border = borderOf(call, scope.graph.node(picture).type.element().element(), scope);
    if (!border)
        return std::nullopt;
    StreamWriter writer(*this, scope.graph, call.range);
    return writeWindow(writer, picture, {node.params[0], node.params[1], *border});
}

} // namespace marquetry::frontend
