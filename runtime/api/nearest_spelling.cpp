// SPDX-License-Identifier: BSD-3-Clause
#include "frond/option_table.hpp"

#include <algorithm>
#include <vector>

namespace frond {
namespace {

// d[i][j] = fewest edits that turn a[0, i) into b[0, j): optimal string alignment (Damerau 1964).
std::size_t edit_distance(std::string_view a, std::string_view b) {
    const std::size_t columns = b.size() + 1;
    std::vector<std::size_t> d((a.size() + 1) * columns);
    for (std::size_t i = 0; i <= a.size(); ++i) d[i * columns] = i;
    for (std::size_t j = 0; j <= b.size(); ++j) d[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replace = d[(i - 1) * columns + j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            std::size_t best = std::min({d[(i - 1) * columns + j] + 1, d[i * columns + j - 1] + 1, replace});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                best = std::min(best, d[(i - 2) * columns + j - 2] + 1);
            d[i * columns + j] = best;
        }
    }
    return d.back();
}

}  // namespace

std::string nearest_spelling(std::string_view word, std::span<const std::string> candidates) {
    std::string nearest;
    std::size_t fewest = 0;
    for (const std::string& candidate : candidates) {
        const std::size_t edits = edit_distance(word, candidate);
        if (nearest.empty() || edits < fewest) {
            nearest = candidate;
            fewest = edits;
        }
    }
    const std::size_t allowed = std::max<std::size_t>(1, nearest.size() / 3);
    return fewest <= allowed ? nearest : std::string();
}

}  // namespace frond
