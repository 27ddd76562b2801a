/* SPDX-License-Identifier: BSD-3-Clause
 * A C program outside Frond's tree: tridiagonal (-1, 2, -1), n = 100, x = 1..n, then a matrix that
 * must be refused. Exit status 0 when all is right. */
#include <frond/frond.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { n = 100 };

static int failed(const char* what, frond_status status) {
    if (status == FROND_OK) return 0;
    fprintf(stderr, "%s: %s: %s\n", what, frond_status_name(status), frond_last_error());
    return 1;
}

int main(void) {
    int32_t begin[n + 1] = {0}, row[2 * n];
    double value[2 * n], b[n] = {0}, x[n], error = 0;
    int32_t entries = 0;
    for (int32_t j = 0; j < n; ++j) {
        row[entries] = j;
        value[entries++] = 2;
        if (j + 1 < n) {
            row[entries] = j + 1;
            value[entries++] = -1;
        }
        begin[j + 1] = entries;
    }
    b[n - 1] = n + 1;

    frond_matrix a;
    FROND_STRUCT(a);
    a.format = FROND_CSC;
    a.symmetry = FROND_SYMMETRIC;
    a.triangle = FROND_LOWER;
    a.rows = a.cols = n;
    a.begin = begin;
    a.index = row;
    a.value = value;

    frond_session* session = NULL;
    frond_solver* solver = NULL;
    if (failed("session", frond_session_create("cpu_workers=2", &session))) return 1;
    if (failed("solver", frond_solver_create(session, FROND_DOUBLE, NULL, &solver))) return 1;
    if (failed("analyze", frond_analyze(solver, &a))) return 1;
    if (failed("factor", frond_factor(solver, &a))) return 1;
    if (failed("solve", frond_solve(solver, 1, b, 0, x, 0))) return 1;
    for (int i = 0; i < n; ++i) error = fmax(error, fabs(x[i] - (i + 1)));
    printf("frond %s, largest error %.1e\n", frond_version(), error);

    row[0] = n; /* out of range: refused, with a message */
    frond_status status = frond_analyze(solver, &a);
    int refused = status == FROND_INVALID_MATRIX && strlen(frond_last_error()) > 0;
    frond_solver_destroy(solver);
    frond_session_destroy(session);
    return error < 9e-11 && refused ? 0 : 1;
}
