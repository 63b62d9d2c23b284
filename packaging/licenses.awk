# Formats the blocks that packaging/licenses collects, as one text (-v form=text) or as paragraphs of a Debian copyright file
# (-v form=debian). A block has the name of a licence, the packages under it, and its text between %%text and %%end.

function finish_head() {
  if (form == "debian") {
    printf "\nFiles:%s\nCopyright: %s\nLicense: %s\n", files, holders == "" ? "the authors of these packages" : holders, id "-" number
  } else {
    printf "\n%s\n%s\n\n%s:\n%s\n", rule, id, "Used by", names
  }
}

function print_reference(name) {
  printf " On Debian systems, the text of this license is in\n /usr/share/common-licenses/%s.\n", name
}

BEGIN {
  rule = "--------------------------------------------------------------------------------"
  debian_has["Apache-2.0"] = debian_has["MPL-2.0"] = 1
}

/^%%license / { id = substr($0, 11); files = names = holders = ""; number++; next }
/^%%package / {
  files = files "\n vendor/" $2 "-" $3 "/*"
  names = names "  " $2 " " $3 "\n"
  next
}
/^%%text$/ { inside = 1; lines = 0; next }
/^%%end$/ {
  inside = 0
  # Drop empty lines before and after the text.
  first = 1
  while (first <= lines && text[first] ~ /^[ \t\r]*$/) first++
  while (lines >= first && text[lines] ~ /^[ \t\r]*$/) lines--
  gsub(/ /, "-", id)
  if (form == "debian") gsub(/[^A-Za-z0-9.+-]/, "-", id)
  finish_head()
  # Debian policy: refer to the copy that every Debian system has. If another text contains the Apache licence, only that part is replaced.
  if (form == "debian" && (id in debian_has)) {
    print_reference(id)
    next
  }
  for (i = first; i <= lines; i++) {
    line = text[i]
    sub(/[ \t\r]+$/, "", line)
    if (form == "debian" && line ~ /^ *Apache License$/) in_apache = 1
    if (in_apache) {
      if (line !~ /END OF TERMS AND CONDITIONS/) continue
      in_apache = 0
      print_reference("Apache-2.0")
      continue
    }
    if (form == "debian") line = line == "" ? " ." : " " line
    print line
  }
  next
}
inside {
  text[++lines] = $0
  # The first such line names the copyright holders.
  if (holders == "" && $0 ~ /^[ \t]*Copyright[ :]/ && $0 ~ /[0-9]|\([cC]\)/) {
    holders = $0
    gsub(/^[ \t]*Copyright:? *|[ \t\r]+$/, "", holders)
  }
}
