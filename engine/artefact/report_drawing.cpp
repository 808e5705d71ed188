#include "engine/artefact/report_drawing.h"

#include "engine/rtl/netlist.h"
#include "engine/support/assert.h"

#include <algorithm>
#include <array>

namespace marquetry::hdl {

namespace {

constexpr int kClock = 72; ///< pixels
constexpr int kWaveRow = 30;
constexpr int kWaveHigh = 18;
constexpr int kLetter = 8;

constexpr const char* kInk = "#1d2430";
constexpr const char* kFaint = "#b9c2cf";
/// Told apart also by those who see few colours; beyond, they repeat and the numbers tell.
constexpr std::array<const char*, 8> kFills = {"#cfe3f7", "#fbd9b5", "#cdeccb", "#f3c6c6",
                                               "#e0d4f2", "#e8dcc0", "#c6ecec", "#f6cfe6"};

std::string svgOf(int width, int height, const std::string& content) {
    return cat("<svg width=\"", width, "\" height=\"", height, "\" viewBox=\"0 0 ", width, " ",
               height, "\" font-family=\"monospace\" font-size=\"12\" role=\"img\">\n", content,
               "</svg>");
}

std::string svgText(int x, int y, const std::string& text, const char* anchor = "start") {
    return cat("<text x=\"", x, "\" y=\"", y, "\" text-anchor=\"", anchor, "\" fill=\"", kInk,
               "\">", htmlText(text), "</text>\n");
}

std::string svgBox(int x, int y, int width, int height, const char* fill) {
    return cat("<rect x=\"", x, "\" y=\"", y, "\" width=\"", width, "\" height=\"", height,
               "\" fill=\"", fill, "\" stroke=\"", kInk, "\" stroke-width=\"1\"/>\n");
}

std::string svgLine(const std::string& points, const char* ink, const char* fill = "none") {
    return cat("<polyline points=\"", points, "\" fill=\"", fill, "\" stroke=\"", ink,
               "\" stroke-width=\"1.4\"/>\n");
}

/// Characters, not bytes.
std::size_t lengthOf(const std::string& text) {
    return static_cast<std::size_t>(std::ranges::count_if(
        text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string padded(std::string text, std::size_t length) {
    const std::size_t has = lengthOf(text);
    return text.append(has < length ? length - has : 0, ' ');
}

std::string repeated(const std::string& text, std::size_t times) {
    std::string out;
    for (std::size_t k = 0; k < times; ++k)
        out += text;
    return out;
}

/// A signal as runs of equal clocks.
struct Run {
    char kind = 'x';
    std::string value;
    int first = 0;
    int clocks = 1;
    std::vector<int> breaks{}; ///< clocks that stand for many
};

std::vector<Run> runsOf(const WaveSignal& signal) {
    std::vector<Run> runs;
    std::size_t next = 0;
    for (std::size_t k = 0; k < signal.clocks.size(); ++k) {
        const char c = signal.clocks[k];
        const int at = static_cast<int>(k);
        if (c == '.' || c == '|') {
            ENGINE_ASSERT(!runs.empty(), "a waveform begins with a value");
            ++runs.back().clocks;
            if (c == '|')
                runs.back().breaks.push_back(at);
            continue;
        }
        std::string value;
        if (c == '=' && next < signal.values.size())
            value = signal.values[next++];
        runs.push_back({c, value, at, 1});
    }
    return runs;
}

class WaveDrawer {
public:
    explicit WaveDrawer(const std::vector<WaveSignal>& signals) {
        std::size_t name = 0;
        for (const WaveSignal& signal : signals) {
            name = std::max(name, lengthOf(signal.name));
            clocks_ = std::max(clocks_, static_cast<int>(signal.clocks.size()));
        }
        left_ = static_cast<int>(name + 2) * kLetter;
        name_ = name;
        for (std::size_t k = 0; k < signals.size(); ++k)
            add(signals[k], static_cast<int>(k) * kWaveRow + 6);
        height_ = static_cast<int>(signals.size()) * kWaveRow + 6;
    }

    std::string svg() const {
        std::string edges;
        for (int k = 0; k <= clocks_; ++k)
            edges += cat("<line x1=\"", x(k), "\" y1=\"0\" x2=\"", x(k), "\" y2=\"", height_,
                         "\" stroke=\"", kFaint, "\" stroke-width=\"0.7\"/>\n");
        return svgOf(x(clocks_) + 12, height_, edges + svg_);
    }
    const std::string& text() const { return text_; }

private:
    static constexpr std::size_t kCell = 6; ///< characters of a clock
    static constexpr int kSlope = 4;

    int x(int clock) const { return left_ + clock * kClock; }

    void add(const WaveSignal& signal, int y) {
        svg_ += svgText(0, y + kWaveHigh - 4, signal.name);
        text_ += padded(signal.name, name_ + 2);
        char before = 0;
        for (const Run& run : runsOf(signal)) {
            draw(run, before, y);
            write(run);
            before = run.kind;
        }
        text_ += "\n";
    }

    void draw(const Run& run, char before, int y) {
        const int low = y + kWaveHigh;
        const int from = x(run.first);
        const int to = x(run.first + run.clocks);
        if (run.kind == 'p')
            drawClock(run, y);
        else if (run.kind == '0' || run.kind == '1') {
            const int level = run.kind == '1' ? y : low;
            const bool edge = before == '0' || before == '1';
            const int start = before == '1' ? y : low;
            svg_ += svgLine(
                edge ? cat(from, ",", start, " ", from + kSlope, ",", level, " ", to, ",", level)
                     : cat(from, ",", level, " ", to, ",", level),
                kInk);
        } else
            drawValue(run, y);
        for (const int at : run.breaks)
            svg_ += cat("<rect x=\"", x(at) + kClock / 2 - 8, "\" y=\"", y - 3, "\" width=\"16\" ",
                        "height=\"", kWaveHigh + 6, "\" fill=\"#ffffff\"/>\n") +
                    svgText(x(at) + kClock / 2, low - 4, "\xe2\x80\xa6", "middle");
    }

    void drawClock(const Run& run, int y) {
        std::string points;
        for (int k = 0; k < run.clocks; ++k) {
            const int at = x(run.first + k);
            points += cat(at, ",", y + kWaveHigh, " ", at, ",", y, " ", at + kClock / 2, ",", y,
                          " ", at + kClock / 2, ",", y + kWaveHigh, " ");
        }
        svg_ += svgLine(points + cat(x(run.first + run.clocks), ",", y + kWaveHigh), kInk);
    }

    void drawValue(const Run& run, int y) {
        const int from = x(run.first);
        const int to = x(run.first + run.clocks);
        const int middle = y + kWaveHigh / 2;
        const bool known = run.kind == '=';
        svg_ += svgLine(cat(from, ",", middle, " ", from + kSlope, ",", y, " ", to - kSlope, ",", y,
                            " ", to, ",", middle, " ", to - kSlope, ",", y + kWaveHigh, " ",
                            from + kSlope, ",", y + kWaveHigh, " ", from, ",", middle),
                        known ? kInk : kFaint, known ? kFills[0] : "#f4f6f9");
        const int shown = run.breaks.empty() ? to : x(run.breaks.front());
        if (known)
            svg_ += svgText((from + shown) / 2, y + kWaveHigh - 4, run.value, "middle");
    }

    void write(const Run& run) {
        const std::size_t length = kCell * static_cast<std::size_t>(run.clocks);
        if (run.kind == 'p')
            text_ += repeated("\xe2\x80\xbe\xe2\x80\xbe\xe2\x80\xbe___",
                              static_cast<std::size_t>(run.clocks));
        else if (run.kind == '1')
            text_ += repeated("\xe2\x80\xbe", length);
        else if (run.kind == '0')
            text_ += repeated("_", length);
        else if (run.kind == '=')
            text_ += "<" + padded(run.value, length - 2) + ">";
        else
            text_ += repeated("-", length);
    }

    std::size_t name_ = 0;
    int clocks_ = 0;
    int left_ = 0;
    int height_ = 0;
    std::string svg_;
    std::string text_;
};

} // namespace

ReportDrawing waveform(const std::string& title, const std::string& caption,
                       const std::vector<WaveSignal>& signals) {
    const WaveDrawer drawer(signals);
    return {title, caption, drawer.svg(), drawer.text()};
}

namespace {

/// Steps along a line of time, in pixels and in characters.
class StepDrawer {
public:
    StepDrawer(const std::vector<std::string>& rows, std::int64_t cycles)
        : cycles_(cycles), lines_(rows.size(), std::string(kColumns, '.')) {
        for (const std::string& row : rows)
            name_ = std::max(name_, lengthOf(row));
        left_ = static_cast<int>(name_ + 2) * kLetter;
        for (std::size_t r = 0; r < rows.size(); ++r)
            svg_ += svgText(0, static_cast<int>(r) * kRow + 18, rows[r]);
    }

    void add(const DrawnStep& step) {
        const int x = scaled(step.begin, kWidth);
        const int width = std::max(1, scaled(step.end, kWidth) - x);
        const int y = static_cast<int>(step.row) * kRow + 4;
        svg_ += "<g><title>" +
                htmlText(cat(step.label, ": clocks ", step.begin, " to ", step.end)) + "</title>" +
                svgBox(left_ + x, y, width, kRow - 6, kFills[step.row % kFills.size()]);
        if (static_cast<int>(lengthOf(step.label)) * kLetter < width)
            svg_ += svgText(left_ + x + width / 2, y + 14, step.label, "middle");
        svg_ += "</g>\n";
        const int from = std::min(scaled(step.begin, kColumns), kColumns - 1);
        const int to = std::clamp(scaled(step.end, kColumns), from + 1, kColumns);
        for (int k = from; k < to; ++k)
            lines_[step.row][static_cast<std::size_t>(k)] = '#';
    }

    std::string svg() const {
        const int height = static_cast<int>(lines_.size()) * kRow + 22;
        return svgOf(left_ + kWidth + 4, height,
                     svg_ + svgText(left_, height - 4, "0") +
                         svgText(left_ + kWidth, height - 4, cat(cycles_, " clocks"), "end"));
    }
    std::string text(const std::vector<std::string>& rows) const {
        std::string text;
        for (std::size_t r = 0; r < rows.size(); ++r)
            text += padded(rows[r], name_ + 2) + lines_[r] + "\n";
        return text;
    }

private:
    static constexpr int kWidth = 640; ///< pixels
    static constexpr int kRow = 26;
    static constexpr int kColumns = 64; ///< characters

    int scaled(std::int64_t clock, int width) const {
        return static_cast<int>(static_cast<double>(clock) / static_cast<double>(cycles_) * width);
    }

    std::int64_t cycles_;
    std::size_t name_ = 0;
    int left_ = 0;
    std::string svg_;
    std::vector<std::string> lines_;
};

} // namespace

ReportDrawing stepsOverTime(const std::vector<std::string>& rows,
                            const std::vector<DrawnStep>& steps, std::int64_t cycles) {
    ENGINE_ASSERT(cycles >= 1, "time passes");
    StepDrawer drawer(rows, cycles);
    for (const DrawnStep& step : steps)
        drawer.add(step);
    return {"Steps over time",
            cat("From start to done, ", cycles, " clocks; a row is a unit or the streams."),
            drawer.svg(), drawer.text(rows)};
}

ReportDrawing banksOf(const std::vector<std::vector<std::int64_t>>& banks,
                      const std::string& caption) {
    constexpr int kCellSize = 30;
    std::string svg;
    std::string text;
    int width = 1;
    for (std::size_t r = 0; r < banks.size(); ++r) {
        for (std::size_t c = 0; c < banks[r].size(); ++c) {
            const int x = static_cast<int>(c) * kCellSize + 1;
            const int y = static_cast<int>(r) * kCellSize + 1;
            const auto fill = static_cast<std::size_t>(banks[r][c]) % kFills.size();
            svg += svgBox(x, y, kCellSize, kCellSize, kFills[fill]) +
                   svgText(x + kCellSize / 2, y + 19, std::to_string(banks[r][c]), "middle");
            text += padded(std::to_string(banks[r][c]), 5);
        }
        width = std::max(width, static_cast<int>(banks[r].size()) * kCellSize);
        text.erase(text.find_last_not_of(' ') + 1);
        text += "\n";
    }
    const int height = static_cast<int>(banks.size()) * kCellSize;
    return {"Banks", caption, svgOf(width + 2, height + 2, svg), text};
}

} // namespace marquetry::hdl
