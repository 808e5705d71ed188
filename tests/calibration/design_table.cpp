#include "tests/calibration/design_table.h"

#include "tests/support/text_files.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <sstream>

namespace marquetry::test {

namespace {

constexpr const char* kHead =
    "example,options,cycles,simulated,lut,lut made,ff,ff made,bram,bram made,dsp,dsp made,path ps";

/// What follows a word of the options, up to the next space.
std::string after(const std::string& options, const std::string& word) {
    const std::size_t at = options.find(word);
    if (at == std::string::npos)
        return "";
    const std::size_t begin = at + word.size();
    return options.substr(begin, options.find(' ', begin) - begin);
}

std::vector<std::string> wordsOf(const std::string& text, char between) {
    std::vector<std::string> words;
    std::istringstream in(text);
    for (std::string word; std::getline(in, word, between);)
        words.push_back(word);
    return words;
}

/// "19 685".
std::string grouped(double number) {
    std::string text = std::to_string(std::llround(number));
    for (std::ptrdiff_t at = std::ssize(text) - 3; at > 0; at -= 3)
        text.insert(static_cast<std::size_t>(at), " ");
    return text;
}

/// Of block RAMs, halves among them.
std::string halves(double number) {
    const double whole = std::floor(number);
    return grouped(whole) + (number > whole ? ".5" : "");
}

std::string hundredths(double number) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.2f", number);
    return text.data();
}

std::string pair(double predicted, double made) {
    return grouped(predicted) + " / " + grouped(made);
}

double ratio(const DesignRow& row, double device::Resources::*amount) {
    return row.design.predicted.area.*amount / row.design.made.area.*amount;
}

/// The example of a row; none where it is no longer listed.
const DesignExample* exampleOf(const DesignRow& row) {
    for (const DesignExample& example : designExamples())
        if (row.is(example))
            return &example;
    return nullptr;
}

std::string shownLine(const DesignRow& row, const DesignExample& example) {
    const DesignFigures& predicted = row.design.predicted;
    const DesignFigures& made = row.design.made;
    const std::string limit = example.limit();
    std::string line = "| `" + example.name() + "`" + (example.heldOut ? " ◦" : "") + " | " +
                       example.device() + (limit.empty() ? "" : ", " + limit) +
                       (example.options.ends_with("throughput") ? ", throughput" : "");
    for (const std::string& cell :
         {pair(predicted.cycles, made.cycles), pair(predicted.area.dsp, made.area.dsp),
          halves(predicted.area.bram) + " / " + halves(made.area.bram),
          pair(predicted.area.lut, made.area.lut), hundredths(ratio(row, &device::Resources::lut)),
          pair(predicted.area.ff, made.area.ff), hundredths(ratio(row, &device::Resources::ff)),
          hundredths(row.design.pathPs / 1000) + " ns"})
        line += " | " + cell;
    return line + " |\n";
}

std::string summaryOf(const std::vector<DesignRow>& rows, bool heldOut) {
    std::string text;
    for (const auto& [name, amount] :
         {std::pair("LUT", &device::Resources::lut), std::pair("FF", &device::Resources::ff)}) {
        const DesignRatios ratios = designRatios(rows, amount, heldOut);
        text += "| " + std::string(name) + (heldOut ? ", held out ◦" : ", others") + " | " +
                std::to_string(ratios.rows) + " | " + hundredths(ratios.median) + " | " +
                hundredths(ratios.least) + " … " + hundredths(ratios.greatest) + " | " +
                std::to_string(ratios.close) + " |\n";
    }
    return text;
}

} // namespace

std::string DesignExample::name() const {
    return std::filesystem::path(file).stem().string();
}

std::string DesignExample::device() const {
    return after(options, "--device ");
}

std::string DesignExample::limit() const {
    return after(options, "--limit dsp=");
}

DesignCommand commandOf(const DesignExample& example, const std::string& program,
                        const std::string& sources) {
    return {program, sources + "/" + example.file, wordsOf(example.options, ' ')};
}

std::vector<DesignRow> readDesignTable(const std::string& path) {
    std::vector<DesignRow> rows;
    const auto text = readText(path);
    std::vector<std::string> lines = wordsOf(text ? *text : "", '\n');
    for (std::size_t l = 1; l < lines.size(); ++l) {
        const std::vector<std::string> fields = wordsOf(lines[l], ',');
        const auto number = [&](std::size_t at) { return std::stod(fields.at(at)); };
        DesignRow row{fields.at(0), fields.at(1), {}};
        row.design.predicted = {number(2), {number(10), number(4), number(6), number(8)}};
        row.design.made = {number(3), {number(11), number(5), number(7), number(9)}};
        row.design.pathPs = number(12);
        rows.push_back(std::move(row));
    }
    return rows;
}

std::string designTableText(const std::vector<DesignRow>& rows) {
    std::ostringstream text;
    text << kHead << "\n";
    for (const DesignExample& example : designExamples())
        for (const DesignRow& row : rows) {
            if (!row.is(example))
                continue;
            const DesignFigures& predicted = row.design.predicted;
            const DesignFigures& made = row.design.made;
            text.precision(12);
            text << row.file << "," << row.options << "," << predicted.cycles << "," << made.cycles;
            for (const auto amount : {&device::Resources::lut, &device::Resources::ff,
                                      &device::Resources::bram, &device::Resources::dsp})
                text << "," << predicted.area.*amount << "," << made.area.*amount;
            text << "," << row.design.pathPs << "\n";
        }
    return text.str();
}

DesignRatios designRatios(const std::vector<DesignRow>& rows, double device::Resources::*amount,
                          bool heldOut) {
    std::vector<double> all;
    for (const DesignRow& row : rows)
        if (const DesignExample* example = exampleOf(row); example && example->heldOut == heldOut)
            all.push_back(ratio(row, amount));
    DesignRatios ratios;
    ratios.rows = all.size();
    if (all.empty())
        return ratios;
    std::ranges::sort(all);
    const std::size_t middle = all.size() / 2;
    ratios.median = all.size() % 2 == 1 ? all[middle] : (all[middle - 1] + all[middle]) / 2;
    ratios.least = all.front();
    ratios.greatest = all.back();
    ratios.close = static_cast<std::size_t>(
        std::ranges::count_if(all, [](double one) { return one >= 0.85 && one <= 1.15; }));
    return ratios;
}

std::string designMarkdown(const std::vector<DesignRow>& rows) {
    std::string text =
        "| example | device, DSP at most | cycles | DSP48E1 | RAMB36 | LUT | ratio | "
        "FF | ratio | longest path |\n|---|---|---|---|---|---|---|---|---|---|\n";
    for (const DesignExample& example : designExamples())
        for (const DesignRow& row : rows)
            if (row.is(example))
                text += shownLine(row, example);
    text += "\n| ratios of | designs | median | from … to | within 15 % |\n|---|---|---|---|---|\n";
    return text + summaryOf(rows, false) + summaryOf(rows, true);
}

std::string withDesignTable(const std::string& page, const std::vector<DesignRow>& rows) {
    const std::size_t begin = page.find(kDesignTableBegin);
    const std::size_t end = page.find(kDesignTableEnd);
    if (begin == std::string::npos || end == std::string::npos)
        return "";
    return page.substr(0, begin + kDesignTableBegin.size()) + "\n" + designMarkdown(rows) + "\n" +
           page.substr(end);
}

} // namespace marquetry::test
