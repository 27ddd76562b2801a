# SPDX-License-Identifier: BSD-3-Clause
# Installed by the rules that scripts and packages rely on; see cmake/frondConfig.cmake.in.
