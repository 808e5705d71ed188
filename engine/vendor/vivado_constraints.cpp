#include "engine/vendor/interfaces.h"
#include "engine/vendor/tcl_text.h"
#include "engine/vendor/vivado_scripts.h"

#include <cmath>
#include <cstdio>

namespace marquetry::vendor {

namespace {

/// Of the clock, for what is outside the ports: a register and the way from or to it.
constexpr double kOutside = 0.3;
/// ns from a clock edge to the earliest change of a register's output.
constexpr double kEarliest = 0.1;

std::string nanoseconds(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3f", value);
    return text;
}

/// Rounded down, so that the clock is not slower than asked for.
double periodOf(const Project& project) {
    return std::floor(1e6 / project.clockMhz) / 1e3;
}

class Delays {
public:
    explicit Delays(const Project& project)
        : clock_(project.clock), most_(nanoseconds(kOutside * periodOf(project))) {}

    void add(const std::string& about, const std::vector<PlainPort>& ports) {
        text_ += "\n" + tclComment(about) + "\n";
        for (const bool input : {true, false}) {
            std::string names;
            for (const PlainPort& port : ports)
                if (port.isInput == input)
                    names += (names.empty() ? "" : " ") + port.name + (port.bits > 1 ? "[*]" : "");
            if (!names.empty())
                addDirection(input ? "input" : "output", names, input ? kEarliest : 0);
        }
    }

    const std::string& text() const { return text_; }

private:
    void addDirection(const std::string& direction, const std::string& names, double least) {
        const std::string head = "set_" + direction + "_delay -clock [get_clocks " + clock_ + "] ";
        const std::string ports = " [get_ports {" + names + "}]\n";
        text_ += head + "-max " + most_ + ports + head + "-min " + nanoseconds(least) + ports;
    }

    std::string clock_, most_, text_;
};

std::vector<PlainPort> portsIn(const std::vector<SignalPort>& signals) {
    std::vector<PlainPort> ports;
    for (const SignalPort& signal : signals)
        ports.push_back(signal.port);
    return ports;
}

std::string interruptPath(const Project& project) {
    if (!project.control)
        return "";
    return "\n# The interrupt is a level that stays until software clears it. Interrupt "
           "controllers of\n"
           "# processors take it in through synchronisers of their own: no clock edge is to be "
           "met.\n"
           "set_false_path -to [get_ports {" +
           project.control->interrupt + "}]\n";
}

} // namespace

std::string vivadoConstraints(const Project& project) {
    Delays delays(project);
    delays.add("The reset is synchronous, so it is timed as any input.",
               {{project.reset, 1, true}});
    for (const ProjectStream& stream : project.streams)
        delays.add((stream.isInput ? "AXI4-Stream in: " : "AXI4-Stream out: ") + stream.name,
                   portsIn(axisSignals(stream)));
    if (project.control)
        delays.add("AXI4-Lite", portsIn(axiLiteSignals(*project.control)));
    if (project.memory)
        delays.add("AXI4, the weights' memory", portsIn(axiMasterSignals(*project.memory)));
    if (!project.plainPorts.empty())
        delays.add("Other ports", project.plainPorts);
    return tclComment("Constraints of " + project.top +
                      " where it is built by itself; systems around it have their own.") +
           "\n\ncreate_clock -name " + project.clock + " -period " +
           nanoseconds(periodOf(project)) + " [get_ports {" + project.clock + "}]\n" +
           "\n# Outside of the ports are registers of the same clock: three tenths of it are "
           "theirs,\n# and no input changes sooner than a register's output can.\n" +
           delays.text() + interruptPath(project);
}

} // namespace marquetry::vendor
