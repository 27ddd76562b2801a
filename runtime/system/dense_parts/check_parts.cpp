// SPDX-License-Identifier: BSD-3-Clause
#include "system/dense_parts/check_parts.hpp"

#include <optional>
#include <string>

#include "frond/base/error.hpp"
#include "frond/base/vector_index.hpp"

namespace frond::detail {
namespace {

/// The first number that both ascending lists have.
std::optional<index_t> first_in_both(const std::vector<index_t>& a, const std::vector<index_t>& b) {
    for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
        if (*i == *j) return *i;
        if (*i < *j)
            ++i;
        else
            ++j;
    }
    return std::nullopt;
}

std::string entry_text(index_t row, index_t column) {
    return "entry (" + std::to_string(row) + ", " + std::to_string(column) +
           ") of the dense matrix, counted from 0, is with ";
}

void expect_no_overlap(const DenseParts& parts) {
    for (std::size_t r = 0; r < parts.part.size(); ++r)
        for (std::size_t s = r + 1; s < parts.part.size(); ++s) {
            const auto row = first_in_both(parts.part[r].row, parts.part[s].row);
            const auto column = row ? first_in_both(parts.part[r].column, parts.part[s].column) : std::nullopt;
            if (column)
                throw InvalidArgument(entry_text(*row, *column) + "rank " + std::to_string(r) + " and with rank " +
                                      std::to_string(s) + "; give each entry on one rank");
        }
}

/// Reports the columns of a row that no rank with that row has.
[[noreturn]] void fail_missing(const DenseParts& parts) {
    for (index_t row = 0; row < parts.order; ++row) {
        std::vector<bool> there(at(parts.order), false);
        for (const DenseParts::Part& part : parts.part)
            if (std::binary_search(part.row.begin(), part.row.end(), row))
                for (const index_t column : part.column) there[at(column)] = true;
        const auto missing = std::find(there.begin(), there.end(), false);
        if (missing != there.end())
            throw InvalidArgument(
                entry_text(row, static_cast<index_t>(missing - there.begin())) +
                "no rank; give each entry on one rank, of symmetric matrices those of both triangles");
    }
    throw InvalidArgument("the parts of the dense matrix are not the matrix; give each entry on one rank");
}

}  // namespace

void expect_each_once(const DenseParts& parts) {
    expect_no_overlap(parts);
    count_t entries = 0;
    for (const DenseParts::Part& part : parts.part)
        entries += static_cast<count_t>(part.row.size()) * static_cast<count_t>(part.column.size());
    if (entries != count_t{parts.order} * parts.order) fail_missing(parts);
}

}  // namespace frond::detail
