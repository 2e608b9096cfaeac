# SPDX-License-Identifier: MIT
"""Functions as headers declare them and as a library names them, in one form: Class::name(types)."""

import re

BRACES = re.compile(r"\{[^{}]*\}")
SAME = {"unsigned int": "unsigned", "unsigned long": "size_t", "uint64_t": "size_t", "long": "int64_t",
        "PatchSink": "function<void(PatchPart,string_view)>",
        "chrono::milliseconds": "chrono::duration<int64_t,ratio<1l,1000l>>"}


def split_types(text):
    depth, types = 0, [""]
    for each in text:
        depth += (each in "<(") - (each in ">)")
        if each == "," and depth == 0:
            types.append("")
        else:
            types[-1] += each
    return [one.strip() for one in types if one.strip()]


def type_of(text):
    """Without what both sides write in their own way: `const`, namespaces, and templates' usual arguments."""
    text = re.sub(r"\bconst\b|\b__cxx11::|\bshadow::|\bworkspace::|\bstd::", "", text)
    text = re.sub(r"\bunsigned \w+|\b\w+(::\w+)*", lambda word: SAME.get(word.group(), word.group()), text)
    text = re.sub(r"\s*([<>(),&*])\s*", r"\1", text).strip()
    text = text.replace("basic_string_view<char,char_traits<char>>", "string_view")
    text = text.replace("basic_string<char,char_traits<char>,allocator<char>>", "string")
    return re.sub(r",(allocator|default_delete)<[^<>]*>>", ">", text)


def named(symbol):
    """A symbol as c++filt writes it; None for what is no function of ours."""
    match = re.fullmatch(r"shadow::(?:workspace::)?((?:\w+::)?(?:~?\w+|operator\W+))(?:\[abi:cxx11\])?\((.*)\)( const)?",
                         symbol)
    return f"{match[1]}({', '.join(type_of(one) for one in split_types(match[2]))})" if match else None


def function(statement, of):
    match = re.match(r"([^(]*?\W)??(~?\w+|operator[^\w(]+)\((.*)\)[^()]*$", statement)
    if not match or re.search(r"= (default|delete)$|^(using|friend)\b", statement):
        return None
    types = [re.sub(r"(?<=[\s&*])\w+$", "", one.split(" = ")[0]) or one for one in split_types(match[3])]
    return f"{of}{match[2]}({', '.join(type_of(one) for one in types)})"


def statements(text):
    """What ends in a semicolon, by itself; what has a body is inline, and left out. Nothing private."""
    text = re.sub(r"^ (?:private|protected):\n.*?(?=^ public:|\Z)", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"= \{\}", "", re.sub(r"\bpublic:|\[\[nodiscard\]\]", "", text))
    while BRACES.search(text):
        text = BRACES.sub("@", text)
    return [" ".join(each.split()) for each in re.split(r"[^;@]*@;?|;", text) if each.strip()]


def declared(header):
    """Functions that a header declares for programs, and leaves to the library."""
    text = re.sub(r"//.*|^#.*|^(namespace|using) .*|^\} *$", "", header, flags=re.MULTILINE)
    found = set()
    pattern = re.compile(r"^class (\w+)[^;{]*\{\n(.*?)^\};", re.MULTILINE | re.DOTALL)
    for of, body in pattern.findall(text):
        found |= {function(each, of + "::") for each in statements(body)}
    found |= {function(each, "") for each in statements(pattern.sub("", text))}
    return found - {None}
