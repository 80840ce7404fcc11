// The kinds of passages: how much was rewritten, and whether they are quoted; and the search for names, shares and kinds.

const REWRITTEN = ['copied', 'light', 'heavy', 'translated'], QUOTED = ['none', 'bare', 'cited'];

/** Whether a passage is quoted in one of the two texts, `a` or `b`. */
const quotationOf = (passage, span) => passage.quotations[span === 'a' ? 0 : 1];

/** The kind of most words of some passages. */
function mainKind(passages) {
  const words = Object.fromEntries(REWRITTEN.map(kind => [kind, 0]));
  for (const { kind, a } of passages) words[kind] += a[1] - a[0];
  return REWRITTEN.reduce((most, kind) => (words[kind] > words[most] ? kind : most));
}

/**
 * How most words of some passages are quoted: in the first text, or else in the other, and whether it is the other. The passages
 * of a pair that one text quotes are no copies without a mark.
 */
function mainQuotation(passages) {
  const most = side => {
    const words = Object.fromEntries(QUOTED.map(quotation => [quotation, 0]));
    for (const { quotations, a } of passages) words[quotations[side]] += a[1] - a[0];
    return QUOTED.reduce((most, quotation) => (words[quotation] > words[most] ? quotation : most));
  };
  const own = most(0);
  return own === 'none' ? { quotation: most(1), isOther: true } : { quotation: own, isOther: false };
}

/** The kind of some passages, and whether they are quoted, in words. */
function kindOf(passages) {
  const { quotation, isOther } = mainQuotation(passages);
  const kind = t(`kind_${mainKind(passages)}`);
  if (quotation === 'none') return kind;
  return `${kind}, ${t(`quotation_${quotation}`)}${isOther ? ` (${t('in_other')})` : ''}`;
}

/** The place of a kind in the order of rewriting, and within it of the quotation. */
function kindRank(passages) {
  const { quotation, isOther } = mainQuotation(passages);
  return 6 * REWRITTEN.indexOf(mainKind(passages)) + 2 * ['none', 'cited', 'bare'].indexOf(quotation) + Number(isOther);
}

/**
 * The passage that each word of a document belongs to, or -1: where several overlap, the one of the source with the greater
 * share; and whether each word is quoted, by its place in `QUOTED`.
 */
function owned({ text, sources, before }) {
  const owners = new Int32Array(text.words).fill(-1);
  const quoted = new Uint8Array(text.words);
  for (const [from, to] of pairsOf(text.quoted)) quoted.fill(QUOTED.indexOf('bare'), from, to);
  for (const [from, to] of pairsOf(text.cited)) quoted.fill(QUOTED.indexOf('cited'), from, to);
  const passages = [];
  sources.forEach(({ found, span, other }, rank) => {
    if (only !== null && other !== only) return;
    for (const passage of found.passages) {
      const [from, to] = passage[span];
      for (let i = from; i < to; i++) {
        if (owners[i] < 0) owners[i] = passages.length;
      }
      passages.push({ rank, found, passage, length: before[to] - before[from] });
    }
  });
  return { owners, passages, quoted };
}

/** The number of counted words of each kind; the key of the colours too. */
function kindTable(figure) {
  const { owners, passages, quoted } = owned(figure);
  const words = Object.fromEntries(REWRITTEN.map(kind => [kind, { none: 0, bare: 0, cited: 0 }]));
  owners.forEach((owner, i) => {
    if (owner < 0 || figure.before[i + 1] === figure.before[i]) return;
    words[passages[owner].passage.kind][QUOTED[quoted[i]]]++;
  });
  const sample = (kind, quotation, text) => h('span', { class: `passage ${kind} q-${quotation}` }, text);
  return h('table', { id: 'kinds' },
    h('thead', {}, h('tr', {}, h('td'), QUOTED.map(quotation => h('th', { scope: 'col', class: 'number' }, sample('', quotation, t(`quotation_${quotation}`)))))),
    h('tbody', {}, REWRITTEN.map(kind => h('tr', {},
      h('th', { scope: 'row' }, sample(`k-${kind}`, 'none', t(`kind_${kind}`))),
      QUOTED.map(quotation => h('td', { class: 'number' }, grouped(words[kind][quotation])))))));
}

/** The choice of colours of a document: by source or by kind. */
function colouring(figure, redraw) {
  const select = h('select', { id: 'colouring', autocomplete: 'off', onchange: event => {
    settings.colour = event.target.value;
    note();
    redraw();
    field('colouring').focus();
  } }, ['source', 'kind'].map(by => h('option', { value: by, selected: settings.colour === by }, t(`by_${by}`))));
  return [
    h('p', { class: 'controls' }, h('label', {}, t('colours'), ' ', select)),
    settings.colour === 'kind' && [h('p', { class: 'about' }, t('kinds_about')), h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': t('colours') }, kindTable(figure))],
  ];
}

const COMPARED = { '>': (x, y) => x > y, '<': (x, y) => x < y, '>=': (x, y) => x >= y, '≥': (x, y) => x >= y, '<=': (x, y) => x <= y, '≤': (x, y) => x <= y };

/**
 * What a reader looks for, as a test of a row: `>90 %` its share, the name of a kind its passages, each other word the names of
 * its documents; a word that no name has, the kinds of its passages and the tags of its documents. A row is `{ numbers, part,
 * passages }`.
 */
function sought(text) {
  const tests = [];
  const named = {};
  for (const kind of REWRITTEN) named[plain(t(`kind_${kind}`))] = passage => passage.kind === kind;
  for (const quotation of QUOTED) named[plain(t(`quotation_${quotation}`))] = passage => passage.quotations.includes(quotation);
  named[plain(t('quoted'))] = passage => passage.quotations.some(quotation => quotation !== 'none');
  // What is compared is the share as it is shown.
  const shown = part => (part > 0 && part < .01 ? 100 * part : Math.floor(100 * part + 1e-9));
  let rest = plain(text).replace(/(>=|<=|[<>≥≤])\s*(\d+(?:[.,]\d+)?)\s*[%٪]?/g, (whole, sign, number) => {
    tests.push(({ part }) => COMPARED[sign](shown(part), Number(number.replace(',', '.'))));
    return ' ';
  });
  for (const [words, is] of Object.entries(named).sort(([x], [y]) => y.length - x.length)) {
    const at = rest.search(new RegExp(`(?<!\\p{L})${words}(?!\\p{L})`, 'u'));
    if (at < 0) continue;
    rest = `${rest.slice(0, at)} ${rest.slice(at + words.length)}`;
    tests.push(({ passages }) => passages.some(is));
  }
  for (const word of rest.split(/\s+/).filter(Boolean)) {
    const isName = texts.some((_, number) => isFound(number, word));
    tests.push(row => (isName ? row.numbers.some(number => isFound(number, word)) : kindsAndTags(row).some(label => label.includes(word))));
  }
  return row => tests.every(test => test(row));
}

/** The kinds of passages and the tags of documents, as they are looked for. */
function kindsAndTags({ numbers, tagged = numbers, passages }) {
  const keys = passages.flatMap(({ kind, quotations }) =>
    [`kind_${kind}`, ...quotations.filter(quotation => quotation !== 'none').map(quotation => `quotation_${quotation}`)]);
  for (const { disguises, hidden } of tagged.map(number => texts[number])) {
    if (Object.values(disguises).some(count => count > 0)) keys.push('disguised_words');
    if (hidden) keys.push('hidden_text');
  }
  return [...new Set(keys)].map(key => plain(t(key)));
}
