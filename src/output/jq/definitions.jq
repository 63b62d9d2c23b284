# What jq has and the libraries lack, or have only with functions that are left out here.
def error_of($what): error("\(type) cannot be \($what)");
def date: todate;

# Formats
def @html: tostring | (./"&" | join("&amp;")) | (./"<" | join("&lt;")) | (./">" | join("&gt;"))
  | (./"'" | join("&#39;")) | (./"\"" | join("&quot;"));
def @csv:
  if isarray then map(
    if isstring then "\"" + (./"\"" | join("\"\"")) + "\""
    elif . == null then ""
    elif isnumber or isboolean then tostring
    else error_of("a CSV field") end) | join(",")
  else error_of("a CSV row") end;
def @tsv:
  if isarray then map(
    if isstring then (./"\\" | join("\\\\")) | (./"\t" | join("\\t")) | (./"\n" | join("\\n")) | (./"\r" | join("\\r"))
    elif . == null then ""
    elif isnumber or isboolean then tostring
    else error_of("a TSV field") end) | join("\t")
  else error_of("a TSV row") end;

# SQL style
def IN(s): any(s == .; .);
def IN(src; s): any(src == s; .);
def INDEX(stream; f): reduce stream as $row ({}; .[$row | f | tostring] |= $row);
def INDEX(f): INDEX(.[]; f);
def ascii: [.] | implode;
