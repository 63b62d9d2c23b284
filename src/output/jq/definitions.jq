# Functions of jq that the library lacks or defines differently.
def error_of($what): error("\(type) cannot be \($what)");
def todateiso8601: strftime("%Y-%m-%dT%H:%M:%SZ");
def todate: todateiso8601;
def date: todate;
def toarray: if isarray then . else [.] end;
def trimstr($s): ltrimstr($s) | rtrimstr($s);
def ascii: [.] | implode;

# Formats
def @text: tostring;
def @sh: [if isarray then .[] end
  | if isstring then "'" + escape_sh + "'"
    elif isarray or isobject then error_of("quoted for a shell")
    else tostring end] | join(" ");
def @html: tostring | escape_html / "&apos;" | join("&#39;");
def @base64d: tostring | . + "==="[:(4 - length % 4) % 4] | decode_base64;
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

# Arrays and objects
def join($s): map(
    if . == null then ""
    elif isarray or isobject then error_of("joined")
    else tostring end) | .[:-1][] += $s | add // "";
def from_entries: reduce .[] as $x ({};
  . + { ($x | [.key, .k, .name, .Name, .K, .Key | values] | first | tostring):
        ($x | if has("value") then .value elif has("v") then .v else .Value end) });
def with_entries(f): to_entries | map(f) | from_entries;
# Keeps the order of fields. Deletes the last path first, so that the other paths stay valid.
def delpaths($paths): reduce ($paths | unique | reverse[]) as $path (.;
  if $path == [] then null
  elif getpath($path[:-1]) == null then .
  else $path[-1] as $key | getpath($path[:-1]) |=
    if isobject then [to_entries[] | select(.key != $key)] | from_entries else .[$key] |= empty end
  end);
def del(f): delpaths([path(f)]);

# SQL style
def IN(s): any(s == .; .);
def IN(src; s): any(src == s; .);
def INDEX(stream; f): reduce stream as $row ({}; .[$row | f | tostring] |= $row);
def INDEX(f): INDEX(.[]; f);
