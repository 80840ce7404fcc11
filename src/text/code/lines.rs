//! Lines: whether one could hardly be prose, by the idioms of many programming languages.

/// Longest line that is judged, in bytes; a longer one is a paragraph.
const LONGEST: usize = 400;

/// The kind of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Blank,
    /// Prose, or anything else.
    Other,
    LikeCode,
    Idiom,
}

/// The kind of a line.
pub(super) fn kind(line: &str) -> Kind {
    let trimmed = line.trim();
    if trimmed.is_empty() {
        Kind::Blank
    } else if trimmed.len() > LONGEST {
        Kind::Other
    } else if is_comment(trimmed) {
        Kind::LikeCode
    } else if is_opening(trimmed)
        || is_statement(without_comment(trimmed))
        || is_head(trimmed)
        || is_import(trimmed)
        || is_call(trimmed)
        || is_assigned(trimmed)
        || is_markup(trimmed)
        || is_entry(trimmed)
        || is_query(trimmed)
        || is_rule(trimmed)
    {
        Kind::Idiom
    } else if is_like_code(line, trimmed) {
        Kind::LikeCode
    } else {
        Kind::Other
    }
}

/// True for a character of names in code.
fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The name that begins a text; dots, arrows and colons may join several: `std::vector`, `self.words`.
fn name(text: &str) -> &str {
    let mut end = 0;
    loop {
        let rest = &text[end..];
        let length = rest.find(|c| !is_of_name(c)).unwrap_or(rest.len());
        if length == 0 {
            return &text[..end];
        }
        end += length;
        let rest = &text[end..];
        match [".", "::", "->", "\\"].into_iter().find(|joint| {
            rest.strip_prefix(joint).is_some_and(|next| next.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'))
        }) {
            Some(joint) => end += joint.len(),
            None => return &text[..end],
        }
    }
}

/// The first word of a line and what follows, without the blanks between.
fn first_word(line: &str) -> (&str, &str) {
    let length = line.find(|c| !is_of_name(c)).unwrap_or(line.len());
    (&line[..length], line[length..].trim_start())
}

/// The arguments of the first call in a text: a name, and brackets directly behind it.
fn call(text: &str) -> Option<&str> {
    text.match_indices('(').find_map(|(at, _)| {
        let is_called = text[..at].ends_with(|c| is_of_name(c) || c == '!') && text[..at].is_ascii();
        is_called.then(|| &text[at + 1..])
    })
}

/// True if a text has a call that no prose has: `étudiant(e)` and `f(x)` are none.
fn has_call(text: &str) -> bool {
    call(text).is_some_and(|arguments| {
        let inside = arguments.split(')').next().unwrap_or_default();
        let is_word = !inside.is_empty() && inside.chars().all(char::is_alphanumeric);
        !is_word && !inside.contains(". ")
    })
}

/// True for operators that join expressions in many programming languages.
fn has_operator(text: &str) -> bool {
    ["==", "!=", "<=", ">=", "&&", "||", "+=", "-=", "*=", "/=", "++", "->", "=>", "::", ":=", "<<", ">>"]
        .iter()
        .any(|operator| text.contains(operator))
}

/// True if a text begins with a number, a string, a bracket or a sign, or has a call, an index or a joined name: the
/// right side of an assignment.
fn is_expression(text: &str) -> bool {
    text.starts_with(['"', '\'', '[', '{', '$', '&', '@', '`'])
        || has_call(text)
        || has_operator(text)
        || name(text).contains(['.', '_'])
        || text.contains(['[', '{'])
}

/// True for a line that opens a block: `while (count > 0) {`, `} else {`, `.tide td {`.
fn is_opening(line: &str) -> bool {
    // `T{` begins a text in a table of a manual page, `\footnote{` a text in LaTeX.
    let is_other = |head: &str| head.contains('\\') || head.ends_with(|c: char| c.is_uppercase());
    line.strip_suffix('{').is_some_and(|head| {
        head.trim_end().ends_with(')') || head.starts_with('}') || !head.is_empty() && !is_other(head)
    })
}

/// A line without the comment at its end: `return NULL; /* none */`.
fn without_comment(line: &str) -> &str {
    line.strip_suffix("*/").and_then(|line| line.rsplit_once("/*")).map_or(line, |(code, _)| code.trim_end())
}

/// True for a statement: `x = f(y);`, `return;`, `int count;`.
fn is_statement(line: &str) -> bool {
    let Some(body) = line.strip_suffix(';') else { return false };
    let (word, rest) = first_word(body);
    let begins = body.starts_with(|c| is_of_name(c) || matches!(c, '$' | '@' | '*' | '&' | '(' | '}' | '+' | '-'));
    let has_sign = body.contains(" = ") || has_call(body) || begins && has_operator(body) || body.ends_with(']');
    let is_jump = matches!(word, "break" | "continue" | "return" | "throw" | "goto" | "yield");
    // Names that dots or underlines join stand in no prose: `await tide.next.high;`, `return self.height + other.height;`.
    let is_joined = |word: &str| name(word).contains(['_', '>', '.']) && name(word).len() == word.len();
    let is_jump_of_names = (is_jump || word == "await") && rest.split_whitespace().any(is_joined);
    let is_declared = is_type(word) && !rest.is_empty() && rest.split_whitespace().count() <= 2;
    has_sign || is_declared || is_jump_of_names || is_jump && rest.split_whitespace().count() <= 2
}

/// True for the name of a type in C and its heirs.
fn is_type(word: &str) -> bool {
    const TYPES: [&str; 19] = [
        "int", "float", "double", "char", "bool", "boolean", "string", "String", "void", "long", "unsigned", "var",
        "let", "const", "auto", "val", "static", "final", "mut",
    ];
    TYPES.contains(&word)
}

/// True for the head of a definition, a loop or a condition: `def f(x):`, `for i in range(9):`, `public class Tide {`.
fn is_head(line: &str) -> bool {
    let (word, rest) = first_word(line);
    let opens = line.ends_with([':', '{', '(', ')']) || line.ends_with(" then") || line.ends_with(" do");
    match word {
        "def" | "function" | "fn" | "func" | "sub" | "fun" | "proc" | "async" => {
            opens && (has_call(line) || rest.ends_with('{') || call(line).is_some())
        }
        "class" | "struct" | "enum" | "interface" | "trait" | "impl" | "namespace" | "module" => {
            line.ends_with(['{', ':']) && rest.split_whitespace().count() <= 6 && !name(rest).is_empty()
        }
        "public" | "private" | "protected" | "static" | "export" | "pub" | "abstract" | "override" => {
            (opens || line.ends_with(['}', ';'])) && rest.split_whitespace().count() <= 12
        }
        "if" | "elif" | "while" | "for" | "switch" | "catch" | "foreach" | "unless" | "when" | "match" | "with" => {
            let has_sign = has_operator(rest) || has_call(rest) || rest.starts_with('(') || rest.starts_with("[ ");
            let is_loop = word == "for" && rest.contains(" in ") && rest.split_whitespace().count() <= 5;
            let is_endless = rest.trim_end_matches(':').eq_ignore_ascii_case("true");
            let is_aside = rest.starts_with('(') && line.ends_with(')') && !has_operator(rest) && !has_call(rest);
            let is_compared = rest.contains(" > ") || rest.contains(" < ");
            opens && !is_aside && (has_sign || is_loop || is_endless || is_compared)
        }
        "try" | "else" | "finally" | "do" => matches!(rest, ":" | "{"),
        "except" => rest.ends_with(':') && rest.split_whitespace().count() <= 4,
        "return" => {
            !line.ends_with('.')
                && (has_call(rest)
                    || call(rest).is_some() && rest.ends_with(')')
                    || has_operator(rest)
                    || rest.starts_with(['"', '[', '{', '(', '-']))
        }
        "raise" | "throw" | "print" | "echo" | "puts" | "printf" | "assert" => {
            has_call(line) || rest.starts_with(['"', '$', '\'']) || has_operator(rest)
        }
        "" => {
            line.starts_with('@')
                && !name(&line[1..]).is_empty()
                && name(&line[1..]).len() + 1 == line.len()
                && !line.contains('.')
                || line.starts_with("#!/")
        }
        _ => false,
    }
}

/// True for a line that makes another file part of the program.
fn is_import(line: &str) -> bool {
    let (word, rest) = first_word(line);
    let is_short = |most: usize| rest.split_whitespace().count() <= most && !rest.ends_with('.');
    match word {
        "import" => {
            is_short(6)
                && (line.ends_with(';')
                    || rest.starts_with(['{', '"', '\'', '*', '('])
                    || rest.contains(" as ")
                    || rest.contains(" from ")
                    || rest.contains('.')
                    || rest.contains(", ")
                        && rest.split(", ").all(|file| !file.is_empty() && file.chars().all(is_of_name))
                    || is_short(1))
        }
        "from" => is_short(9) && rest.contains(" import "),
        "using" | "package" | "use" => line.ends_with(';') && is_short(4),
        "require" | "include" | "library" => has_call(line) || rest.starts_with(['"', '\'']),
        "" => {
            let directive = line.strip_prefix('#').map(first_word);
            directive.is_some_and(|(word, rest)| match word {
                "include" | "import" => rest.starts_with(['<', '"']),
                "define" | "ifdef" | "ifndef" | "pragma" | "undef" => is_short_name(rest),
                "endif" => true,
                _ => false,
            })
        }
        _ => false,
    }
}

fn is_short_name(text: &str) -> bool {
    !name(text).is_empty() && text.split_whitespace().count() <= 8
}

/// True for a line that is one call: `print("x")`, `tides.sort()`.
fn is_call(line: &str) -> bool {
    let line = line.strip_prefix("await ").unwrap_or(line).trim_start_matches(['.', '$', '@', '&', '!', '*']);
    let called = name(line);
    let rest = &line[called.len()..];
    let Some(arguments) = rest.strip_prefix('!').unwrap_or(rest).strip_prefix('(') else { return false };
    let is_closed = line.ends_with([')', ',', '{', '(', '\\']) || line.ends_with("):");
    let is_name = called.contains(['.', '_', ':', '>']) || called.starts_with(|c: char| c.is_ascii_lowercase());
    let first = arguments.split([')', ',']).next().unwrap_or_default();
    let is_words = !first.is_empty() && first.chars().all(|c| c.is_alphanumeric() || c.is_whitespace());
    // `word(s)` and `socket(2)` stand in prose, `push(word, 2)` does not.
    is_name && is_closed && (!is_words || arguments.contains(',') && !arguments.contains(". "))
}

/// True for an assignment whose sides are not those of mathematics: `self.words = []`, `x <- c(1, 2)`.
fn is_assigned(line: &str) -> bool {
    let (word, declared) = first_word(line);
    let is_declaration = is_type(word) || matches!(word, "export" | "local" | "my" | "set");
    let line = if is_declaration { declared } else { line };
    let left = name(line.trim_start_matches(['$', '@', '%', '*']));
    if left.is_empty() || left.chars().all(|c| c.is_ascii_digit()) {
        return false;
    }
    let start = line.find(left).unwrap_or_default() + left.len();
    let mut rest = line[start..].trim_start();
    if rest.starts_with('[')
        && let Some(end) = rest.find(']')
    {
        rest = rest[end + 1..].trim_start();
    }
    // An annotation of the type.
    if let Some(annotated) = rest.strip_prefix(": ")
        && let Some(at) = annotated.find(" = ")
        && annotated[..at].split_whitespace().count() <= 2
    {
        rest = &annotated[at + 1..];
    }
    let right =
        ["+=", "-=", "*=", "/=", "|=", "&=", ":=", "<-", "="].into_iter().find_map(|sign| rest.strip_prefix(sign));
    right.is_some_and(|right| {
        let right = right.trim();
        let is_of_code =
            left.contains(['.', '_', ':', '>']) && !right.is_empty() && right.split_whitespace().count() <= 8;
        !right.starts_with('=') && !right.ends_with('.') && (is_expression(right) || is_of_code)
    })
}

/// True for a line that in prose is one of code too, but makes no listing of its lines: a command of a shell (`$ make`,
/// `git commit -a`, `export PATH=/bin`) or of TeX (`\usepackage[utf8]{inputenc}`), a rule such as `@media …`, a comment
/// (`/* high */`).
pub(super) fn is_command(line: &str) -> bool {
    const RULES: [&str; 5] = ["media", "import", "supports", "keyframes", "charset"];
    let line = line.trim();
    let (word, rest) = first_word(line);
    let is_option = |word: &str| {
        word.strip_prefix('-').is_some_and(|option| option.trim_start_matches('-').starts_with(is_of_name))
    };
    let begins = |sign: char, next: fn(&str) -> bool| line.strip_prefix(sign).is_some_and(next);
    begins('$', |rest| rest.strip_prefix(' ').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase())))
        || begins('@', |rest| RULES.contains(&first_word(rest).0) && rest.contains(['(', '{', '"', '\'', ';']))
        || begins('\\', |rest| !name(rest).is_empty() && rest[name(rest).len()..].starts_with(['{', '[', '*']))
        || line.starts_with("/*") && line.ends_with("*/")
        || word == "export" && rest[name(rest).len()..].starts_with('=') && !name(rest).is_empty()
        || is_shell(line) && line.split_whitespace().skip(1).any(is_option) && !line.ends_with('.')
        || line.strip_prefix("sudo ").is_some_and(is_shell)
}

