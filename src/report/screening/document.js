// One document: its text, each source in its own colour.

// The number of the only source shown; null if all are.
let only = null;

function documentView(figures, number) {
  const figure = figures.texts[number];
  if (!figure.sources.some(({ other }) => other === only)) only = null;
  const { text, covered, counted: of, sources } = figure;
  const hasText = text.text !== null;
  return [
    h('h1', {}, name(number)),
    h('p', { class: 'lead' }, h('b', { id: 'share' }, percent(covered, of)), ` of ${counted(of, 'word')} lie in passages that also occur `,
      sources.length ? `in ${counted(sources.length, others(number))}: ` : 'elsewhere: ',
      h('span', { id: 'words' }, counted(covered, 'word')), '.'),
    denominator(figure),
    caution(),
    disguises(text),
    omission(figure),
    h('div', { class: 'columns' },
      h('section', { class: 'card reading' }, hasText
        ? [legend(sources), h('div', { id: 'reading' }, coloured(figure))]
        : h('p', { class: 'about' }, sources.length || text.covered
          ? 'The text is left out to keep this page small; its figures are included.'
          : 'No passage of this document occurs in another, so its text is not in this page.')),
      h('aside', { class: 'card' },
        h('h2', {}, number < data.suspicious && data.against ? 'Sources' : 'Also in'),
        sourceList(figure))),
  ];
}

/** The number of words that the share is out of, and the words left out. */
function denominator(figure) {
  const { text, counted: of } = figure;
  const by = text.author ? [' · by ', h('bdi', {}, text.author)] : [];
  const left = leftOut(figure).map(([count, where]) => `${grouped(count)} ${where}`);
  return h('p', { class: 'about' }, left.length
    ? `${grouped(of)} of all ${counted(text.words, 'word')} are counted; left out: ${left.join(', ')}.`
    : `All ${counted(of, 'word')} are counted.`, ` Language: ${text.language}`, ...by);
}

/** Notes on text that was not compared and on pairs that the page lacks. */
function omission({ text }) {
  const told = [
    text.not_compared > 0 && `Only its first ${counted(text.words, 'word')} were compared: nothing is known of the ` +
      `${counted(text.not_compared, 'byte')} of text after them.`,
    text.omitted > 0 && `${counted(text.omitted, 'pair')} of this document ${text.omitted === 1 ? 'is' : 'are'} left ` +
      `out of this page and of the figures here. With them, and as screened, ${wordsOf(text.covered, text.counted)} ` +
      `lie in shared passages (${percent(text.covered, text.counted)}).`,
  ].filter(Boolean);
  return told.length > 0 && h('ul', { class: 'notes' }, told.map(note => h('li', {}, note)));
}

const others = number => (number < data.suspicious && data.against ? 'source' : 'other document');

const legend = sources => sources.length > 0 && h('p', { class: 'about' },
  'Coloured passages also occur in the text with the same number in the list. Click a passage to see both texts side ' +
  'by side; click a number in the list to see its passages only. Grey words are not counted.');

function sourceList(figure) {
  const { sources, counted: of, number } = figure;
  if (!sources.length) return h('p', { class: 'about' }, 'No passages are counted.');
  return h('ol', { class: 'sources' }, sources.map(({ found, other, covered }, rank) => h('li', {},
    h('button', {
      type: 'button', class: `badge ${colour(rank)}`, 'aria-pressed': String(only === other), 'data-text': other,
      title: 'Show the passages of this source only', onclick: () => showOnly(figure, other),
    }, rank + 1),
    h('div', {},
      h('a', { href: `#/document/${other}` }, name(other)),
      bar(covered, of, colour(rank)),
      h('p', { class: 'figure' }, h('b', {}, percent(covered, of)),
        ` · ${wordsOf(covered, of)} · ${counted(found.passages.length, 'passage')}`),
      h('a', { class: 'compare', href: `#/pair/${found.number}/-/${number}` }, 'Side by side'), ' ',
      h('button', { type: 'button', class: 'exclude', 'data-text': other, onclick: () => exclude(other) }, 'Exclude',
        h('span', { class: 'sr' }, ` ${nameOf(other)}`))))));
}

/** Shows only the passages of one source, even where others cover them; called again, shows all. */
function showOnly(figure, other) {
  only = only === other ? null : other;
  document.getElementById('reading')?.replaceChildren(coloured(figure));
  for (const badge of document.querySelectorAll('.badge')) {
    badge.setAttribute('aria-pressed', String(Number(badge.dataset.text) === only && only !== null));
  }
}

/** The text in colours; where sources overlap, a word has the colour of the one with the greater share. */
function coloured({ text, before, sources }) {
  const owners = new Int32Array(text.words).fill(-1);
  const passages = [];
  sources.forEach(({ found, span, other }, rank) => {
    if (only !== null && other !== only) return;
    for (const passage of found.passages) {
      const [from, to] = passage[span];
      for (let i = from; i < to; i++) {
        if (owners[i] < 0) owners[i] = passages.length;
      }
      passages.push({ rank, found, passage, length: to - from });
    }
  });
  const box = h('div', { class: 'text', lang: text.lang, dir: 'auto' });
  const makePassage = owner => {
    const { rank, found, passage, length } = passages[owner];
    const at = found.pair.passages.indexOf(passage);
    const open = () => { location.hash = `#/pair/${found.number}/${at}`; };
    return h('mark', {
      class: `passage ${colour(rank)}`, tabindex: 0, role: 'link', onclick: open, 'data-number': rank + 1,
      title: `${rank + 1}: ${nameOf(sources[rank].other)}, ${counted(length, 'word')}`, onenter: open,
    }, h('sup', {}, rank + 1));
  };
  const isOut = i => (before[i + 1] === before[i] ? 'out' : null);
  paint(box, text, i => (owners[i] < 0 ? null : owners[i]), makePassage, isOut, () => h('span', { class: 'out' }));
  return box;
}
