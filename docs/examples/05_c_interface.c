/* SPDX-License-Identifier: BSD-3-Clause */
/* The C interface: a general matrix in compressed rows, options as text, errors as status codes. */
#include <frond/frond.h>

#include <stdio.h>
#include <stdlib.h>

/* Every call returns a status; the message names the value, the limit and the cure. */
static void check(frond_status status) {
    if (status == FROND_OK) return;
    fprintf(stderr, "%s: %s\n", frond_status_name(status), frond_last_error());
    exit(EXIT_FAILURE);
}

int main(void) {
    /*     [ 4 -1  0 ]       [ 3 ]
     * A = [ 2  5 -1 ]   b = [ 6 ]   so x = (1, 1, 1)
     *     [ 0  3  6 ]       [ 9 ]  */
    const int32_t begin[] = {0, 2, 5, 7};
    const int32_t column[] = {0, 1, 0, 1, 2, 1, 2};
    const double value[] = {4, -1, 2, 5, -1, 3, 6};
    const double b[] = {3, 6, 9};
    double x[3];

    frond_matrix a;
    FROND_STRUCT(a); /* all fields zero; later versions may add fields at the end */
    a.format = FROND_CSR;
    a.rows = a.cols = 3;
    a.begin = begin;
    a.index = column;
    a.value = value;

    frond_session* session = NULL;
    frond_solver* solver = NULL;
    check(frond_session_create("cpu_workers=1", &session));
    check(frond_solver_create(session, FROND_DOUBLE, "factorization=lu", &solver));
    frond_session_destroy(session); /* the solver keeps what it needs */

    /* A wrong option is refused with what is allowed. */
    if (frond_solver_set_option(solver, "ordering", "mets") == FROND_OK) return EXIT_FAILURE;
    printf("as it should be: %s\n", frond_last_error());
    check(frond_solver_set_option(solver, "ordering", "amd"));

    check(frond_analyze(solver, &a));
    check(frond_factor(solver, &a));
    check(frond_solve(solver, 1, b, 3, x, 3));

    frond_factor_report factors;
    frond_solve_report report;
    FROND_STRUCT(factors);
    FROND_STRUCT(report);
    check(frond_solver_get_factor_report(solver, &factors));
    check(frond_solver_get_solve_report(solver, &report));
    printf("%s, status %d; x = (%g, %g, %g), backward error %.1e\n", factors.factorization, (int)factors.status, x[0],
           x[1], x[2], report.backward_error);

    frond_solver_destroy(solver);
    return report.converged ? EXIT_SUCCESS : EXIT_FAILURE;
}
