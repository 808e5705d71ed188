#include "engine/artefact/wrong_element.h"

#include "engine/rtl/netlist.h"

namespace marquetry::hdl {

std::vector<std::string> axisNames(std::size_t dimensions) {
    switch (dimensions) {
    case 1:
        return {"i"};
    case 2:
        return {"row", "column"};
    case 3:
        return {"h", "w", "c"};
    default:
        break;
    }
    std::vector<std::string> names;
    for (std::size_t d = 0; d < dimensions; ++d)
        names.push_back(cat("i", d));
    return names;
}

std::string toText(const WrongElement& wrong) {
    std::string at;
    const std::vector<std::string> axes = axisNames(wrong.element.size());
    for (std::size_t d = 0; d < axes.size(); ++d)
        at += cat(d > 0 ? ", " : "", axes[d], "=", wrong.element[d]);
    std::string text =
        cat(wrong.input ? "input " : "layer ", wrong.layer, ": element [", at, "] is ",
            wrong.got ? std::to_string(*wrong.got) : "unknown", ", expected ", wrong.expected,
            " (vector ", wrong.vector, wrong.frame > 0 ? cat(", frame ", wrong.frame) : "", ")");
    if (!wrong.overwrittenBefore.empty())
        text += "; it was right, and was overwritten before " + wrong.overwrittenBefore;
    return text;
}

std::string toText(const CheckpointReport& report) {
    if (report.wrong)
        return "first wrong: " + toText(*report.wrong);
    if (!report.note.empty())
        return report.note;
    return cat("what is stored is right at all ", report.compared, " checkpoints");
}

} // namespace marquetry::hdl
