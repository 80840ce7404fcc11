// Passages as excerpts: a part of a text with its words marked, beside the part of the other text.

// Number of words shown before and after a passage.
const AROUND = 12;

const KINDS = { 0: 'missing', [EXACT]: 'exact', [CHANGED]: 'changed', [REPLACED]: 'changed' };
CORRESPONDENCES.forEach((kind, at) => { KINDS[at + 4] = kind; });
KINDS[STOP] = null;

const hasTranslated = data.pairs.some(pair => pair.passages.some(passage => passage.translated));

/** The key of the marks, in the order of the kinds. */
const kindKeys = hasDisguises => ['exact', 'changed', 'missing', 'out', ...(hasTranslated ? CORRESPONDENCES : []), ...(hasDisguises ? ['disguise'] : [])];

const keyOfMarks = hasDisguises => h('p', { class: 'about key' },
  kindKeys(hasDisguises).flatMap(kind => [h('span', { class: kind === 'out' ? 'out' : `kind ${kind}` }, t(`k_${kind}`)), ' ']), hasTranslated && [t('translated_counts'), ' '], t('words_only'));

/** The part of a text around a passage, `from` to `to` in words, with the kind of each word marked. */
function excerpt({ text, before }, [from, to], kinds) {
  const first = Math.max(from - AROUND, 0), last = Math.min(to + AROUND, text.words);
  const box = h('div', { class: 'text excerpt', lang: text.lang, dir: 'auto' });
  if (first > 0) box.append('… ');
  const outer = i => (i >= from && i < to ? 0 : null);
  const inner = i => (before[i + 1] === before[i] ? 'out' : outer(i) === null ? null : KINDS[kinds[i]]);
  const kind = key => h('span', { class: key === 'out' ? 'out' : `kind ${key}` });
  paint(box, text, outer, () => h('span', { class: 'taken' }), inner, kind, first, last);
  if (last < text.words) box.append(' …');
  return box;
}

/** How the words of a passage were kept, in words, from the side of one text, `a` or `b`. */
const told = (pair, passage, span = 'a') =>
  `${toldKind(passage, span)} · ${toldWords(pair, passage, span)}${toldEvidence(passage)}${toldElsewhere(passage, span)}`;

/** The length of a run of words, and how many of them are counted. */
const lengthOf = (length, n) => counted(length, 'words') + (n < length ? ` (${t('of_them_counted', { n })})` : '');

/** Whether it was rewritten, and how this text quotes it, or else the other. */
function toldKind({ kind, quotations }, span) {
  const [own, other] = span === 'a' ? quotations : [...quotations].reverse();
  const quotation = own === 'none' ? other : own;
  if (quotation === 'none') return t(`kind_${kind}`);
  return `${t(`kind_${kind}`)}, ${t(`quotation_${quotation}`)}${own === 'none' ? ` (${t('in_other')})` : ''}`;
}

/** The words of this text by what the other has of them. */
function toldWords(pair, passage, span) {
  const { folded, translated, kept: [exact, changed, , replaced] } = passage;
  const [from, to] = passage[span];
  const words = lengthOf(to - from, passage.counted[span]);
  if (!translated) {
    const missing = to - from - exact - changed - replaced;
    return t('told', { words, exact, changed: changed + replaced, missing }) + (folded ? ` (${t('folded', { n: folded })})` : '');
  }
  const [lexicon, cognates, numbers, names] = translated;
  const stop = kinds(pair, [passage])[span].subarray(from, to).reduce((sum, kind) => sum + Number(kind === STOP), 0);
  const missing = Math.max(to - from - stop - lexicon - cognates - numbers - names, 0);
  return t('told_translated', { words, lexicon, cognates, numbers, names, missing, stop });
}

/** How likely it is a copy. */
function toldEvidence(passage) {
  const { translated, probability, unrelated, weak } = passage;
  const of = unrelated ? ` (${t('unrelated', { n: unrelated })})` : '';
  return `; ${t(translated ? 'probability_translated' : 'probability', { n: Math.floor(probability / 10) })}${weak ? `; ${t('weak')}${of}` : ''}`;
}

/** Where else the source has it. */
function toldElsewhere({ elsewhere }, span) {
  if (!elsewhere.length) return '';
  const places = pairsOf(elsewhere).map(([from, to]) => t('place', { from: from + 1, to })).join(', ');
  return `; ${t(span === 'a' ? 'elsewhere' : 'elsewhere_here', { places })}`;
}

const pairsOf = numbers => numbers.flatMap((number, at) => (at % 2 ? [] : [[number, numbers[at + 1]]]));

/** The passages of a pair in the order of one of its texts: each with both excerpts. `sides` are `a` and `b`, the left first. */
function turns(figures, found, ordered, sides) {
  const { pair } = found;
  const kept = kinds(pair, pair.passages);
  const of = { a: pair.suspicious, b: pair.source };
  return ordered.map((passage, at) => h('section', { class: 'turn', 'data-passage': at },
    h('h3', {}, `${t('passage_at', { i: at + 1, n: ordered.length })} · ${told(pair, passage, sides[0])}`),
    h('div', { class: 'facing' }, sides.map(side => h('div', {},
      h('p', { class: 'figure' }, name(of[side]), ` · ${t('place', { from: passage[side][0] + 1, to: passage[side][1] })}`),
      excerpt(figures.texts[of[side]], passage[side], kept[side]))))));
}
