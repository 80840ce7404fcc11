// The figures under any filters, computed from words and passages as the program computes
// them. Without filters they equal the program's own.

const data = JSON.parse(document.getElementById('data').textContent);
const { texts, pairs } = data;
// The kinds of text that a filter leaves out, and the runs of a text that are of the kind.
const KINDS_OUT = { quotations: 'quoted', bibliography: 'bibliography', common: 'common' };
const OUT = Object.keys(KINDS_OUT);

const filters = { min: data.min_words, excluded: new Set(), ...Object.fromEntries(OUT.map(kind => [kind, false])) };

const isFiltered = () =>
  filters.min !== data.min_words || OUT.some(kind => filters[kind]) || filters.excluded.size > 0;

/** Prefix counts: entry i is the number of counted words among the first i, without these kinds of text. */
function countable(text, kinds) {
  const counts = new Uint8Array(text.words).fill(1);
  const leaveOut = runs => {
    for (let i = 0; i < runs.length; i += 2) counts.fill(0, runs[i], runs[i + 1]);
  };
  leaveOut(text.left_out);
  for (const kind of kinds) leaveOut(text[KINDS_OUT[kind]]);
  const before = new Uint32Array(text.words + 1);
  for (let i = 0; i < text.words; i++) before[i + 1] = before[i] + counts[i];
  return before;
}

const countables = new Map();
/** The same for all texts; cached, as every change of a filter needs it. */
function allCountable(kinds) {
  const key = kinds.join();
  if (!countables.has(key)) countables.set(key, texts.map(text => countable(text, kinds)));
  return countables.get(key);
}

/** The number of counted words in the union of these spans. */
function countIn(spans, before) {
  spans.sort((x, y) => x[0] - y[0]);
  let count = 0, at = 0;
  for (const [start, end] of spans) {
    const from = Math.max(start, at);
    if (end > from) {
      count += before[end] - before[from];
      at = end;
    }
  }
  return count;
}

/**
 * The passages of a pair that pass the filters, whatever was decided about them. One that is left out in part passes if the rest
 * is long enough in the first text, or in either of two documents: what one quotes, the other may have copied. A length that
 * the reader chose holds for whole texts too.
 */
function remaining(pair, before) {
  if (filters.excluded.has(pair.suspicious) || filters.excluded.has(pair.source)) return [];
  const min = Math.max(filters.min, data.min_words);
  const counts = (text, [from, to]) => {
    const left = before[text][to] - before[text][from];
    return left === to - from || left >= min;
  };
  return pair.passages.filter(passage => {
    const { a, b } = passage;
    const isLong = filters.min <= data.min_words || Math.min(a[1] - a[0], b[1] - b[0]) >= filters.min;
    return isLong && (counts(pair.suspicious, a) || (pair.source < data.suspicious && counts(pair.source, b)));
  });
}

const EXACT = 1, CHANGED = 2, REPLACED = 3;

/** True if a pair has a passage that is not weak. */
const isFirm = ({ passages }) => passages.some(({ weak }) => !weak);

/** The words with counterparts in passages that are not weak, and all words of translated ones, as spans of both texts. */
function matches(passages) {
  const a = [], b = [];
  for (const passage of passages.filter(({ weak }) => !weak)) {
    if (passage.translated) {
      a.push(passage.a);
      b.push(passage.b);
      continue;
    }
    passage.matched ??= runsOf(passage).filter(({ kind }) => kind !== REPLACED);
    for (const { i, j, length } of passage.matched) {
      a.push([i, i + length]);
      b.push([j, j + length]);
    }
  }
  return { a, b };
}

/** The runs of words of a passage that have counterparts or were replaced: where they begin in both texts. */
function runsOf({ a: [start], b: [other], runs }) {
  const found = [];
  for (let at = 0, i = start, j = other; at < runs.length; at += 4) {
    const [skipA, skipB, length, kind] = runs.slice(at, at + 4);
    i += skipA;
    j += skipB;
    found.push({ i, j, length, kind });
    i += length;
    j += length;
  }
  return found;
}

