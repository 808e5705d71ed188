#include "engine/datapath/cell_value.h"
#include "engine/datapath/datapath.h"

#include <algorithm>
#include <limits>

namespace marquetry::datapath {

std::int64_t Fifo::distance() const {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (std::size_t n = 0; n < stores.size(); ++n)
        least = std::min(least, fetches[n] - stores[n]);
    return least;
}

std::int64_t Fifo::countBefore(const std::vector<std::int64_t>& steps, std::int64_t before) const {
    const std::int64_t within = modulo(before, period);
    const std::int64_t whole = (before - within) / period;
    return whole * std::ssize(steps) + (std::ranges::lower_bound(steps, within) - steps.begin());
}

std::int64_t Fifo::words(std::int64_t later) const {
    std::int64_t most = 1;
    for (std::size_t n = 0; n < stores.size(); ++n) {
        const std::int64_t gone = countBefore(fetches, stores[n] - later + 1);
        most = std::max(most, static_cast<std::int64_t>(n) + 1 - gone);
    }
    return most;
}

Tap DatapathBuilder::throughFifo(const Fifo& fifo, Tap word, Tap stored, Tap fetched, Used used) {
    auto place = std::ranges::find(fifos_, fifo);
    if (place == fifos_.end())
        place = fifos_.insert(fifos_.end(), fifo);
    Cell store{CellKind::Store, 1, {word, stored}};
    store.number = place - fifos_.begin();
    Cell fetch{CellKind::Fetch, cell(word).width};
    fetch.number = store.number;
    fetch.most = cell(word).most;
    fetch.used = used;
    // The place of the next word is known one step before it is there.
    fetch.operands = {{intern(std::move(store), 0).cell, fifo.distance()},
                      {fetched.cell, modulo(fetched.distance - 1, fifo.period)}};
    return intern(std::move(fetch), 0);
}

} // namespace marquetry::datapath
