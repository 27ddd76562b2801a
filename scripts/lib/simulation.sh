# shellcheck shell=bash disable=SC2034,SC2154
# SPDX-License-Identifier: BSD-3-Clause
# StarPU-SimGrid: the StarPU that `frond simulate` is built with, in a prefix of its own.

# prepare_simulation CACHE: sets starpu_prefix.
prepare_simulation() {
  starpu_use=simulate
  frond_packages=(libsimgrid-dev) frond_optional_packages=()
  install_packages "$1"
  make_starpu "$1" "$(starpu_recipe_hash "")" ""
}

# try_simulation WORK PREFIX: one task on a simulated core. SimGrid reads files of this document type alone, and fetches nothing.
try_simulation() {
  local flags bus=$1/machine/bus
  mkdir -p "$bus"
  cat >"$bus/try.platform.v4.xml" <<'END'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="node" routing="Full">
    <host id="MAIN" speed="1f"/>
    <host id="CPU0" speed="1f"/>
    <host id="RAM" speed="1f"/>
  </zone>
</platform>
END
  printf '0\n' | tee "$bus/try.latency" "$bus/try.bandwidth" >"$bus/try.config"
  read -ra flags <<<"$(starpu_pkg_config "$2" --cflags --libs starpu-1.4)"
  cc -w -o "$1/try" "$frond_scripts/lib/try_simulation.c" "${flags[@]}" -Wl,-rpath,"$2/lib"
  STARPU_PERF_MODEL_DIR=$1/machine STARPU_HOSTNAME=try STARPU_HOME=$1 timeout 120 "$1/try"
}