/** All figures of the page. */
function compute() {
  const before = allCountable(OUT.filter(kind => filters[kind]));
  const spans = texts.map(() => []);
  const partners = texts.map(() => []);
  const ofPairs = pairs.map((pair, number) => {
    const all = remaining(pair, before);
    const passages = all.filter(({ key }) => !decisions.isOut(key));
    const { a, b } = matches(passages);
    const within = (text, [from, to]) => before[text][to] - before[text][from];
    for (const passage of pair.passages) {
      passage.counted = { a: within(pair.suspicious, passage.a), b: within(pair.source, passage.b) };
    }
    if (passages.length) {
      spans[pair.suspicious].push(...a);
      spans[pair.source].push(...b);
      // Words may count in one of the texts alone, such as those that the other quotes.
      if (passages.some(({ counted }) => counted.a > 0)) partners[pair.suspicious].push(number);
      if (passages.some(({ counted }) => counted.b > 0)) partners[pair.source].push(number);
    }
    const matched = countIn(a, before[pair.suspicious]);
    return {
      number, pair, passages, matched,
      // The words without decisions: a pair keeps its place among the others while its passages are left out one by one.
      undecided: passages.length === all.length ? matched : countIn(matches(all).a, before[pair.suspicious]),
      sourceMatched: countIn(b, before[pair.source]),
    };
  });
  const ofTexts = texts.map((text, number) => ({
    number, text,
    before: before[number],
    counted: before[number][text.words],
    matched: countIn(spans[number], before[number]),
  }));
  for (const found of ofPairs) {
    found.of = ofTexts[found.pair.suspicious].counted;
    found.sourceOf = ofTexts[found.pair.source].counted;
  }
  for (const [number, text] of ofTexts.entries()) {
    text.sources = partners[number].map(pair => side(ofPairs[pair], number));
    // Of equal shares, that of a source comes first: it was there before the documents.
    const isGiven = ({ other }) => Number(other >= data.suspicious);
    text.sources.sort((x, y) => y.matched - x.matched || isGiven(y) - isGiven(x) || x.found.number - y.found.number);
  }
  return { texts: ofTexts, pairs: ofPairs };
}

/** A pair from the side of one of its documents. */
function side(found, number) {
  const isSuspicious = found.pair.suspicious === number;
  return {
    found,
    other: isSuspicious ? found.pair.source : found.pair.suspicious,
    matched: isSuspicious ? found.matched : found.sourceMatched,
    span: isSuspicious ? 'a' : 'b',
  };
}

/** The numbers of words not counted, each with the key of its place; each word has one place. */
function leftOut({ text, before }) {
  const where = new Uint8Array(text.words);
  const fill = (runs, kind) => {
    for (let i = 0; i < runs.length; i += 2) where.fill(kind, runs[i], runs[i + 1]);
  };
  fill(text.left_out, 4);
  for (const [kind, place] of [['common', 3], ['quotations', 2], ['bibliography', 1]]) {
    if (data.as_screened[kind] || filters[kind]) fill(text[KINDS_OUT[kind]], place);
  }
  fill(text.own, 5);
  const counts = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < text.words; i++) {
    if (before[i + 1] === before[i]) counts[where[i]]++;
  }
  const { templates } = data.as_screened;
  const given = templates ? 'in_templates' : 'in_screened';
  const said = [[counts[1], 'in_bibliography'], [counts[2], 'in_quotations'], [counts[3], 'in_common'], [counts[4], given], [counts[5], 'in_heading']];
  return said.filter(([count]) => count > 0);
}

const share = (words, of) => (of ? words / of : 0);

/** The most counted words of a passage. */
const longest = passages => passages.reduce((most, { counted }) => Math.max(most, counted.a), 0);

/** Start and end of each word of a shown text, in UTF-16 units. */
function places(text) {
  if (!text.places) {
    const starts = new Uint32Array(text.words), ends = new Uint32Array(text.words);
    for (let i = 0, at = 0; i < text.words; i++) {
      starts[i] = at + text.spans[2 * i];
      at = ends[i] = starts[i] + text.spans[2 * i + 1];
    }
    text.places = { starts, ends };
  }
  return text.places;
}

// The kinds of words of translated passages, from 4 on; then that of stop words, by which translations are not searched for.
const CORRESPONDENCES = ['lexicon', 'cognate', 'number', 'proper'];
const STOP = 4 + CORRESPONDENCES.length;

/** The kind of each word in both texts of a pair: EXACT, CHANGED, REPLACED, from 4 on a correspondence, STOP in a translated passage, or 0. */
function kinds(pair, passages) {
  const a = new Uint8Array(texts[pair.suspicious].words), b = new Uint8Array(texts[pair.source].words);
  for (const { i, j, length, kind } of passages.flatMap(runsOf)) {
    a.fill(kind, i, i + length);
    b.fill(kind, j, j + length);
  }
  for (const passage of passages.filter(({ translated }) => translated)) {
    for (const [ofWords, text, [from, to]] of [[a, pair.suspicious, passage.a], [b, pair.source, passage.b]]) {
      const { stop_words: runs = [] } = texts[text];
      for (let at = 0; at < runs.length; at += 2) {
        for (let i = Math.max(runs[at], from); i < Math.min(runs[at + 1], to); i++) ofWords[i] ||= STOP;
      }
    }
  }
  return { a, b };
}
