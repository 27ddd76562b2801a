# SPDX-License-Identifier: BSD-3-Clause
# Install StarPU beside Frond, as a prefix of its own in the folder of libraries: its library and licence, its headers for
# applications that start StarPU themselves, and its pkg-config file, which finds all of it by where it lies itself.
set(frond_starpu_installed "${CMAKE_INSTALL_LIBDIR}/frond/starpu")

file(GLOB starpu_libraries "${StarPU_LIBRARY}*")
install(FILES ${starpu_libraries} DESTINATION "${frond_starpu_installed}/lib")
list(GET _starpu_INCLUDE_DIRS 0 starpu_headers)
install(DIRECTORY "${starpu_headers}/" DESTINATION "${frond_starpu_installed}/include/starpu/1.4")
install(FILES "${StarPU_PREFIX}/share/doc/starpu/COPYING.LGPL" DESTINATION "${frond_starpu_installed}" OPTIONAL)

# frond_install_starpu_package(name): its pkg-config file. What that says for static libraries names archives in the folder
# that StarPU was built in.
function(frond_install_starpu_package name)
  file(READ "${frond_starpu_folder}/pkgconfig/${name}.pc" text)
  string(REGEX REPLACE "(^|\n)(prefix|exec_prefix|libdir|pkglibdir|includedir|starpu_includedir)=[^\n]*" "" text "${text}")
  string(REGEX REPLACE " /[^ \n]*\\.a|-Wl,--(start|end)-group" "" text "${text}")
  file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/${name}.pc"
    "prefix=\${pcfiledir}/../..\nexec_prefix=\${prefix}\nlibdir=\${prefix}/lib\nincludedir=\${prefix}/include\n"
    "starpu_includedir=\${includedir}/starpu/1.4\n${text}")
  install(FILES "${CMAKE_CURRENT_BINARY_DIR}/${name}.pc" DESTINATION "${frond_starpu_installed}/lib/pkgconfig")
endfunction()
frond_install_starpu_package(starpu-1.4)

# StarPU-MPI as well, where Frond uses it. It looks for StarPU beside itself, no longer where StarPU was built.
if(TARGET StarPU::mpi)
  file(GLOB starpu_mpi_libraries "${StarPU_MPI_LIBRARY}*")
  install(FILES ${starpu_mpi_libraries} DESTINATION "${frond_starpu_installed}/lib")
  frond_install_starpu_package(starpumpi-1.4)
  file(REAL_PATH "${StarPU_MPI_LIBRARY}" starpu_mpi_file)
  cmake_path(GET starpu_mpi_file FILENAME starpu_mpi_file)
  install(CODE "
    set(library \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${frond_starpu_installed}/lib/${starpu_mpi_file}\")
    file(READ_ELF \"\${library}\" RUNPATH runpath RPATH rpath CAPTURE_ERROR unread)
    if(runpath OR rpath)
      file(RPATH_SET FILE \"\${library}\" NEW_RPATH \"\\$ORIGIN\")
    endif()")
endif()
