#include "engine/extract/why_text.h"

#include "engine/extract/unit_proof.h"
#include "engine/support/text_stream.h"

#include <algorithm>
#include <iomanip>

namespace marquetry::extract {

namespace {

using design::Alternative;
using design::Design;
using design::DesignUnit;

/// A person reads three.
constexpr std::size_t kShown = 3;

void printUnit(std::ostream& text, const rules::Lowered& lowered, const Design& design,
               const DesignUnit& unit, std::stop_token stop) {
    text << unit.name << (unit.shared ? ", shared" : ", private") << "\n  term: " << unit.term
         << "\n  call sites:\n";
    for (design::CallId id : unit.callSites) {
        const design::DesignCall& call = design.call(id);
        text << "    " << call.layer << ", " << call.cycles << " cycles";
        for (const design::Loop& loop : call.loops)
            text << "  " << loop.term;
        text << "\n";
    }
    text << "  proof from the program as written:\n";
    for (const std::string& line : UnitProver(lowered).lines(design, unit.id, std::move(stop)))
        text << "    " << line << "\n";
    text << "  cost:\n";
    for (const design::CostTerm& term : unit.why.terms)
        text << "    " << term.name << " " << term.value << " " << term.unit << " = "
             << term.formula << "\n";
    if (!unit.why.alternatives.empty())
        text << "  next best:\n";
    for (std::size_t k = 0; k < std::min(kShown, unit.why.alternatives.size()); ++k)
        text << "    alternative: " << describe(unit.why.alternatives[k], design) << "\n";
    if (!unit.why.counterfactual.empty())
        text << (unit.streams ? "  otherwise: " : "  if it were not shared: ")
             << unit.why.counterfactual << "\n";
}

} // namespace

std::string describe(const Alternative& other, const Design& design) {
    TextOut text;
    text << std::showpos << other.cyclesMore << " cycles (" << std::fixed << std::setprecision(1)
         << 100.0 * static_cast<double>(other.cyclesMore) /
                static_cast<double>(std::max<std::int64_t>(1, design.cycles))
         << " %), " << std::defaultfloat << std::setprecision(12) << other.dspMore
         << " DSP: " << other.what;
    if (other.broken)
        text << std::noshowpos << "; needs " << toString(*other.broken) << "=" << other.needs
             << ", over the limit";
    return text.str();
}

Result<std::string> whyText(const rules::Lowered& lowered, const Design& design,
                            const std::string& name, std::stop_token stop) {
    bool known = false;
    TextOut text;
    text.precision(12);
    for (const DesignUnit& unit : design.units)
        if (unit.name == name) {
            known = true;
            printUnit(text, lowered, design, unit, stop);
        }
    for (const design::SharingCandidate& candidate : design.candidates)
        if (candidate.name == name) {
            if (!known) {
                text << name << "\n  could serve:";
                for (const std::string& layer : candidate.callSites)
                    text << " " << layer;
                text << "\n";
            }
            known = true;
            text << (candidate.shared ? "  shared: " : "  not shared: ") << candidate.reason
                 << "\n";
        }
    if (!known)
        return makeError("unit-unknown", "there is no unit \"" + name + "\"",
                         "use a name from the list of units");
    return text.str();
}

} // namespace marquetry::extract
