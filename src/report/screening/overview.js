// The first view: all documents and pairs, a histogram of shares, and clusters.

// Number of rows shown at first, and added by each “Show more”.
const ROWS = 25;
let sought = '';

function overview(figures) {
  const suspicious = figures.texts.slice(0, data.suspicious);
  const passages = figures.pairs.reduce((sum, { passages }) => sum + passages.length, 0);
  const found = figures.pairs.filter(pair => pair.passages.length);
  const affected = suspicious.filter(({ sources }) => sources.length).length;
  const sources = texts.length - data.suspicious;
  return [
    h('h1', {}, 'Shared passages'),
    h('p', { class: 'lead' },
      h('b', {}, `${grouped(affected)} of ${counted(data.suspicious, 'document')}`),
      affected === 1 ? ' has' : ' have', ' passages that also occur in ',
      data.against ? `${sources === 1 ? 'the' : 'one of the'} ${counted(sources, 'source')}` : 'another of them', ': ',
      counted(passages, 'passage'), ' in ', counted(found.length, 'pair'),
      data.omitted.pairs.count > 0 && ' in this page', '.'),
    caution(),
    notes(),
    h('label', { class: 'seek' }, 'Show only names that contain ',
      h('input', { id: 'seek', type: 'search', value: sought, oninput: event => seek(event.target.value, figures) })),
    h('div', { id: 'lists' }, lists(figures)),
    h('div', { class: 'charts' }, histogram(suspicious), clusters(figures)),
  ];
}

/** The caution on the meaning of figures, and the note that filters are on. */
const caution = () => [
  h('p', { class: 'caution' }, h('b', {}, 'Evidence, not a verdict. '),
    'A percentage says how much of a document lies in passages that another text has too, copied or reworded. ' +
    'Quotations, common sources and permitted collaboration look the same: read the passages before you judge.'),
  isFiltered() && h('p', { class: 'caution', id: 'filtered' }, h('b', {}, 'Filters are on. '),
    'The figures are filtered and differ from those of the screening; “As screened” above removes the filters.'),
];

function seek(value, figures) {
  sought = value;
  document.getElementById('lists').replaceChildren(...lists(figures));
}

function lists(figures) {
  const wanted = sought.toLowerCase();
  const isSought = (...numbers) => numbers.some(number => nameOf(number).toLowerCase().includes(wanted));
  const found = figures.pairs.filter(pair => pair.passages.length && isSought(pair.pair.suspicious, pair.pair.source));
  found.sort((x, y) => share(y.covered, y.of) - share(x.covered, x.of) || x.number - y.number);
  const shown = figures.texts.slice(0, data.suspicious).filter(({ number }) => isSought(number));
  shown.sort((x, y) => share(y.covered, y.counted) - share(x.covered, x.counted) || x.number - y.number);
  return [
    h('section', { class: 'card', id: 'documents' },
      h('h2', {}, 'Documents'),
      h('p', { class: 'about' }, data.against
        ? 'The share of each document in passages that also occur in a source, and the source with most of it.'
        : 'The share of each document in passages that also occur in another, and the document with most of it.'),
      table([['share', 'number'], ['', 'bars'], ['document'], ['words', 'number mid'], ['most from'],
        [data.against ? 'sources' : 'others', 'number wide']],
      shown.map(text => () => documentRow(text)), ROWS, 'There are no documents.')),
    h('section', { class: 'card', id: 'pairs' },
      h('h2', {}, 'Pairs'),
      h('p', { class: 'about' }, data.against
        ? 'The share of a document in passages of one source.'
        : 'The share of a document in passages of another; in each pair, the one with the greater share comes first.'),
      table([['share', 'number'], ['', 'bars'], ['document'], ['also in'], ['words', 'number mid'],
        ['passages', 'number wide'], ['longest', 'number wide'], ['']],
      found.map(pair => () => pairRow(pair)), ROWS, 'No pair has passages that are counted.')),
  ];
}

function pairRow({ number, pair, passages, covered, of }) {
  return h('tr', {},
    h('td', { class: 'number' }, h('b', {}, percent(covered, of))),
    h('td', { class: 'bars' }, bar(covered, of)),
    h('td', { class: 'name' }, h('a', { href: `#/document/${pair.suspicious}` }, name(pair.suspicious))),
    h('td', { class: 'name' }, h('a', { href: `#/document/${pair.source}` }, name(pair.source)), weak(passages)),
    h('td', { class: 'number mid' }, wordsOf(covered, of)),
    h('td', { class: 'number wide' }, grouped(passages.length)),
    h('td', { class: 'number wide' }, counted(longest(passages), 'word')),
    h('td', { class: 'last' }, h('a', { href: `#/pair/${number}`, class: 'open' }, 'Side by side',
      h('span', { class: 'sr' }, `: ${nameOf(pair.suspicious)} and ${nameOf(pair.source)}`))));
}