/// True if a line begins with a program that is called in a shell.
fn is_shell(line: &str) -> bool {
    const PROGRAMS: [&str; 23] = [
        "sudo", "git", "apt", "apt-get", "npm", "pip", "pip3", "cargo", "docker", "curl", "wget", "brew", "tar", "ssh",
        "scp", "rsync", "grep", "sed", "chmod", "mkdir", "rm", "cp", "kubectl",
    ];
    line.split_whitespace().next().is_some_and(|first| PROGRAMS.contains(&first))
}

/// True for an element of HTML or XML that fills its line.
fn is_markup(line: &str) -> bool {
    let Some(inside) = line.strip_prefix('<') else { return false };
    let inside = inside.strip_prefix(['/', '!', '?']).unwrap_or(inside);
    let is_named = inside.starts_with(|c: char| c.is_ascii_alphabetic() || c == '-');
    is_named && line.ends_with('>') && !line.contains('@') && !inside.starts_with("http")
}

/// True for an entry of JSON: `"key": value,`.
fn is_entry(line: &str) -> bool {
    let key = line.strip_prefix('"').and_then(|rest| rest.split_once("\":"));
    key.is_some_and(|(key, value)| {
        let value = value.trim();
        !key.is_empty()
            && key.chars().all(|c| is_of_name(c) || matches!(c, '-' | '.' | '@' | '$' | ' '))
            && (value.starts_with(['"', '[', '{', '-', 't', 'f', 'n'])
                || value.starts_with(|c: char| c.is_ascii_digit()))
            && (value.ends_with([',', '[', '{', '}', ']', '"']) || value.len() <= 20)
    })
}

