//! Kinds of elements, by their names.

pub(super) fn is_never_displayed(tag: &str) -> bool {
    matches!(tag, "script" | "style" | "noscript" | "template" | "svg" | "iframe" | "title" | "select")
}

pub(super) fn is_heading(tag: &str) -> bool {
    matches!(tag, "h1" | "h2" | "h3" | "h4" | "h5" | "h6")
}

/// True for tags inside a line of text; all others end it.
pub(super) fn is_inline(tag: &str) -> bool {
    matches!(
        tag,
        "a" | "abbr"
            | "b"
            | "bdi"
            | "bdo"
            | "big"
            | "cite"
            | "code"
            | "data"
            | "del"
            | "dfn"
            | "em"
            | "font"
            | "i"
            | "img"
            | "ins"
            | "kbd"
            | "label"
            | "mark"
            | "q"
            | "s"
            | "samp"
            | "small"
            | "span"
            | "strong"
            | "sub"
            | "sup"
            | "time"
            | "tt"
            | "u"
            | "var"
            | "wbr"
    )
}

/// True for tags that are never closed.
pub(super) fn is_void(tag: &str) -> bool {
    matches!(
        tag,
        "area"
            | "base"
            | "br"
            | "col"
            | "embed"
            | "hr"
            | "img"
            | "input"
            | "link"
            | "meta"
            | "param"
            | "source"
            | "track"
            | "wbr"
    )
}

/// True for tags that may show what the page's text does not say.
pub(super) fn is_media(tag: &str) -> bool {
    matches!(
        tag,
        "amp-iframe"
            | "amp-img"
            | "amp-video"
            | "applet"
            | "audio"
            | "canvas"
            | "embed"
            | "frame"
            | "iframe"
            | "image"
            | "img"
            | "object"
            | "svg"
            | "video"
    )
}

/// True for tags that need not be closed: they stay open no longer than the tag around them.
pub(super) fn is_seldom_closed(tag: &str) -> bool {
    matches!(tag, "dd" | "dt" | "li" | "option" | "p" | "td" | "th" | "tr")
}

/// True for tags before which an open paragraph ends.
pub(super) fn ends_paragraph(tag: &str) -> bool {
    matches!(
        tag,
        "address"
            | "article"
            | "aside"
            | "blockquote"
            | "center"
            | "dd"
            | "details"
            | "dialog"
            | "dir"
            | "div"
            | "dl"
            | "dt"
            | "fieldset"
            | "figcaption"
            | "figure"
            | "footer"
            | "form"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
            | "header"
            | "hgroup"
            | "hr"
            | "li"
            | "listing"
            | "main"
            | "menu"
            | "nav"
            | "ol"
            | "p"
            | "plaintext"
            | "pre"
            | "search"
            | "section"
            | "summary"
            | "table"
            | "ul"
            | "xmp"
    )
}

/// True for tags that end a picture in SVG or a formula in `MathML`. Only inside these
/// does `/>` close a tag.
pub(super) fn is_breakout(tag: &str) -> bool {
    matches!(
        tag,
        "b" | "blockquote"
            | "body"
            | "br"
            | "center"
            | "code"
            | "desc"
            | "div"
            | "em"
            | "foreignobject"
            | "h1"
            | "h2"
            | "h3"
            | "hr"
            | "i"
            | "img"
            | "li"
            | "p"
            | "pre"
            | "span"
            | "strong"
            | "table"
            | "title"
            | "ul"
    )
}
