// Elements of the page: names, shares, and texts in colours.

/** `69 %`, rounded down, so that only the whole is 100; a share above 0 is never shown as 0. */
const percent = (words, of) => {
  const whole = Math.floor(100 * share(words, of) + 1e-9);
  return `${words > 0 && whole === 0 ? '<1' : whole}\u00a0%`;
};

// The folders that all ids begin with; names leave them out.
const prefix = foldersOf(texts.map(text => text.id));

/** What people call a document: its author if known, else its path. */
const nameOf = number => texts[number].name ?? (texts[number].id.slice(prefix.length) || texts[number].id);

const name = number => (texts[number].name
  ? h('bdi', { class: 'id', title: texts[number].id }, texts[number].name.split(/( )/).map(breakable))
  : path(texts[number].id, nameOf(number)));

const plainNames = new Map();
/** True if a name contains what is sought. */
function isFound(number, sought) {
  if (!plainNames.has(number)) plainNames.set(number, plain(`${nameOf(number)} ${texts[number].id}`));
  return plainNames.get(number).includes(plain(sought.trim()));
}

/** A share as a bar, hidden from screen readers: the figure beside it gives its length. */
function bar(words, of, colour = '') {
  const width = 100 * share(words, of);
  return svg('svg', { class: `bar ${colour}`, 'aria-hidden': 'true' },
    svg('rect', { class: 'all', width: '100%', height: '100%', rx: 2 }),
    svg('rect', { width: `${width.toFixed(2)}%`, height: '100%', rx: 2 }));
}

/** The colour class of a source by its rank; after eight the colours repeat, paler. */
const colour = number => `s${(number % 8) + 1}${number < 8 ? '' : ' again'}`;

/**
 * The text with spaces for the line breaks of wrapped paragraphs, which would leave short
 * lines in a narrower column. A break is removed after a full line: one longer than 75 %
 * of the 90th percentile of all lines up to 160 characters. No character is added or lost,
 * so every place stays.
 */
function unwrapped(text) {
  const lines = text.split('\n');
  const BROKEN = 160;
  const lengths = lines.map(line => line.trimEnd().length).filter(length => length > 0 && length <= BROKEN);
  const width = lengths.sort((x, y) => x - y)[Math.floor(0.9 * lengths.length)] ?? 0;
  if (width < 40) return text;
  return lines.map((line, i) => {
    if (i === 0) return line;
    const before = lines[i - 1].trimEnd().length;
    const isFull = before > 0.75 * width && before <= BROKEN && line.length <= BROKEN;
    return (isFull && /^[\p{L}\p{N}\p{Pi}"'(]/u.test(line) ? ' ' : '\n') + line;
  }).join('');
}

/**
 * Writes a text, or its words `first` to `last`: consecutive words with the same `outer` key share an element, and inside
 * it those with the same `inner` key. For a key of null there is no element.
 */
function paint(parent, text, outer, makeOuter, inner, makeInner, first = 0, last = text.words) {
  const { starts, ends } = places(text);
  const shown = text.shown ??= unwrapped(text.text);
  const end = last === text.words ? shown.length : ends[last - 1];
  let at = first > 0 ? starts[first] : 0, outerKey = null, innerKey = null, box = parent, within = parent;
  let mark = first > 0 ? text.disguised.findIndex(it => it.at >= at) : 0;
  if (mark < 0) mark = text.disguised.length;
  const writePlain = (to, end) => {
    if (end > at) to.append(shown.slice(at, end));
    at = Math.max(at, end);
  };
  const write = (to, end) => {
    for (; mark < text.disguised.length && text.disguised[mark].at < end; mark++) {
      const { at: from, length } = text.disguised[mark];
      writePlain(to, from);
      const until = Math.min(from + length, end);
      if (until > at) to.append(disguise(text.disguised[mark], shown.slice(at, until)));
      at = Math.max(at, until);
      if (until < from + length) break;
    }
    writePlain(to, end);
  };
  for (let i = first; i < last; i++) {
    const newOuter = outer(i), newInner = inner(i);
    if (newOuter === outerKey && newInner === innerKey) continue;
    // Up to the end of the word before: the text between two words belongs to the element around both.
    if (i > first) write(within, Math.max(at, ends[i - 1]));
    if (newOuter === outerKey) {
      write(box, starts[i]);
    } else {
      write(parent, starts[i]);
      box = newOuter === null ? parent : makeOuter(newOuter, i);
      if (box !== parent) parent.append(box);
    }
    within = newInner === null ? box : makeInner(newInner, i);
    if (within !== box) box.append(within);
    [outerKey, innerKey] = [newOuter, newInner];
  }
  if (last > first) write(within, ends[last - 1]);
  write(parent, end);
}
