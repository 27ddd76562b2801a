# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Which mirrors of the distribution's own archive this machine's apt is set up with.

# distribution_family: debian or ubuntu, or nothing.
distribution_family() {
  # shellcheck disable=SC1091
  (. /etc/os-release && case " ${ID:-} ${ID_LIKE:-} " in
    *" ubuntu "*) echo ubuntu ;;
    *" debian "*) echo debian ;;
  esac)
}

# apt_entries: every enabled binary entry as "uri<TAB>suites<TAB>components<TAB>keyring".
apt_entries() {
  local file
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [[ ! -r $file ]] || apt_entries_of_list "$file"
  done
  for file in /etc/apt/sources.list.d/*.sources; do
    [[ ! -r $file ]] || apt_entries_of_deb822 "$file"
  done
}

# One entry a line: deb [options] uri suite component...
apt_entries_of_list() {
  awk '
    $1 == "deb" {
      keyring = ""
      line = $0
      if (match(line, /\[[^]]*\]/)) {
        options = substr(line, RSTART + 1, RLENGTH - 2)
        line = substr(line, 1, RSTART - 1) substr(line, RSTART + RLENGTH)
        if (match(options, /signed-by=[^ ]*/)) keyring = substr(options, RSTART + 10, RLENGTH - 10)
      }
      count = split(line, word, " ")
      components = ""
      for (i = 4; i <= count; ++i) components = components " " word[i]
      printf "%s\t%s\t%s\t%s\n", word[2], word[3], components, keyring
    }' "$1"
}

# Paragraphs of "Field: value"; a keyring given inline (several lines) is left to apt's own trust.
apt_entries_of_deb822() {
  awk '
    function finish(  count, uri, i) {
      if (field["types"] ~ /(^| )deb( |$)/ && tolower(field["enabled"]) != "no") {
        if (field["signed-by"] !~ /^\/[^ ]*$/) field["signed-by"] = ""
        count = split(field["uris"], uri, " ")
        for (i = 1; i <= count; ++i)
          printf "%s\t%s\t%s\t%s\n", uri[i], field["suites"], field["components"], field["signed-by"]
      }
      split("", field)
    }
    /^#/ { next }
    /^[ \t]*$/ { finish(); next }
    /^[^ \t][^:]*:/ {
      name = tolower(substr($0, 1, index($0, ":") - 1))
      value = substr($0, index($0, ":") + 1)
      gsub(/^[ \t]+|[ \t]+$/, "", value)
      field[name] = value
      next
    }
    { gsub(/^[ \t]+/, ""); field[name] = field[name] " " $0 }
    END { finish() }' "$1"
}

# apt_archives FAMILY: "uri<TAB>keyring" of each mirror that may carry the distribution's sources:
# its main component under a suite without a dash (so neither -updates nor -security).
apt_archives() {
  local suites='bookworm|trixie|forky|duke|sid|unstable|testing|stable|oldstable'
  [[ $1 != ubuntu ]] || suites='[a-z]+'
  apt_entries | awk -F'\t' -v suites="^($suites)\$" '
    {
      count = split($2, suite, " ")
      for (i = 1; i <= count; ++i)
        if (suite[i] ~ suites && (" " $3 " ") ~ / main / && $1 !~ /^cdrom:/) {
          entry = $1 "\t" $4
          if (!(entry in seen)) print entry
          seen[entry] = 1
        }
    }'
}
