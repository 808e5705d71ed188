#include "tests/calibration/calibration.h"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

namespace marquetry::test {

namespace {

std::string headOf(const Calibration& calibration) {
    std::string head = "seed,lut,ff,bram,dsp,";
    for (const std::string& field : calibration.fields)
        head += field + ",";
    return head + calibration.text + "\n";
}

/// Synthesises a batch and appends its rows.
bool append(const std::string& path, std::vector<Drawn>& drawn, const CountCell& count,
            const std::string& folder) {
    std::vector<Circuit> circuits;
    for (Drawn& one : drawn)
        circuits.push_back(std::move(one.circuit));
    const auto made = synthesise(circuits, folder, count);
    if (!made) {
        std::cerr << "yosys failed in " << folder << "\n";
        return false;
    }
    for (std::size_t k = 0; k < drawn.size(); ++k) {
        drawn[k].row.made = (*made)[k];
        std::ofstream(path, std::ios::app) << lineOf(drawn[k].row);
    }
    return true;
}

int drawTable(const Calibration& calibration, const std::string& path, std::size_t rows) {
    constexpr std::size_t kBatch = 10;
    std::size_t have = 0;
    std::int64_t seed = 1;
    if (std::filesystem::exists(path)) {
        const auto before = readTable(path, calibration.fields.size());
        have = before.size();
        seed = before.empty() ? 1 : before.back().seed + 1;
    } else {
        std::ofstream(path) << headOf(calibration);
    }
    const std::string folder = path + ".work";
    while (have < rows) {
        std::vector<Drawn> drawn;
        for (; drawn.size() < kBatch && have + drawn.size() < rows; ++seed)
            if (auto one = calibration.draw(seed))
                drawn.push_back(*std::move(one));
        if (!append(path, drawn, calibration.count, folder))
            return 1;
        have += drawn.size();
        std::cerr << have << " of " << rows << "\n";
    }
    std::filesystem::remove_all(folder);
    return 0;
}

} // namespace

std::string lineOf(const SampleRow& row) {
    std::ostringstream line;
    line << row.seed << "," << row.made.lut << "," << row.made.ff << "," << row.made.bram << ","
         << row.made.dsp;
    for (const std::string& field : row.fields)
        line << "," << field;
    line << ",\"" << row.text << "\"\n";
    return line.str();
}

std::vector<SampleRow> readTable(const std::string& path, std::size_t fields) {
    std::vector<SampleRow> rows;
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    while (std::getline(file, line)) {
        std::istringstream words(line);
        std::vector<std::string> numbers(5);
        for (std::string& number : numbers)
            std::getline(words, number, ',');
        SampleRow row;
        row.seed = std::stoll(numbers[0]);
        row.made.lut = std::stod(numbers[1]);
        row.made.ff = std::stod(numbers[2]);
        row.made.bram = std::stod(numbers[3]);
        row.made.dsp = std::stod(numbers[4]);
        row.fields.resize(fields);
        for (std::string& field : row.fields)
            std::getline(words, field, ',');
        std::string quoted;
        std::getline(words, quoted);
        row.text = quoted.substr(1, quoted.size() - 2);
        rows.push_back(std::move(row));
    }
    return rows;
}

int runCalibration(const Calibration& calibration, int argc, char** argv) {
    const std::string what = argc > 2 ? argv[1] : "";
    if (what == "draw")
        return drawTable(calibration, argv[2], argc > 3 ? std::stoul(argv[3]) : calibration.rows);
    std::string usage = "usage: " + calibration.name + " draw TABLE.csv [ROWS]";
    for (const auto& [name, run] : calibration.commands) {
        if (what == name) {
            run(argv[2]);
            return 0;
        }
        usage += " | " + name + " TABLE.csv";
    }
    std::cerr << usage << "\n";
    return 2;
}

} // namespace marquetry::test
