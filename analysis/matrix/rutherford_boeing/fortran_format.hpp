// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../text/number_text.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace frond::detail {

/// One number of a record: its columns and, for real fields, digits and scale.
struct FortranField {
    int begin = 0;
    int width = 0;
    char letter = 'i';  // i, e, d, f, g
    int decimals = 0;  // d of Ew.d: digits behind an implied decimal point
    int scale = 0;  // k of kP: a number without exponent is divided by 10^k
};

/// The fields of one line by a Fortran format such as (16I5), (1P,3E26.18E3), (2(I5,1X),I6). Empty
/// optional when text is not such a format. A line that holds fewer numbers than the format ends
/// the list early.
std::optional<std::vector<FortranField>> parse_fortran_format(std::string_view text);

/// Whole number in a fixed-width field; blanks around it are ignored.
TextFault parse_fortran_integer(std::string_view field, count_t& value);

/// Real number in a fixed-width field: exponent letter e, d or q, or none ("1.5-103"); blanks are
/// ignored. A nonzero number without decimal point where the format implies one is not_a_number:
/// Fortran would scale it, other programs would not.
TextFault parse_fortran_real(std::string_view field, const FortranField& format, double& value);

}  // namespace frond::detail