/// True for a line of a stylesheet: `.tide {`, `.tide { color: blue; }`, `font-size: 12px;`.
fn is_rule(line: &str) -> bool {
    let is_property = |name: &str| {
        name.len() > 1 && name.bytes().all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'-' | b'_'))
    };
    if let Some((selector, inside)) = line.strip_suffix('}').and_then(|rest| rest.split_once('{')) {
        let (name, _) = inside.split_once(':').unwrap_or_default();
        return !selector.ends_with(['$', '\\', '{']) && is_property(name.trim());
    }
    let declared = line.trim_end_matches([' ', '}']).strip_suffix(';').and_then(|rest| rest.split_once(':'));
    declared.is_some_and(|(name, value)| {
        let mut words = value.split_whitespace();
        let is_short = words.clone().count() <= 8;
        let has_number =
            words.any(|word| word.starts_with(['#', '-', '.']) || word.starts_with(|c: char| c.is_ascii_digit()));
        is_property(name.trim_end()) && is_short && (has_number || name.contains('-'))
    })
}

/// True for a line of a query in SQL.
fn is_query(line: &str) -> bool {
    const STARTS: [&str; 12] = [
        "SELECT ",
        "INSERT INTO ",
        "CREATE TABLE ",
        "DELETE FROM ",
        "UPDATE ",
        "INNER JOIN ",
        "LEFT JOIN ",
        "GROUP BY ",
        "ORDER BY ",
        "ALTER TABLE ",
        "DROP TABLE ",
        "PRIMARY KEY",
    ];
    STARTS.iter().any(|start| line.starts_with(start)) && line.contains(|c: char| c.is_ascii_lowercase() || c == '*')
}

