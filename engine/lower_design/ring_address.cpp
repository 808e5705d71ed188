#include "engine/lower_design/ring_address.h"

#include "engine/rtl/netlist.h"
#include "engine/support/checked_math.h"

#include <bit>

namespace marquetry::hdl {

rtl::Expr ringAddress(rtl::Module& m, const std::string& name, const rtl::Expr& counted,
                      std::int64_t places) {
    if (places == 0)
        return counted;
    // Lower bits stay: they are zero in the number of places.
    const int low = std::countr_zero(static_cast<std::uint64_t>(places));
    const rtl::Expr address = m.wire(name + "_counted", counted);
    const rtl::Expr high = m.wire(name + "_high", address.slice(low, address.width() - low));
    const rtl::Expr kept = high.slice(0, bitsFor(places) - low);
    const rtl::Expr again =
        m.wire(name + "_place", choose(high >= (places >> low), kept - (places >> low), kept));
    return low == 0 ? again : rtl::join({again, address.slice(0, low)});
}

} // namespace marquetry::hdl
