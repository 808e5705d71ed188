// How long a test waits for what must come. Only what never comes fails a test that waits this
// long: slow and busy machines and sanitizers get their answer, and a hang gets a message before
// ctest ends the test.
#pragma once

#include <chrono>
#include <thread>

namespace marquetry::test {

inline constexpr std::chrono::minutes kPatience{10};

/// Begins with its construction.
class Patience {
public:
    bool over() const { return std::chrono::steady_clock::now() > end_; }

private:
    std::chrono::steady_clock::time_point end_ = std::chrono::steady_clock::now() + kPatience;
};

/// Lets others go on before the next look at what is waited for.
inline void breathe() {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

/// Whether it becomes so.
template <class Condition>
bool comes(Condition condition) {
    const Patience patience;
    while (!condition()) {
        if (patience.over())
            return false;
        breathe();
    }
    return true;
}

} // namespace marquetry::test
