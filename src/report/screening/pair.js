// Two documents side by side, their passages linked.

let active = null;

function pairView(figures, number, first) {
  const found = figures.pairs[number];
  const { pair, passages, covered, of, sourceCovered, sourceOf } = found;
  const ordered = [...passages].sort((x, y) => x.a[0] - y.a[0]);
  const hasTexts = pair.passages.every(({ runs }) => runs !== null);
  const head = (text, words, all) => [
    h('h2', {}, h('a', { href: `#/document/${text}` }, name(text))),
    h('p', { class: 'figure' }, h('b', {}, percent(words, all)),
      ` of ${counted(all, 'word')} in passages shared with the other: ${counted(words, 'word')}`),
  ];
  const heads = [head(pair.suspicious, covered, of), head(pair.source, sourceCovered, sourceOf)];
  const title = h('h1', {}, 'Side by side');
  if (!hasTexts) {
    active = null;
    return [title, h('div', { class: 'sides' }, heads.map(head => h('section', { class: 'card' }, head))),
      h('p', { class: 'about' }, 'The texts of this pair are left out to keep the page small; its figures are included.'),
      h('ul', {}, ordered.map(passage => h('li', {}, told(passage))))];
  }
  const kept = kinds(pair, pair.passages);
  const hasDisguises = [pair.suspicious, pair.source].some(text => texts[text].disguised.length);
  const sides = [['a', pair.suspicious], ['b', pair.source]].map(([span, text]) =>
    sideOf(figures.texts[text], ordered, span, kept[span]));
  active = { at: -1, ordered, sides, pair };
  // The first passage if none is requested; none if only the figures have changed.
  const start = first === null ? -1 : Math.max(ordered.indexOf(pair.passages[first]), ordered.length ? 0 : -1);
  if (start >= 0) requestAnimationFrame(() => activate(start));
  return [
    title,
    h('div', { class: 'steps' },
      h('button', { type: 'button', id: 'previous', onclick: () => step(-1) }, 'Previous', h('kbd', {}, 'p')),
      h('button', { type: 'button', id: 'next', onclick: () => step(1) }, 'Next', h('kbd', {}, 'n')),
      h('p', { id: 'told-passage', role: 'status' },
        ordered.length ? counted(ordered.length, 'passage') : 'No passages are counted.')),
    h('p', { class: 'about key' },
      [['exact', 'the same word'], ['changed', 'changed word'], ['missing', 'no counterpart'], ['out', 'not counted'],
        ...(hasDisguises ? [['disguise', 'disguised word']] : [])].map(([kind, told]) => [h('span', { class: `kind ${kind}` }, told), ' ']).flat()),
    h('div', { class: 'sides' }, sides.map((side, i) =>
      h('section', { class: 'card side' }, h('div', { class: 'head' }, heads[i]), side.pane))),
  ];
}

const told = ({ a, weak, kept: [exact, stemmed, missing] }) =>
  `${counted(a[1] - a[0], 'word')}: ${grouped(exact)} the same, ${grouped(stemmed)} changed, ` +
  `${grouped(missing)} without counterpart${weak ? '; weak evidence' : ''}`;

/** A text with its passages, and the elements of each passage for later look-up. */
function sideOf({ text, before }, ordered, span, kinds) {
  const owners = new Int32Array(text.words).fill(-1);
  // The shorter passages come last, so that one inside another keeps its own element.
  const byLength = ordered.map((_, at) => at).sort((x, y) => longest([ordered[y]]) - longest([ordered[x]]));
  for (const at of byLength) owners.fill(at, ...ordered[at][span]);
  const parts = [];
  const content = h('div', { class: 'text', lang: text.lang, dir: 'auto' });
  const makePassage = (owner, word) => {
    const show = event => { event.stopPropagation(); activate(owner, span); };
    const listening = { onclick: show, onenter: show };
    const part = h('mark', { class: 'passage', tabindex: 0, role: 'button', 'data-passage': owner, ...listening },
      h('sup', {}, owner + 1));
    parts.push({ owner, word, element: part });
    return part;
  };
  const classes = { 0: 'missing', [EXACT]: 'exact', [CHANGED]: 'changed' };
  const inner = i => {
    const out = before[i + 1] === before[i] ? ' out' : '';
    return owners[i] < 0 ? out.trim() || null : classes[kinds[i]] + out;
  };
  paint(content, text, i => (owners[i] < 0 ? null : owners[i]), makePassage, inner, kind => h('span', { class: `kind ${kind}` }));
  const name = nameOf(texts.indexOf(text));
  const pane = h('div', { class: 'pane', tabindex: 0, role: 'region', 'aria-label': name }, content);
  return { pane, parts, span };
}

/** The element where a passage begins, or the one that covers its beginning. */
function partOf(side, at) {
  const own = side.parts.find(part => part.owner === at);
  const [begin] = active.ordered[at][side.span];
  return (own ?? side.parts.findLast(part => part.word <= begin))?.element;
}

/** Marks a passage in both texts and brings it to the same height in both. */
function activate(at, from) {
  if (!active) return;
  deactivate();
  active.at = at;
  const elements = active.sides.map(side => partOf(side, at));
  for (const side of active.sides) {
    for (const { owner, element } of side.parts) if (owner === at) element.classList.add('active');
  }
  for (const element of elements) element?.classList.add('active');
  const top = i => elements[i].getBoundingClientRect().top - active.sides[i].pane.getBoundingClientRect().top;
  const clicked = active.sides.findIndex(side => side.span === from);
  const height = clicked >= 0 ? Math.max(top(clicked), 0) : active.sides[0].pane.clientHeight / 5;
  active.sides.forEach(({ pane }, i) => {
    if (i !== clicked && elements[i]) pane.scrollTop += top(i) - height;
  });
  if (clicked < 0) elements[0]?.focus({ preventScroll: true });
  document.getElementById('told-passage').textContent =
    `Passage ${at + 1} of ${active.ordered.length} · ${told(active.ordered[at])}`;
}

function deactivate() {
  for (const element of document.querySelectorAll('.passage.active')) element.classList.remove('active');
  active.at = -1;
}

/** Moves to the next or previous passage, wrapping around at the ends. */
function step(by) {
  const count = active.ordered.length;
  if (count) activate(active.at < 0 ? (by > 0 ? 0 : count - 1) : (active.at + by + count) % count);
}
