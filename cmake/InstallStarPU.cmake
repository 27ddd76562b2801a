# SPDX-License-Identifier: BSD-3-Clause
# Install StarPU beside Frond, as a prefix of its own in the folder of libraries: its library and licence, its headers for
# applications that start StarPU themselves, and its pkg-config file, which finds all of it by where it lies itself.
set(frond_starpu_installed "${CMAKE_INSTALL_LIBDIR}/frond/starpu")

file(GLOB starpu_libraries "${StarPU_LIBRARY}*")
install(FILES ${starpu_libraries} DESTINATION "${frond_starpu_installed}/lib")
list(GET _starpu_INCLUDE_DIRS 0 starpu_headers)
install(DIRECTORY "${starpu_headers}/" DESTINATION "${frond_starpu_installed}/include/starpu/1.4")
install(FILES "${StarPU_PREFIX}/share/doc/starpu/COPYING.LGPL" DESTINATION "${frond_starpu_installed}" OPTIONAL)

# What it says for static libraries names archives in the folder that StarPU was built in.
file(READ "${frond_starpu_folder}/pkgconfig/starpu-1.4.pc" text)
string(REGEX REPLACE "(^|\n)(prefix|exec_prefix|libdir|pkglibdir|includedir|starpu_includedir)=[^\n]*" "" text "${text}")
string(REGEX REPLACE " /[^ \n]*\\.a|-Wl,--(start|end)-group" "" text "${text}")
file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/starpu-1.4.pc"
  "prefix=\${pcfiledir}/../..\nexec_prefix=\${prefix}\nlibdir=\${prefix}/lib\nincludedir=\${prefix}/include\n"
  "starpu_includedir=\${includedir}/starpu/1.4\n${text}")
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/starpu-1.4.pc" DESTINATION "${frond_starpu_installed}/lib/pkgconfig")
