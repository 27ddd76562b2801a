// SPDX-License-Identifier: BSD-3-Clause
// The reader's numbers against strtod, which rounds correctly.
#include "../../../analysis/matrix/text/number_text.hpp"
#include "random_sparse.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>

using namespace frond;
using namespace frond::detail;
using frond::test::Random;

namespace {

struct Parsed {
    TextFault fault;
    double value = 0;
    std::size_t consumed = 0;
};

Parsed real(const std::string& token) {
    const std::string text = token + " 7\n";
    const char* p = text.c_str();
    Parsed parsed;
    parsed.fault = parse_real(p, parsed.value);
    parsed.consumed = static_cast<std::size_t>(p - text.c_str());
    return parsed;
}

void check_like_strtod(const std::string& token) {
    CAPTURE(token);
    const Parsed parsed = real(token);
    const double expected = std::strtod(token.c_str(), nullptr);
    CHECK(parsed.fault == TextFault::none);
    CHECK(parsed.consumed == token.size());
    CHECK(std::memcmp(&parsed.value, &expected, sizeof expected) == 0);
}

}  // namespace

TEST_CASE("decimal numbers are rounded as strtod rounds them") {
    for (const char* token : {"0",
                              "-0",
                              "+0.0",
                              "1",
                              "-.5",
                              "5.",
                              "+1e-320",
                              "1E+02",
                              "3.141592653589793238462643383279",
                              "123456789012345678",
                              "9007199254740993",
                              "9007199254740992e22",
                              "1e22",
                              "1e23",
                              "1e-22",
                              "1e-23",
                              "0.1",
                              "2.2250738585072011e-308",
                              "4.9e-324",
                              "1e-400",
                              "1.7976931348623157e308",
                              "0000000000000000000000001",
                              "1e0005",
                              "0.000000000000000000001",
                              "8.5e-23",
                              "999999999999999999999999999999",
                              "-7.0e+00"})
        check_like_strtod(token);
    Random random(1);
    for (int k = 0; k < 20000; ++k) {
        const std::uint64_t bits = random.bits();
        double x;
        std::memcpy(&x, &bits, sizeof x);
        if (!std::isfinite(x)) continue;
        char text[64];
        std::snprintf(text, sizeof text, "%.*e", static_cast<int>(bits % 19), x);
        if (std::isfinite(std::strtod(text, nullptr))) check_like_strtod(text);
        std::snprintf(text, sizeof text, "%.*f", static_cast<int>(bits % 17), std::fmod(x, 1e6));
        check_like_strtod(text);
    }
}

TEST_CASE("single precision: one rounding from the text, the largest number, one too many") {
    const auto single = [](const std::string& token, float& rounded) {
        return round_to_float(real(token).value, (token + "\n").c_str(), rounded);
    };
    float x = 0;
    // 1 + 2^-24 is halfway between 1 and 1 + 2^-23; a little more must round up, though the double
    // does not see it.
    CHECK(single("1.000000059604644775390625", x));
    CHECK(x == 1.0f);
    CHECK(single("1.00000005960464477539062500001", x));
    CHECK(x == std::nextafter(1.0f, 2.0f));
    CHECK(single("3.4028235e+38", x));
    CHECK(x == std::numeric_limits<float>::max());
    CHECK_FALSE(single("3.4028236e+38", x));
    CHECK_FALSE(single("-1e39", x));
    Random random(2);
    for (int k = 0; k < 20000; ++k) {
        const std::uint32_t bits = static_cast<std::uint32_t>(random.bits());
        float expected;
        std::memcpy(&expected, &bits, sizeof expected);
        if (!std::isfinite(expected)) continue;
        char text[40];
        std::snprintf(text, sizeof text, "%.*e", 3 + static_cast<int>(bits % 12), expected);
        expected = std::strtof(text, nullptr);
        if (std::isfinite(expected)) CHECK(single(text, x));
        if (std::isfinite(expected)) CHECK(x == expected);
    }
}

TEST_CASE("Fortran's exponent letters") {
    CHECK(real("1.5D+02").value == 150);
    CHECK(real("-1d0").value == -1);
    CHECK(real("+2.5d-1").value == 0.25);
}

TEST_CASE("what is not a number, too large, not finite, missing") {
    for (const char* token :
         {"x", "1x", "1.2.3", "e5", ".", "-", "+", "1e", "1e+", "--1", "+-1", "0x10", "1,5", "1e5.5"}) {
        CAPTURE(token);
        CHECK(real(token).fault == TextFault::not_a_number);
        CHECK(real(token).consumed == 0);
    }
    for (const char* token : {"1e400", "-1E9999", "1e99999999999", "2e308"}) {
        CAPTURE(token);
        CHECK(real(token).fault == TextFault::out_of_range);
    }
    for (const char* token : {"nan", "NaN", "-nan", "inf", "-Inf", "+Infinity"}) {
        CAPTURE(token);
        CHECK(real(token).fault == TextFault::not_finite);
        CHECK(real(token).consumed == std::strlen(token));
    }
    CHECK(real("-inf").value == -std::numeric_limits<double>::infinity());
    const char* end = "\n";
    double x;
    CHECK(parse_real(end, x) == TextFault::missing);
}

TEST_CASE("whole numbers") {
    const auto whole = [](const std::string& token, std::int64_t& value) {
        const std::string text = token + "\n";
        const char* p = text.c_str();
        return parse_integer(p, value);
    };
    const auto index = [](const std::string& token, count_t& value) {
        const std::string text = token + "\n";
        const char* p = text.c_str();
        return parse_index(p, value);
    };
    std::int64_t x = 0;
    CHECK(whole("9223372036854775807", x) == TextFault::none);
    CHECK(x == std::numeric_limits<std::int64_t>::max());
    CHECK(whole("-9223372036854775808", x) == TextFault::none);
    CHECK(x == std::numeric_limits<std::int64_t>::min());
    CHECK(whole("+12", x) == TextFault::none);
    CHECK(x == 12);
    CHECK(whole("9223372036854775808", x) == TextFault::out_of_range);
    CHECK(whole("1.5", x) == TextFault::not_whole);
    CHECK(whole("one", x) == TextFault::not_a_number);
    CHECK(whole("", x) == TextFault::missing);
    count_t i = 0;
    CHECK(index("999999999999999999", i) == TextFault::none);
    CHECK(i == 999999999999999999);
    CHECK(index("-3", i) == TextFault::none);
    CHECK(i == -3);
    CHECK(index("1000000000000000000", i) == TextFault::out_of_range);
    CHECK(index("1.0", i) == TextFault::not_whole);
    CHECK(index("", i) == TextFault::missing);
    CHECK(index("-", i) != TextFault::none);
}
