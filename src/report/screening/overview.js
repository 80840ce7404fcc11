// The first view: all documents and pairs, how many have which share, and who is near to whom.

const ROWS = 100;
let sought = '';

function overview(figures) {
  const suspicious = figures.texts.slice(0, data.suspicious);
  const passages = figures.pairs.reduce((sum, { passages }) => sum + passages.length, 0);
  const found = figures.pairs.filter(pair => pair.passages.length);
  const sources = texts.length - data.suspicious;
  const compared = `${counted(data.suspicious, 'document')} compared with ` +
    (data.against ? counted(sources, 'source') : 'each other');
  return [
    h('h1', {}, 'Shared passages'),
    h('p', { class: 'lead' }, `${compared}: `,
      h('b', {}, counted(passages, 'passage')), ' in ', h('b', {}, counted(found.length, 'pair')),
      data.omitted.pairs.count > 0 && ' in this page', '.'),
    notes(),
    h('div', { class: 'charts' }, histogram(suspicious), clusters(figures)),
    h('label', { class: 'seek' }, 'Show only names with ',
      h('input', { id: 'seek', type: 'search', value: sought, oninput: event => seek(event.target.value, figures) })),
    h('div', { id: 'lists' }, lists(figures)),
  ];
}

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
    h('section', { class: 'card', id: 'pairs' },
      h('h2', {}, 'Pairs'),
      h('p', { class: 'about' }, data.against
        ? 'How much of a document stands in one source.'
        : 'How much of a document stands in another; of two, the one with the greater share comes first.'),
      table([['share', 'number'], ['', 'bars'], ['document'], ['stands in'], ['words', 'number'], ['passages', 'number'],
        ['longest', 'number']], found.map(pair => () => pairRow(pair)), ROWS, 'No pair has passages that count.')),
    h('section', { class: 'card', id: 'documents' },
      h('h2', {}, 'Documents'),
      h('p', { class: 'about' }, 'How much of each document stands in any other that it was compared with.'),
      table([['share', 'number'], ['', 'bars'], ['document'], ['words', 'number'], ['of', 'number'],
        [data.against ? 'sources' : 'documents', 'number'], ['']],
      shown.map(text => () => documentRow(text)), ROWS, 'There are no documents.')),
  ];
}

function pairRow({ number, pair, passages, covered, of }) {
  return h('tr', {},
    h('td', { class: 'number' }, h('a', { href: `#/pair/${number}`, class: 'open' }, percent(covered, of))),
    h('td', { class: 'bars' }, bar(covered, of)),
    h('td', { class: 'name' }, h('a', { href: `#/document/${pair.suspicious}` }, name(pair.suspicious))),
    h('td', { class: 'name' }, h('a', { href: `#/document/${pair.source}` }, name(pair.source))),
    h('td', { class: 'number' }, wordsOf(covered, of)),
    h('td', { class: 'number' }, grouped(passages.length)),
    h('td', { class: 'number' }, counted(longest(passages), 'word')));
}

function documentRow({ number, text, covered, counted: of, sources }) {
  const isDisguised = Object.values(text.disguises).some(count => count > 0);
  return h('tr', {},
    h('td', { class: 'number' }, h('a', { href: `#/document/${number}`, class: 'open' }, percent(covered, of))),
    h('td', { class: 'bars' }, bar(covered, of)),
    h('td', { class: 'name' }, name(number), filters.excluded.has(number) && h('span', { class: 'tag' }, 'excluded')),
    h('td', { class: 'number' }, grouped(covered)),
    h('td', { class: 'number' }, counted(of, 'word')),
    h('td', { class: 'number' }, grouped(sources.length)),
    h('td', {}, isDisguised && h('span', { class: 'tag' }, 'disguised words')));
}

/** What the reader must know before any figure. */
function notes() {
  const { pairs: left, texts: without, limit } = data.omitted;
  const told = [];
  if (data.skipped) {
    told.push(`Files or records that could not be read: ${grouped(data.skipped)}. Nothing is known of them.`);
  }
  if (left.count) {
    told.push(`${counted(left.count, 'pair')} with the smallest shares, ${percent(left.words, left.of)} and less, ` +
      'are left out of this page to keep it small. Where a document has any, it says so.');
  }
  if (without) {
    told.push(`The texts of ${counted(without, 'pair')} are not in this page, which holds ` +
      `${Math.round(limit / 1e6)} MB of text at most, of the pairs with the greatest shares first. Their figures are.`);
  }
  return told.length > 0 && h('ul', { class: 'notes' }, told.map(note => h('li', {}, note)));
}

/** How many documents have which share, in steps of ten per cent. */
function histogram(documents) {
  const steps = [{ label: 'none', count: 0 }, { label: 'up to 10\u00a0%', count: 0 }];
  for (let from = 10; from < 100; from += 10) steps.push({ label: `${from}–${from + 10}\u00a0%`, count: 0 });
  for (const { covered, counted: of } of documents) {
    const tenths = covered ? 1 + Math.min(Math.floor(10 * share(covered, of) + 1e-9), 9) : 0;
    steps[tenths].count++;
  }
  const most = Math.max(...steps.map(step => step.count), 1);
  return h('section', { class: 'card', id: 'histogram' },
    h('h2', {}, 'How much of documents is shared'),
    h('p', { class: 'about' },
      'Documents by the share of their words that stand elsewhere; a lower bound belongs to its step.'),
    h('table', {},
      h('thead', {}, h('tr', {},
        h('th', { scope: 'col' }, 'share'), h('th', { scope: 'col', class: 'number' }, 'documents'), h('td'))),
      h('tbody', {}, steps.map(({ label, count }) => h('tr', {},
        h('th', { scope: 'row' }, label),
        h('td', { class: 'number' }, grouped(count)),
        h('td', { class: 'bars' }, bar(count, most, 'plain')))))));
}
