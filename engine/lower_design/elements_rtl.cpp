// Sums, differences and products of elements as hardware, modulo 2^32.
#include "engine/lower_design/design_modules.h"
#include "engine/lower_design/row_frame.h"
#include "engine/support/assert.h"

namespace marquetry::hdl {

using cost::RowFunction;
using rtl::Expr;

namespace {

class ElementsBuilder {
public:
    ElementsBuilder(const RtlPlan& plan, const RowPlan& rows, SharedText constants)
        : rows_(rows), constants_(std::move(constants)), m_(rows.module), frame_(m_, plan, rows) {}

    rtl::ModulePtr build() && {
        m_.comment(cat(what(), " of layer \"", rows_.layer, "\": ", rows_.shape.rows, " rows of ",
                       rows_.shape.columns, ", ", rows_.shape.run, " elements per clock."));
        m_.comment(cat("Cycles: ", rows_.cycles, ". Resources: ",
                       rows_.shape.function == RowFunction::Multiply ? "multipliers" : "no DSP",
                       constants_ ? ", a memory of constants." : "."));
        frame_.read();
        const std::vector<Timed> second = frame_.readSecond(constants_);
        std::vector<Expr> results;
        int clock = 0;
        for (int lane = 0; lane < frame_.run(); ++lane) {
            const Timed result =
                of(lane, frame_.element(lane), second[static_cast<std::size_t>(lane)]);
            results.push_back(result.value);
            clock = result.clock;
        }
        ENGINE_ASSERT(clock == cost::rowStages(rows_.shape).result, "as the cycle model says");
        frame_.write(results, clock);
        return finished(std::move(m_));
    }

private:
    const char* what() const {
        switch (rows_.shape.function) {
        case RowFunction::Multiply:
            return "Products";
        case RowFunction::Second:
            return "Constants";
        case RowFunction::LookUp:
            return "Entries of a table";
        default:
            return "Sums or differences";
        }
    }

    int width() const { return rows_.to.elementBits; }

    bool secondIsSigned() const {
        if (cost::isConstant(rows_.shape.second))
            return rows_.constantsSigned;
        return rows_.other ? rows_.other->isSigned : rows_.operandSigned;
    }

    /// As a signed number.
    Expr number(const std::string& name, const Expr& element, bool isSigned) {
        const Expr wide = isSigned ? element : rtl::join({rtl::constant(0, 1), element});
        return m_.wire(name, wide.asSigned());
    }

    Timed of(int lane, const Timed& first, const Timed& second) {
        const Expr b = number(cat("second_", lane), second.value, secondIsSigned());
        if (rows_.shape.function == RowFunction::LookUp)
            return {b.resized(width()), second.clock};
        const Expr a = number(cat("first_", lane), first.value, rows_.operandSigned);
        if (rows_.shape.function == RowFunction::Second)
            return frame_.pipe().registered(cat("result_", lane), b.resized(width()), second.clock);
        if (rows_.shape.function == RowFunction::Multiply) {
            const Timed product =
                frame_.pipe().product(cat("product_", lane), {a, first.clock}, {b, second.clock});
            const Expr whole = m_.wire(cat("whole_", lane), product.value);
            return {whole.resized(width()), product.clock};
        }
        const Expr x = m_.wire(cat("x_wide_", lane), a.resized(width()));
        const Expr y = m_.wire(cat("y_wide_", lane), b.resized(width()));
        const Expr result = rows_.shape.function == RowFunction::Add        ? x + y
                            : rows_.shape.function == RowFunction::Subtract ? x - y
                                                                            : y - x;
        return frame_.pipe().registered(cat("result_", lane), result, first.clock);
    }

    const RowPlan& rows_;
    SharedText constants_;
    rtl::Module m_;
    RowFrame frame_;
};

} // namespace

rtl::ModulePtr elementsModule(const RtlPlan& plan, const RowPlan& rows,
                              const SharedText& constants) {
    return ElementsBuilder(plan, rows, constants).build();
}

} // namespace marquetry::hdl
