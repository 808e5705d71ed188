#include "tests/docs/figures.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <regex>
#include <sstream>

namespace marquetry::docs_test {

namespace {

constexpr std::array<const char*, 15> kWords = {"zero", "one",    "two",    "three",    "four",
                                                "five", "six",    "seven",  "eight",    "nine",
                                                "ten",  "eleven", "twelve", "thirteen", "fourteen"};

std::vector<std::string> linesOf(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

std::string trimmed(const std::string& text) {
    const std::size_t from = text.find_first_not_of(" `*");
    return from == std::string::npos ? ""
                                     : text.substr(from, text.find_last_not_of(" `*") - from + 1);
}

std::vector<std::string> cellsOf(const std::string& row) {
    std::vector<std::string> cells;
    std::istringstream stream(row.substr(row.find('|') + 1));
    for (std::string cell; std::getline(stream, cell, '|');)
        cells.push_back(trimmed(cell));
    return cells;
}

/// "26 641" without its groups, and how many digits are behind the point.
std::optional<std::pair<double, int>> numberOf(std::string quoted) {
    const auto word = std::ranges::find(kWords, quoted);
    if (word != kWords.end())
        return std::pair(static_cast<double>(word - kWords.begin()), 0);
    std::erase(quoted, ' ');
    double number = 0;
    const char* const end = quoted.data() + quoted.size();
    if (quoted.empty() || std::from_chars(quoted.data(), end, number).ptr != end)
        return std::nullopt;
    const std::size_t point = quoted.find('.');
    return std::pair(number,
                     point == std::string::npos ? 0 : static_cast<int>(quoted.size() - point - 1));
}

/// {1} and {1:_} replaced by the cells of a row.
std::string filled(const std::string& command, const std::vector<std::string>& cells) {
    static const std::regex kPlace(R"(\{(\d+)(:_)?\})");
    std::string text;
    auto from = command.begin();
    for (std::sregex_iterator it(command.begin(), command.end(), kPlace), end; it != end; ++it) {
        text.append(from, command.begin() + it->position());
        const auto column = static_cast<std::size_t>(std::stoi((*it)[1])) - 1;
        const std::string cell = column < cells.size() ? cells[column] : "";
        text += (*it)[2].matched ? cell.substr(0, cell.find('_')) : cell;
        from = command.begin() + it->position() + it->length();
    }
    text.append(from, command.end());
    return text;
}

class Reader {
public:
    Reader(const std::string& page, bool areLong) : lines_(linesOf(page)), long_(areLong) {}

    Figures read() && {
        for (at_ = 0; at_ < lines_.size(); ++at_) {
            const std::string& line = lines_[at_];
            const std::string mark = long_ ? "<!-- long figures" : "<!-- figures";
            if (line == mark || line == mark + " of each row")
                readBlock(line != mark);
        }
        return std::move(result_);
    }

private:
    void fail(const std::string& what) {
        result_.errors.push_back(std::to_string(at_ + 1) + ": " + what);
    }

    struct Column {
        std::string command;
        std::size_t number; ///< from 1
        std::string pointer;
    };

    void readBlock(bool table) {
        std::string command;
        std::vector<Column> columns;
        for (++at_; at_ < lines_.size() && lines_[at_] != "-->"; ++at_) {
            const std::string& line = lines_[at_];
            const std::size_t colon = line.find(": ");
            if (!line.starts_with(" "))
                command = line;
            else if (colon == std::string::npos)
                fail("neither a command nor a figure");
            else if (table)
                columns.push_back({command, std::stoul(line), line.substr(colon + 2)});
            else
                addFigure(command, trimmed(line.substr(0, colon)), line.substr(colon + 2));
        }
        if (table)
            addTable(columns);
    }

    void addFigure(const std::string& command, const std::string& pointer, std::string words) {
        const std::size_t open = words.find('[');
        const std::size_t close = words.find(']', open);
        if (open == std::string::npos || close == std::string::npos)
            return fail("no figure in brackets");
        const std::string quoted = words.substr(open + 1, close - open - 1);
        words.erase(close, 1).erase(open, 1);
        result_.figures.push_back({command, pointer, words, quoted, static_cast<int>(at_ + 1)});
    }

    void addTable(const std::vector<Column>& columns) {
        while (at_ < lines_.size() && !lines_[at_].starts_with("|"))
            ++at_;
        const std::size_t before = result_.figures.size();
        for (at_ += 2; at_ < lines_.size() && lines_[at_].starts_with("|"); ++at_) {
            const std::vector<std::string> cells = cellsOf(lines_[at_]);
            for (const auto& [command, column, pointer] : columns)
                if (column - 1 < cells.size())
                    result_.figures.push_back({filled(command, cells), pointer, "",
                                               cells[column - 1], static_cast<int>(at_ + 1)});
        }
        if (result_.figures.size() == before)
            fail("no row of a table follows");
    }

    std::vector<std::string> lines_;
    bool long_;
    std::size_t at_ = 0;
    Figures result_;
};

/// What readers see of a page, in one line.
std::string visible(const std::string& page) {
    std::string text;
    bool comment = false;
    for (const std::string& line : linesOf(page)) {
        comment = comment || line.starts_with("<!--");
        if (!comment)
            text += line + " ";
        comment = comment && line.find("-->") == std::string::npos;
    }
    return text;
}

} // namespace

Figures figuresOf(const std::string& page, bool areLong) {
    return Reader(page, areLong).read();
}

std::optional<std::string> difference(const std::string& quoted, const Json& value) {
    const Json figure = value.is_array() ? Json(value.size()) : value;
    const auto number = numberOf(quoted);
    if (!figure.is_number())
        return figure.is_string() && figure.get<std::string>() == quoted
                   ? std::nullopt
                   : std::optional(figure.dump());
    if (!number)
        return figure.dump();
    const double unit = std::pow(10.0, -number->second);
    return std::abs(figure.get<double>() - number->first) <= unit / 2
               ? std::nullopt
               : std::optional(figure.dump());
}

std::vector<std::string>
wrongFigures(const std::string& page, bool areLong,
             const std::function<std::optional<Json>(const std::string&)>& run) {
    const Figures marked = figuresOf(page, areLong);
    std::vector<std::string> wrong = marked.errors;
    const std::string text = visible(page);
    std::map<std::string, std::optional<Json>> answers;
    for (const Figure& figure : marked.figures) {
        const auto note = [&](const std::string& what) {
            wrong.push_back(std::to_string(figure.line) + ": " + what);
        };
        if (text.find(figure.words) == std::string::npos)
            note("the page does not say \"" + figure.words + "\"");
        if (!answers.contains(figure.command))
            answers[figure.command] = run(figure.command);
        const std::optional<Json>& answer = answers[figure.command];
        const Json::json_pointer pointer(figure.pointer);
        if (!answer || !answer->contains(pointer)) {
            note("no " + figure.pointer + " from " + figure.command);
            continue;
        }
        if (const auto printed = difference(figure.quoted, answer->at(pointer)))
            note("\"" + figure.quoted + "\" is " + *printed + " now: " + figure.pointer + " of " +
                 figure.command);
    }
    return wrong;
}

std::vector<std::string> unmarkedFigures(const std::string& page) {
    static const std::regex kGrouped(R"((^|[^\d\s])\s*(\d{1,3}( \d{3})+)(?!\d))");
    std::vector<std::string> quoted;
    for (const bool areLong : {false, true})
        for (const Figure& figure : figuresOf(page, areLong).figures)
            quoted.push_back(figure.quoted);
    std::vector<std::string> found;
    const std::string text = visible(page);
    for (std::sregex_iterator it(text.begin(), text.end(), kGrouped), end; it != end; ++it)
        if (std::ranges::find(quoted, (*it)[2].str()) == quoted.end())
            found.push_back((*it)[2]);
    return found;
}

} // namespace marquetry::docs_test
