// Where a word of a ring of rows lies (design/schedule.h), of the address that readers and writers
// count. Thread rule: one builder.
#pragma once

#include "engine/rtl/module.h"

#include <string>

namespace marquetry::hdl {

/// `counted` less `places` where it lies behind them: below twice as many, or of a word that nobody
/// looks at. As wide as a place; 0 places: `counted` itself.
rtl::Expr ringAddress(rtl::Module& m, const std::string& name, const rtl::Expr& counted,
                      std::int64_t places);

} // namespace marquetry::hdl
