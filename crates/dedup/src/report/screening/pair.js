// Two documents side by side, their passages linked; on a narrow screen in turns, passage by passage.

let active = null;

const narrow = window.matchMedia('(max-width: 44rem)');

function pairView(figures, number, first) {
  const found = figures.pairs[number];
  const { pair, passages, matched, of, sourceMatched, sourceOf } = found;
  const ordered = [...passages].sort((x, y) => x.a[0] - y.a[0]);
  const hasTexts = [pair.suspicious, pair.source].every(number => texts[number].text !== null);
  const head = (text, words, all) => [
    h('h2', {}, link(text)),
    h('p', { class: 'figure' }, parts(passages.length > 0 && !isFirm(found) ? 'lead_weak' : 'pair_share', { share: h('b', {}, percent(words, all)), words: wordsOf(words, all) })),
    texts[text].read_by && h('p', { class: 'about' }, t('read_by', { program: texts[text].read_by })),
    texts[text].hidden && h('p', { class: 'about' }, `${t('hidden')} ${hiddenInWords(texts[text].hidden)}`),
  ];
  const heads = [head(pair.suspicious, matched, of), head(pair.source, sourceMatched, sourceOf)];
  const title = h('h1', { class: 'both' }, name(pair.suspicious), h('span', { 'aria-hidden': 'true' }, ' ↔ '), name(pair.source));
  active = null;
  if (!hasTexts) {
    return [title, steps(figures, number, 0), decisionBox(ofPair(pair)), h('div', { class: 'sides' }, heads.map(head => h('section', { class: 'card' }, head))),
      h('p', { class: 'about' }, t('pair_without_text')),
      h('ul', {}, ordered.map(passage => h('li', {}, told(pair, passage))))];
  }
  const hasDisguises = [pair.suspicious, pair.source].some(text => texts[text].disguised.length);
  if (narrow.matches) {
    const turned = turns(figures, found, ordered, ['a', 'b']);
    active = { at: -1, ordered, pair, turned };
    start(ordered, pair, first);
    return [title, steps(figures, number, ordered.length), leftOutOf(pair), decisionBox(ofPair(pair)), keyOfMarks(hasDisguises), h('section', { class: 'card narrow' }, heads, turned)];
  }
  const kept = kinds(pair, pair.passages);
  const sides = [['a', pair.suspicious], ['b', pair.source]].map(([span, text]) =>
    sideOf(figures.texts[text], ordered, span, kept[span]));
  active = { at: -1, ordered, sides, pair };
  const marks = ordered.map((_, at) => sides.map(side => partOf(side, at))).filter(ends => ends.every(Boolean));
  active.release = join(sides.map(({ pane }) => pane), marks);
  start(ordered, pair, first);
  return [
    title,
    steps(figures, number, ordered.length),
    leftOutOf(pair),
    decisionBox(ofPair(pair)),
    keyOfMarks(hasDisguises),
    // On the screen one passage is described at a time; on paper nobody can ask for the next.
    h('div', { class: 'printed' }, caution(pair.suspicious), h('ol', {}, ordered.map(passage => h('li', {}, told(pair, passage))))),
    h('div', { class: 'sides' }, sides.map((side, i) =>
      h('section', { class: 'card side' }, h('div', { class: 'head' }, heads[i]), side.pane))),
  ];
}

/** Goes to the passage that is asked for, or else the first; to none if only the figures have changed. */
function start(ordered, pair, first) {
  const at = first === null ? -1 : Math.max(ordered.indexOf(pair.passages[first]), ordered.length ? 0 : -1);
  if (at >= 0) requestAnimationFrame(() => activate(at));
}

/** The numbers of the pairs with passages, and of this one, the greatest share first. */
function stepsOf(figures, number) {
  const found = figures.pairs.filter(pair => pair.passages.length || pair.number === number);
  return byShare(found, 'undecided').map(pair => pair.number);
}

