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
  kindKeys(hasDisguises).flatMap(kind => [h('span', { class: kind === 'out' ? 'out' : `kind ${kind}` }, t(`k_${kind}`)), ' ']), hasTranslated && t('translated_counts'));

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

/** How the words of a passage were kept, in words. */
const told = passage => toldOf(passage, lengthOf(passage), isWeak(passage));

/** Its length, and how many of the words are counted. */
const lengthOf = ({ a, counted: n }) => counted(a[1] - a[0], 'words') + (n < a[1] - a[0] ? ` (${t('of_them_counted', { n })})` : '');

const toldOf = ({ a, kind, quotations: [quotation], probability, unrelated, folded, elsewhere, translated, kept: [exact, changed, missing, replaced] }, words, weak) =>
  `${t(`kind_${kind}`)}${quotation === 'none' ? '' : `, ${t(`quotation_${quotation}`)}`} · ${translated
    ? t('told_translated', { words, lexicon: translated[0], cognates: translated[1], numbers: translated[2], names: translated[3], missing, stop: a[1] - a[0] - missing - translated.reduce((sum, n) => sum + n) })
    : t('told', { words, exact, changed: changed + replaced, missing })}${
    folded ? ` (${t('folded', { n: folded })})` : ''}; ${t(translated ? 'probability_translated' : 'probability', { n: Math.floor(probability / 10) })}${weak ? `; ${t('weak')}${unrelated ? ` (${t('unrelated', { n: unrelated })})` : ''}` : ''}${
    elsewhere.length ? `; ${t('elsewhere', { places: pairsOf(elsewhere).map(([from, to]) => t('place', { from: from + 1, to })).join(', ') })}` : ''}`;

const pairsOf = numbers => numbers.flatMap((number, at) => (at % 2 ? [] : [[number, numbers[at + 1]]]));

/** The passages of a pair in the order of one of its texts: each with both excerpts. `sides` are `a` and `b`, the left first. */
function turns(figures, found, ordered, sides) {
  const { pair } = found;
  const kept = kinds(pair, pair.passages);
  const of = { a: pair.suspicious, b: pair.source };
  return ordered.map((passage, at) => h('section', { class: 'turn', 'data-passage': at },
    h('h3', {}, `${t('passage_at', { i: at + 1, n: ordered.length })} · ${told(passage)}`),
    h('div', { class: 'facing' }, sides.map(side => h('div', {},
      h('p', { class: 'figure' }, name(of[side]), ` · ${t('place', { from: passage[side][0] + 1, to: passage[side][1] })}`),
      excerpt(figures.texts[of[side]], passage[side], kept[side]))))));
}
