// SPDX-License-Identifier: BSD-3-Clause
#include "model_file.hpp"

#include "frond/base/contract.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace frond::cli {
namespace {

constexpr std::size_t unknowns = 5;  // seconds, then the terms
using Row = std::array<double, unknowns>;
using Square = std::array<Row, unknowns>;

/// The sums that all least-squares problems on some of the unknowns are made of. Columns are scaled to length 1.
struct Normal {
    Square matrix{};
    Row right{}, scale{};
    double sum = 0;  // of squares of the right-hand side
};

/// A sample, and the seconds by which its error is divided.
struct Weighted {
    TimeSample sample;
    double unit = 1;
};

Row row_of(const Weighted& w) {
    const std::array<double, 4> terms = w.sample.work.terms();
    return {1 / w.unit, terms[0] / w.unit, terms[1] / w.unit, terms[2] / w.unit, terms[3] / w.unit};
}

Normal normal_of(const std::vector<Weighted>& samples) {
    Normal n;
    for (const Weighted& w : samples) {
        const Row row = row_of(w);
        const double right = w.sample.seconds / w.unit;
        for (std::size_t i = 0; i < unknowns; ++i) {
            n.right[i] += row[i] * right;
            for (std::size_t j = 0; j < unknowns; ++j) n.matrix[i][j] += row[i] * row[j];
        }
        n.sum += right * right;
    }
    for (std::size_t i = 0; i < unknowns; ++i) n.scale[i] = n.matrix[i][i] > 0 ? 1 / std::sqrt(n.matrix[i][i]) : 0;
    for (std::size_t i = 0; i < unknowns; ++i) {
        n.right[i] *= n.scale[i];
        for (std::size_t j = 0; j < unknowns; ++j) n.matrix[i][j] *= n.scale[i] * n.scale[j];
    }
    return n;
}

/// x of the unknowns in `chosen` (bits), others 0, by L L^T; false: they depend on each other.
bool solve(const Normal& n, unsigned chosen, Row& x) {
    constexpr double least_pivot = 1e-9;
    Square l{};
    Row y{};
    x = {};
    const auto is_chosen = [chosen](std::size_t i) { return (chosen >> i & 1U) != 0; };
    for (std::size_t i = 0; i < unknowns; ++i) {
        if (!is_chosen(i)) continue;
        y[i] = n.right[i];
        for (std::size_t j = 0; j <= i; ++j) {
            if (!is_chosen(j)) continue;
            double s = n.matrix[i][j];
            for (std::size_t k = 0; k < j; ++k) s -= l[i][k] * l[j][k];
            if (i == j && s < least_pivot) return false;
            l[i][j] = i == j ? std::sqrt(s) : s / l[j][j];
            if (j < i) y[i] -= l[i][j] * y[j];
        }
        y[i] /= l[i][i];
    }
    for (std::size_t i = unknowns; i-- > 0;) {
        if (!is_chosen(i)) continue;
        x[i] = y[i];
        for (std::size_t k = i + 1; k < unknowns; ++k) x[i] -= l[k][i] * x[k];
        x[i] /= l[i][i];
    }
    return true;
}

/// ||A x - b||^2 where x solves the chosen problem: b^T b - b^T A x.
double residual(const Normal& n, const Row& x) {
    double r = n.sum;
    for (std::size_t i = 0; i < unknowns; ++i) r -= n.right[i] * x[i];
    return r;
}

/// The least of the residuals of all choices of unknowns that are solved with x >= 0.
TimeModel least_squares(const std::vector<Weighted>& samples) {
    const Normal n = normal_of(samples);
    Row best{};
    double least = std::numeric_limits<double>::infinity();
    for (unsigned chosen = 1; chosen < 1U << unknowns; ++chosen) {
        Row x;
        if (!solve(n, chosen, x) || std::any_of(x.begin(), x.end(), [](double v) { return v < 0; })) continue;
        if (residual(n, x) < least) {
            least = residual(n, x);
            best = x;
        }
    }
    TimeModel model{best[0] * n.scale[0], {}};
    for (std::size_t i = 1; i < unknowns; ++i) model.per_term[i - 1] = best[i] * n.scale[i];
    return model;
}

/// So that neither long tasks alone nor times that no clock resolves decide.
std::vector<Weighted> first_weights(const std::vector<TimeSample>& samples) {
    double mean = 0;
    for (const TimeSample& sample : samples) mean += sample.seconds / static_cast<double>(samples.size());
    std::vector<Weighted> all;
    for (const TimeSample& sample : samples) all.push_back({sample, sample.seconds + mean / 10});
    return all;
}

/// Errors in units of the square root of what the model says, so that sums over many tasks come out right: with relative
/// errors small tasks decide, which take little of a factorization. Without what is far from the model.
std::vector<Weighted> near(const TimeModel& model, const std::vector<TimeSample>& samples) {
    constexpr double most = 4, least = 1.0 / 20;
    std::vector<Weighted> kept;
    for (const TimeSample& sample : samples) {
        const double expected = model.of(sample.work);
        if (sample.seconds <= most * expected && sample.seconds >= least * expected)
            kept.push_back({sample, std::sqrt(expected)});
    }
    return kept;
}

void meet_sum(TimeModel& model, const std::vector<Weighted>& samples) {
    double measured = 0, predicted = 0;
    for (const Weighted& w : samples) {
        measured += w.sample.seconds;
        predicted += model.of(w.sample.work);
    }
    if (!(predicted > 0)) return;
    model.seconds *= measured / predicted;
    for (double& term : model.per_term) term *= measured / predicted;
}

}  // namespace

TimeModel fit_model(const std::vector<TimeSample>& given) {
    constexpr double least_seconds = 1e-9;  // what no clock resolves
    std::vector<TimeSample> samples = given;
    for (TimeSample& sample : samples) sample.seconds = std::max(sample.seconds, least_seconds);
    FROND_EXPECTS(!samples.empty(), "there is no task to fit a model to; run some with record_times(true)");
    TimeModel model = least_squares(first_weights(samples));
    if (const std::vector<Weighted> kept = near(model, samples); !kept.empty()) {
        model = least_squares(kept);
        meet_sum(model, kept);
    }
    return model;
}

double mean_error_of(const TimeModel& model, const std::vector<TimeSample>& samples) {
    double error = 0, sum = 0;
    for (const TimeSample& sample : samples) {
        error += std::abs(model.of(sample.work) - sample.seconds);
        sum += sample.seconds;
    }
    return sum > 0 ? error / sum : 0;
}

}  // namespace frond::cli
