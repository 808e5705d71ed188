#include "app/command_echo.h"

#include <algorithm>
#include <sstream>

namespace marquetry::app {

namespace {

using design::Pin;
using session::Settings;
using session::Snapshot;

std::string number(double value) {
    std::ostringstream out;
    out.precision(12);
    out << value;
    return out.str();
}

const char* costName(design::CostModel model) {
    switch (model) {
    case design::CostModel::Cycles:
        return "cycles";
    case design::CostModel::Published:
        return "published";
    case design::CostModel::PublishedOpen:
        return "published-open";
    }
    return "cycles";
}

std::string joined(const std::vector<std::string>& parts) {
    std::string out;
    for (const std::string& part : parts)
        out += (out.empty() ? "" : ",") + part;
    return out;
}

std::string pinOption(const std::vector<Pin>& pins) {
    std::vector<Pin> enabled;
    std::copy_if(pins.begin(), pins.end(), std::back_inserter(enabled),
                 [](const Pin& pin) { return pin.enabled; });
    if (enabled.empty())
        return {};
    return " --pins <(echo " + shellQuoted(design::printPins(enabled)) + ")";
}

std::string limitOption(const Settings& settings) {
    std::vector<std::string> parts;
    for (const auto& [name, value] : settings.limits)
        parts.push_back(name + "=" + number(value));
    return parts.empty() ? std::string() : " --limit " + joined(parts);
}

std::string explore(const Snapshot& before, const std::string& more = {}) {
    return "marquetry explore " + shellQuoted(before.file) +
           exploreOptions(before.settings, before.pins) + more;
}

std::string explore(const Snapshot& before, const std::vector<Pin>& pins) {
    return "marquetry explore " + shellQuoted(before.file) + exploreOptions(before.settings, pins);
}

struct Echo {
    const Snapshot& before;

    std::string steps(std::size_t more) const {
        return " --steps " + std::to_string(before.iterations.size() + more);
    }

    std::string operator()(const session::OpenFile& c) const {
        const std::string item = c.item.empty() ? "" : " --item " + shellQuoted(c.item);
        return "marquetry open " + shellQuoted(c.path) + item;
    }
    std::string operator()(const session::OpenText& c) const {
        return "marquetry open " + shellQuoted(c.file);
    }
    std::string operator()(const session::ChangeSettings& c) const {
        return "marquetry explore " + shellQuoted(before.file) +
               exploreOptions(c.settings, before.pins);
    }
    std::string operator()(const session::Run&) const { return explore(before); }
    std::string operator()(const session::Pause&) const { return explore(before, steps(0)); }
    std::string operator()(const session::Step&) const { return explore(before, steps(1)); }
    std::string operator()(const session::Stop&) const { return explore(before, steps(0)); }
    std::string operator()(const session::AddPin& c) const {
        std::vector<Pin> pins = before.pins;
        pins.push_back(c.pin);
        return explore(before, pins);
    }
    std::string operator()(const session::RemovePin& c) const {
        std::vector<Pin> pins = before.pins;
        std::erase_if(pins, [&](const Pin& pin) { return pin.id == c.id; });
        return explore(before, pins);
    }
    std::string operator()(const session::EnablePin& c) const {
        std::vector<Pin> pins = before.pins;
        for (Pin& pin : pins)
            if (pin.id == c.id)
                pin.enabled = c.enabled;
        return explore(before, pins);
    }
    std::string operator()(const session::Undo&) const { return {}; }
    std::string operator()(const session::Redo&) const { return {}; }
    std::string operator()(const session::Export& c) const {
        return "marquetry export " + shellQuoted(before.file) +
               exploreOptions(before.settings, before.pins) + " --target " + c.target + " --out " +
               shellQuoted(c.folder);
    }
    std::string operator()(const session::Verify& c) const {
        const std::string folder = c.folder.empty() ? before.exportedTo : c.folder;
        return "marquetry verify " + shellQuoted(folder) + " --simulator " + c.simulator +
               " --vectors " + std::to_string(c.vectors) + " --seed " + std::to_string(c.seed);
    }
};

} // namespace

std::string shellQuoted(const std::string& text) {
    const bool plain = !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '/' || c == '.' || c == '_' || c == '-' || c == '+';
    });
    if (plain)
        return text;
    std::string out = "'";
    for (const char c : text)
        out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

std::string exploreOptions(const Settings& settings, const std::vector<Pin>& pins) {
    const Settings usual;
    std::string out = " --device " + shellQuoted(settings.device);
    if (settings.clockMhz)
        out += " --clock " + number(*settings.clockMhz);
    if (settings.bandwidth)
        out += " --bandwidth " + number(*settings.bandwidth);
    out += limitOption(settings);
    out += " --objective " + settings.objective;
    if (settings.cost != usual.cost)
        out += std::string(" --cost ") + costName(settings.cost);
    if (!settings.without.empty())
        out += " --without " + joined(settings.without);
    out += pinOption(pins);
    if (settings.seconds != usual.seconds)
        out += " --time " + number(settings.seconds);
    out += " --seed " + std::to_string(settings.seed);
    return out;
}

std::string commandLine(const session::Command& command, const Snapshot& before) {
    return std::visit(Echo{before}, command);
}

} // namespace marquetry::app
