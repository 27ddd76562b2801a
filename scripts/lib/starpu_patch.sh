# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# What we change in StarPU's source before the build; each change says why and is checked.

# starpu_patch SOURCE
starpu_patch() {
  patch_compute_mode "$1"
  patch_out_cublas "$1"
  patch_out_reset "$1"
  patch_missing_folder "$1"
  patch_names_of_states "$1"
}

# CUDA 13 took the field computeMode away; the mode it asked about is gone since CUDA 4.
patch_compute_mode() {
  sed -i 's/props\[devid\]\.computeMode == cudaComputeModeExclusive/0/' \
    "$1"/src/drivers/cuda/driver_cuda.c "$1"/src/drivers/cuda/driver_cuda1.c
  if grep -n 'props\[devid\]\.computeMode' "$1"/src/drivers/cuda/driver_cuda{,1}.c; then
    echo "a use of computeMode is left: StarPU's CUDA driver has changed" >&2
    return 1
  fi
}

# StarPU links cuBLAS, cuSPARSE and cuSOLVER only for helpers that Frond does not call
# (starpu_cublas_init and its kin). Loading them takes 0.1 s and 260 MB of every process, also
# where no GPU is. The last two are left out by configure's cache variables (starpu_build.sh);
# cuBLAS needs its two sources compiled as if there were no CUDA.
patch_out_cublas() {
  sed -i 's/#ifdef STARPU_USE_CUDA/#ifdef FROND_STARPU_WITH_CUBLAS/' \
    "$1"/src/drivers/cuda/starpu_cublas.c "$1"/src/drivers/cuda/starpu_cublas_v2.c
  # shellcheck disable=SC2016
  sed -i 's/^\(\s*STARPU_CUDA_LDFLAGS="$STARPU_CUDA_LDFLAGS -lcudart\) -lcublas"/\1"/' \
    "$1"/configure
  if grep -n 'CUDA_LDFLAGS -lcudart -lcublas"' "$1"/configure; then
    echo "configure still links cuBLAS: it has changed" >&2
    return 1
  fi
}

# Where StarPU has no measurement of the bus yet, starpu_init makes one on the caller's thread and
# ends it by resetting each card, and with it all memory that the application has there. What the
# measurement allocates it frees before. The cards' access to each other stays on without a reset,
# so that the workers must not take "already enabled" for an error.
patch_out_reset() {
  local bus=$1/src/core/perfmodel/perfmodel_bus.c driver=$1/src/drivers/cuda/driver_cuda.c
  sed -i 's/^\(\s*\)cudaDeviceReset();$/\1; \/* no reset *\//' "$bus"
  sed -i '/cudaDeviceEnablePeerAccess(worker->devid, 0)/,/if (!cures)/ s/if (!cures)/if (!cures || cures == cudaErrorPeerAccessAlreadyEnabled)/' \
    "$driver"
  if grep -rn 'cudaDeviceReset *(' "$1/src" || [[ $(grep -c '; /\* no reset \*/$' "$bus") -lt 2 ]] ||
    ! grep -q 'if (!cures || cures == cudaErrorPeerAccessAlreadyEnabled)' "$driver"; then
    echo "StarPU's measurement of the bus, or how cards are given access to each other, has changed" >&2
    return 1
  fi
}

# Where StarPU's own folder of measurements cannot be read (an installation that was moved, or that
# another user made), StarPU says so at each start, also when STARPU_SILENT asks it not to.
patch_missing_folder() {
  local model=$1/src/core/perfmodel/perfmodel.c
  sed -i 's/_STARPU_MSG("Warning: directory <%s> as set %s does not exist/_STARPU_DISP("Warning: directory <%s> as set %s does not exist/' "$model"
  if ! grep -q '_STARPU_DISP("Warning: directory <%s> as set %s does not exist' "$model"; then
    echo "StarPU's warning of a missing folder has changed" >&2
    return 1
  fi
}

# starpu_fxt_tool looks for the name of each task in a list of all names before, and Frond's tasks have names of their
# own: 122,000 tasks took more than nine minutes. With 65,536 lists, by a hash of the name (FNV-1a), they take nine seconds.
patch_names_of_states() {
  local fxt=$1/src/debug/traces/starpu_fxt.c
  sed -i -e 's/^static struct _starpu_symbol_name_list symbol_list;$/static struct _starpu_symbol_name_list symbol_lists[1 << 16];\
static unsigned symbol_list_of(const char *name)\
{\
	unsigned hash = 2166136261U;\
	while (*name) hash = (hash ^ (unsigned char) *name++) * 16777619U;\
	return (hash ^ (hash >> 16)) \& 0xffff;\
}/' \
    -e '/^static void create_paje_state_if_not_found/,/^}/ s/&symbol_list\([,)]\)/\&symbol_lists[symbol_list_of(name)]\1/' \
    -e '/^void _starpu_fxt_paje_file_close/,/^}/ s/&symbol_list\([,)]\)/\&symbol_lists[list]\1/' \
    -e '/^void _starpu_fxt_paje_file_close/,/^}/ s/^\(\s*\)struct _starpu_symbol_name \*itor, \*next;$/&\
\1unsigned list;\
\1for (list = 0; list < 1 << 16; list++)/' \
    -e 's/^\(\s*\)_starpu_symbol_name_list_init(&symbol_list);$/\1unsigned list;\
\1for (list = 0; list < 1 << 16; list++) _starpu_symbol_name_list_init(\&symbol_lists[list]);/' "$fxt"
  if grep -n '&symbol_list[,)]' "$fxt" || ! grep -q 'symbol_lists\[symbol_list_of(name)\]' "$fxt"; then
    echo "how starpu_fxt_tool finds the names of states has changed" >&2
    return 1
  fi
}