/// True for a comment, which prose may look like.
fn is_comment(line: &str) -> bool {
    line.starts_with("//")
        || line.starts_with("/*")
        || line.starts_with("* ")
        || line == "*/"
        || line.starts_with("<!--")
        || line.starts_with("-- ")
        || line.starts_with("# ") && !line.ends_with('#')
}

/// True for one of the selectors of a rule: `.tide td.high,`.
fn is_selector(line: &str) -> bool {
    let is_part = |word: &str| {
        word.starts_with(['.', '#', '*', '['])
            || name(word).starts_with(|c: char| c.is_ascii_alphabetic()) && word.contains(['.', '#', '[', ':'])
    };
    line.strip_suffix(',').is_some_and(|line| line.len() > 1 && line.split_whitespace().all(is_part))
}

/// True for a line that prose could have as well as code.
fn is_like_code(line: &str, trimmed: &str) -> bool {
    let is_closing = trimmed.chars().all(|c| matches!(c, '{' | '}' | '(' | ')' | '[' | ']' | ';' | ',' | '<' | '>'));
    let is_word = matches!(
        trimmed,
        "end"
            | "fi"
            | "done"
            | "else"
            | "pass"
            | "break"
            | "continue"
            | "esac"
            | "begin"
            | "do"
            | "then"
            | "BEGIN"
            | "END"
            | "end;"
            | "END;"
            | "return"
            | "default:"
    );
    let is_prompt = trimmed.starts_with(">>> ") || trimmed.starts_with("$ ") || trimmed.starts_with("... ");
    let is_indented = line.starts_with("  ") || line.starts_with('\t');
    let has_signs = || trimmed.contains(['{', '}', ';', '=', '<', '>', '[', '_', '$', '\\']) || has_call(trimmed);
    let is_case = (trimmed.starts_with("case ") || trimmed.starts_with("default")) && trimmed.ends_with(':');
    let ends = trimmed.ends_with(['{', '}', ';', '\\']) && trimmed.is_ascii();
    is_closing
        || is_word
        || is_prompt
        || is_case
        || is_indented && has_signs()
        || ends
        || trimmed.contains(" = ") && trimmed.split_whitespace().count() <= 8
        || has_operator(trimmed) && has_call(trimmed)
        || is_selector(trimmed)
}