/** The buttons to the next and previous passage and pair. */
function steps(figures, number, count) {
  const button = (id, key, act) => h('button', { type: 'button', id, onclick: act }, t(id), h('kbd', {}, key));
  const order = stepsOf(figures, number);
  const at = order.indexOf(number);
  const pairLink = (id, other, key) => (other === undefined
    ? h('span', { class: 'control off' }, t(id))
    : h('a', { id, class: 'control', href: to(`#/pair/${other}`) }, t(id), h('kbd', {}, key)));
  const leaveOut = () => {
    if (active?.at < 0) return;
    decisions.leaveOut(active.ordered[active.at].key);
    refigure();
  };
  return h('div', { class: 'steps' },
    count > 0 && [button('previous', 'p', () => step(-1)), button('next', 'n', () => step(1)),
      h('button', { type: 'button', id: 'leave_out', onclick: leaveOut }, t('leave_out'))],
    !narrow.matches && count > 0 && h('label', {}, h('input', {
      id: 'together', type: 'checkbox', checked: isTogether, onchange: event => { isTogether = event.target.checked; },
    }), ' ', t('together')),
    h('span', { class: 'pairs-steps' }, pairLink('previous_pair', order[at - 1], '['), pairLink('next_pair', order[at + 1], ']')),
    h('p', { id: 'told-passage', role: 'status' }, count ? counted(count, 'passages') : t('no_passages')));
}

/** A text with its passages, and the elements of each passage for later look-up. */
function sideOf({ text, before }, ordered, span, kinds) {
  const owners = new Int32Array(text.words).fill(-1);
  // The shorter passages come last, so that one inside another keeps its own element.
  const lengthOf = at => ordered[at].a[1] - ordered[at].a[0];
  const byLength = ordered.map((_, at) => at).sort((x, y) => lengthOf(y) - lengthOf(x));
  for (const at of byLength) owners.fill(at, ...ordered[at][span]);
  const pieces = [];
  const content = h('div', { class: 'text', lang: text.lang, dir: 'auto' });
  const makePassage = (owner, word) => {
    const show = event => { event.stopPropagation(); activate(owner, span); };
    const listening = { onclick: show, onenter: show };
    const element = h('mark', { class: 'passage', tabindex: 0, role: 'button', 'data-passage': owner, ...listening },
      h('sup', {}, owner + 1));
    pieces.push({ owner, word, element });
    return element;
  };
  const inner = i => (before[i + 1] === before[i] ? 'out' : owners[i] < 0 ? null : KINDS[kinds[i]]);
  const kind = key => h('span', { class: key === 'out' ? 'out' : `kind ${key}` });
  paint(content, text, i => (owners[i] < 0 ? null : owners[i]), makePassage, inner, kind);
  const name = nameOf(texts.indexOf(text));
  const pane = h('div', { class: 'pane', tabindex: 0, role: 'region', 'aria-label': name }, content);
  return { pane, pieces, span, ordered };
}

/** The element where a passage begins, or the one that covers its beginning. */
function partOf({ pieces, span, ordered }, at) {
  const own = pieces.find(piece => piece.owner === at);
  const [begin] = ordered[at][span];
  return (own ?? pieces.findLast(piece => piece.word <= begin))?.element;
}

/** Marks a passage in both texts and brings it to the same height in both. */
function activate(at, from) {
  if (!active) return;
  deactivate();
  active.at = at;
  if (active.turned) active.turned[at].classList.add('active');
  else bringUp(at, from);
  field('told-passage').textContent = `${t('passage_at', { i: at + 1, n: active.ordered.length })} · ${told(active.pair, active.ordered[at])}`;
}

function bringUp(at, from) {
  active.release();
  const elements = active.sides.map(side => partOf(side, at));
  for (const side of active.sides) {
    for (const { owner, element } of side.pieces) if (owner === at) element.classList.add('active');
  }
  for (const element of elements) element?.classList.add('active');
  const top = i => elements[i].getBoundingClientRect().top - active.sides[i].pane.getBoundingClientRect().top;
  const clicked = active.sides.findIndex(side => side.span === from);
  const height = clicked >= 0 ? Math.max(top(clicked), 0) : active.sides[0].pane.clientHeight / 5;
  active.sides.forEach(({ pane }, i) => {
    if (i !== clicked && elements[i]) pane.scrollTop += top(i) - height;
  });
  if (clicked < 0) elements[0]?.focus({ preventScroll: true });
}

function deactivate() {
  for (const element of document.querySelectorAll('.passage.active, .turn.active')) element.classList.remove('active');
  active.at = -1;
}

/** Moves to the next or previous passage, wrapping around at the ends. */
function step(by) {
  const count = active.ordered.length;
  if (!count) return;
  activate(active.at < 0 ? (by > 0 ? 0 : count - 1) : (active.at + by + count) % count);
  active.turned?.[active.at].scrollIntoView({ block: 'start' });
}
