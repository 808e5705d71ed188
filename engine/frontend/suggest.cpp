#include "engine/frontend/suggest.h"

#include <algorithm>

namespace marquetry::frontend {

namespace {
constexpr std::size_t kLongestWord = 64;
}

int editDistance(std::string_view a, std::string_view b) {
    a = a.substr(0, kLongestWord);
    b = b.substr(0, kLongestWord);
    std::vector<std::vector<int>> distance(a.size() + 1, std::vector<int>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) {
        for (std::size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                distance[i][j] = static_cast<int>(i + j);
                continue;
            }
            const int change = a[i - 1] == b[j - 1] ? 0 : 1;
            distance[i][j] = std::min(
                {distance[i - 1][j] + 1, distance[i][j - 1] + 1, distance[i - 1][j - 1] + change});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                distance[i][j] = std::min(distance[i][j], distance[i - 2][j - 2] + 1);
        }
    }
    return distance[a.size()][b.size()];
}

std::string didYouMean(std::string_view word, const std::vector<std::string>& known) {
    const int reach = std::max(1, static_cast<int>(std::min(word.size(), kLongestWord)) / 3);
    const std::string* best = nullptr;
    int bestDistance = reach + 1;
    for (const std::string& candidate : known) {
        const auto gap = std::ssize(candidate) - std::ssize(word);
        if (gap > reach || -gap > reach)
            continue;
        const int distance = editDistance(word, candidate);
        if (distance < bestDistance) {
            best = &candidate;
            bestDistance = distance;
        }
    }
    return best ? "did you mean '" + *best + "'?" : "";
}

} // namespace marquetry::frontend
