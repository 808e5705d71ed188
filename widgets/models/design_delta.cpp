#include "widgets/models/design_delta.h"

#include "widgets/text/number_text.h"

#include <algorithm>
#include <cmath>

namespace marquetry::widgets {

namespace {

double sharedUnits(const design::Design& design) {
    return static_cast<double>(
        std::ranges::count_if(design.units, [](const design::DesignUnit& u) { return u.shared; }));
}

QString signedText(double value, const QString& digits) {
    return (value < 0 ? QStringLiteral("−") : QStringLiteral("+")) + digits;
}

} // namespace

std::vector<DeltaRow> designDelta(const design::Design& before, const design::Design& after) {
    std::vector<DeltaRow> rows{
        {before.frames == 1 && after.frames == 1 ? QStringLiteral("cycles")
                                                 : QStringLiteral("cycles per frame"),
         before.cyclesPerFrame(), after.cyclesPerFrame()},
        {QStringLiteral("DSP"), before.resources.dsp, after.resources.dsp},
        {QStringLiteral("block RAM"), before.resources.bram, after.resources.bram},
        {QStringLiteral("LUT"), before.resources.lut, after.resources.lut},
        {QStringLiteral("FF"), before.resources.ff, after.resources.ff},
        {QStringLiteral("units"), static_cast<double>(before.units.size()),
         static_cast<double>(after.units.size())},
        {QStringLiteral("shared units"), sharedUnits(before), sharedUnits(after)}};
    std::erase_if(rows, [](const DeltaRow& row) { return row.before == 0 && row.after == 0; });
    return rows;
}

QString changeText(const DeltaRow& row) {
    const double change = row.change();
    if (change == 0)
        return QStringLiteral("the same");
    const QString plain = signedText(change, amount(std::abs(change)));
    if (row.before == 0)
        return plain;
    const double percent = 100 * change / row.before;
    const QString digits = QString::number(std::abs(percent), 'f', std::abs(percent) < 10 ? 1 : 0);
    return QStringLiteral("%1 (%2 %)").arg(plain, signedText(percent, digits));
}

} // namespace marquetry::widgets