/** A tag shown if all passages count only because a text is short. */
const weak = passages => passages.every(({ weak }) => weak) && h('span', {
  class: 'tag',
  title: 'It counts only because the text is short: two brief texts on the same thing may come as close to each other.',
}, 'weak evidence');

function documentRow({ number, text, covered, counted: of, sources }) {
  const isDisguised = Object.values(text.disguises).some(count => count > 0);
  const [most] = sources;
  return h('tr', {},
    h('td', { class: 'number' }, h('b', {}, percent(covered, of))),
    h('td', { class: 'bars' }, bar(covered, of)),
    h('td', { class: 'name' }, h('a', { href: `#/document/${number}`, class: 'open' }, name(number)),
      filters.excluded.has(number) && h('span', { class: 'tag' }, 'excluded'),
      isDisguised && h('span', { class: 'tag' }, 'disguised words')),
    h('td', { class: 'number mid' }, wordsOf(covered, of)),
    h('td', { class: 'name' }, most && [name(most.other), ` (${percent(most.covered, of)})`,
      weak(sources.flatMap(({ found }) => found.passages))]),
    h('td', { class: 'number wide' }, grouped(sources.length)));
}

/** Notes on texts and pairs that the figures do not cover. */
function notes() {
  const { pairs: left, texts: without, limit } = data.omitted;
  const told = [];
  if (data.skipped) {
    told.push(`${counted(data.skipped, 'problem')} while reading and comparing: the texts concerned were not compared.`);
  }
  if (data.in_part) {
    told.push(`${counted(data.in_part, 'document')} had too many words and ${data.in_part === 1 ? 'was' : 'were'} ` +
      'compared in part: nothing is known of the rest.');
  }
  const { quotations, bibliography, templates, common } = data.as_screened;
  const reasons = [templates > 0 && `text from ${counted(templates, 'template')}`, quotations && 'quotations',
    bibliography && 'bibliographies', common !== null && `phrases found in more than ${100 * common}\u00a0% of the texts`];
  if (reasons.some(Boolean)) {
    const words = texts.slice(0, data.suspicious);
    const sum = count => words.reduce((sum, text) => sum + count(text), 0);
    told.push(`Left out when the documents were screened, and not counted here: ${reasons.filter(Boolean).join(', ')} ` +
      `(${grouped(sum(text => text.words - text.counted))} of ${counted(sum(text => text.words), 'word')}).`);
  }
  if (left.count) {
    told.push(`${counted(left.count, 'pair')} with the smallest shares, ${percent(left.words, left.of)} and less, ` +
      'are left out of this page to keep it small. Documents with such pairs have a note.');
  }
  if (without) {
    told.push(`The texts of ${counted(without, 'pair')} are left out: this page holds at most ` +
      `${Math.round(limit / 1e6)} MB of text, of the pairs with the greatest shares first. Their figures are included.`);
  }
  return told.length > 0 && h('ul', { class: 'notes' }, told.map(note => h('li', {}, note)));
}

/** Histogram of documents by share, in steps of ten per cent. */
function histogram(documents) {
  const steps = [{ label: 'none', count: 0 }, { label: 'up to 10\u00a0%', count: 0 }];
  for (let from = 10; from < 100; from += 10) steps.push({ label: `${from}–${from + 10}\u00a0%`, count: 0 });
  for (const { covered, counted: of } of documents) {
    const tenths = covered ? 1 + Math.min(Math.floor(10 * share(covered, of) + 1e-9), 9) : 0;
    steps[tenths].count++;
  }
  const most = Math.max(...steps.map(step => step.count), 1);
  return h('section', { class: 'card', id: 'histogram' },
    h('h2', {}, 'Documents by share'),
    h('p', { class: 'about' },
      'The number of documents with each share; 20\u00a0% belongs to 20–30\u00a0%.'),
    h('table', {},
      h('thead', {}, h('tr', {},
        h('th', { scope: 'col' }, 'share'), h('th', { scope: 'col', class: 'number' }, 'documents'), h('td'))),
      h('tbody', {}, steps.map(({ label, count }) => h('tr', {},
        h('th', { scope: 'row' }, label),
        h('td', { class: 'number' }, grouped(count)),
        h('td', { class: 'bars' }, bar(count, most, 'plain')))))));
}
