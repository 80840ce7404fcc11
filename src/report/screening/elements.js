// Helpers. Text from documents reaches the page only as text nodes and attribute values.

/** Creates an element with attributes, `on…` listeners and children; strings become text nodes. */
function h(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);
}

function filled(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === 'function') element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? '' : value);
  }
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
  return element;
}

const grouped = number => String(number).replace(/\B(?=(\d{3})+$)/g, ',');
const counted = (number, noun) => `${grouped(number)}\u00a0${noun}${number === 1 ? '' : 's'}`;

/** `69 %`, rounded down, so that only the whole is 100; a share above 0 is never shown as 0. */
const percent = (words, of) => {
  const whole = Math.floor(100 * share(words, of) + 1e-9);
  return `${words > 0 && whole === 0 ? '<1' : whole}\u00a0%`;
};

const wordsOf = (words, of) => `${grouped(words)} of ${counted(of, 'word')}`;

// The folders that all ids begin with; names leave them out.
const prefix = (() => {
  const [first, ...others] = texts.map(text => text.id);
  if (!others.length) return '';
  let end = first.length;
  for (const id of others) {
    while (!id.startsWith(first.slice(0, end))) end--;
  }
  return first.slice(0, first.lastIndexOf('/', end - 1) + 1);
})();

const nameOf = number => texts[number].id.slice(prefix.length) || texts[number].id;
const name = number => h('bdi', { class: 'id', title: texts[number].id }, nameOf(number));
const shortened = (text, most) => {
  const letters = [...text];
  if (letters.length <= most) return text;
  return `${letters.slice(0, most / 2).join('')}…${letters.slice(1 - most / 2).join('')}`;
};

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
 * Writes a text: consecutive words with the same `outer` key share an element, and inside
 * it those with the same `inner` key. For a key of null there is no element.
 */
function paint(parent, text, outer, makeOuter, inner, makeInner) {
  const { starts, ends } = places(text);
  const shown = text.shown ??= unwrapped(text.text);
  let at = 0, outerKey = null, innerKey = null, box = parent, within = parent;
  let mark = 0;
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
  for (let i = 0; i < text.words; i++) {
    const newOuter = outer(i), newInner = inner(i);
    if (newOuter === outerKey && newInner === innerKey) continue;
    // Up to the end of the word before: the text between two words belongs to the element around both.
    if (i > 0) write(within, Math.max(at, ends[i - 1]));
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
  if (text.words) write(within, ends[text.words - 1]);
  write(parent, shown.length);
}

function table(heads, rows, most, empty) {
  if (!rows.length) return h('p', { class: 'about' }, empty);
  const body = h('tbody');
  const more = h('button', { type: 'button', class: 'more', onclick: () => show() });
  let shown = 0;
  const show = () => {
    body.append(...rows.slice(shown, shown + most).map(row => row()));
    shown += most;
    more.hidden = shown >= rows.length;
    more.textContent = `Show more (${grouped(Math.max(rows.length - shown, 0))} left)`;
  };
  show();
  return h('div', { class: 'scroll' },
    h('table', {},
      h('thead', {}, h('tr', {}, heads.map(([label, type]) => h(label ? 'th' : 'td', { scope: label && 'col', class: type }, label)))), body),
    more);
}
