// One document: its text, each source in its own colour.

// The number of the only source shown; null if all are.
let only = null;

function documentView(figures, number) {
  const figure = figures.texts[number];
  if (!figure.sources.some(({ other }) => other === only)) only = null;
  const { text, matched, counted: of, sources } = figure;
  const hasText = text.text !== null;
  return [
    h('h1', {}, name(number)),
    h('p', { class: 'lead' }, shareOf(figure)),
    denominator(figure),
    h('p', { class: 'about' }, h('a', { href: to(`#/dossier/${number}`), class: 'control' }, t('dossier'))),
    caution(number),
    disguises(text),
    omission(figure),
    decisionBox(ofDocument(number)),
    h('div', { class: 'columns' },
      h('section', { class: 'card reading' }, hasText
        ? h('div', { id: 'reading' }, reading(figure))
        : h('p', { class: 'about' }, t(text.omitted || pairs.some(pair => pair.suspicious === number || pair.source === number) ? 'text_left_out' : 'no_text'))),
      h('aside', { class: 'card' },
        h('h2', {}, t(number < data.suspicious && !data.with_each_other ? 'sources_head' : 'also_in_head')),
        sourceList(figure))),
  ];
}

/** The share of a document in a sentence: that nothing counts where it has weak passages only. */
const shareOf = ({ matched, counted: of, sources }) => parts(sources.length > 0 && !sources.some(({ found }) => isFirm(found)) ? 'lead_weak' : 'lead', {
  share: h('b', { id: 'share' }, percent(matched, of)), words: h('span', { id: 'words' }, wordsOf(matched, of)),
});

/** The text, and above it what its colours mean. */
const reading = figure => [
  figure.sources.length > 0 && [
    colouring(figure, () => redraw(figure)),
    h('p', { class: 'about' }, t(settings.colour === 'kind' ? 'legend_kind' : 'legend'), ' ', h('span', { class: 'out' }, t('k_out'))),
  ],
  coloured(figure),
].flat(Infinity).filter(Boolean);

const redraw = figure => document.getElementById('reading')?.replaceChildren(...reading(figure));

/** The words that are not counted, the language and the author. */
function denominator(figure) {
  const { text } = figure;
  const left = leftOut(figure).map(([n, where]) => t(where, { n }));
  return h('p', { class: 'about' },
    left.length ? t('not_all_counted', { words: counted(text.words, 'words'), list: left.join(', ') }) : t('all_counted'), ' ',
    t('language_is', { language: languageName(text.lang, text.language) }),
    text.author && [' · ', parts('author', { name: h('bdi', {}, text.author) })],
    text.name && [' · ', parts('file', { name: path(text.id, text.id) })]);
}

/** Notes on text that may be hidden or was not compared, and on pairs that the page lacks. */
function omission({ text }) {
  const said = [
    text.words === 0 && t('no_words'),
    text.read_by && t('read_by', { program: text.read_by }),
    text.pictured > 0 && t('pictured_here', { n: text.pictured }),
    text.hidden && `${t('hidden')} ${hiddenInWords(text.hidden)}`,
    text.not_compared > 0 && t('not_compared', { words: counted(text.words, 'words'), bytes: counted(text.not_compared, 'bytes') }),
    text.omitted > 0 && t('omitted_here', {
      pairs: counted(text.omitted, 'pairs'), words: wordsOf(text.matched, text.counted), percent: percent(text.matched, text.counted),
    }),
  ].filter(Boolean);
  return said.length > 0 && h('ul', { class: 'notes' }, said.map(note => h('li', {}, note)));
}

function sourceList(figure) {
  const { sources, counted: of, number } = figure;
  if (!sources.length) return h('p', { class: 'about' }, t('no_passages'));
  return h('ol', { class: 'sources' }, sources.map(({ found, other, matched }, rank) => h('li', {},
    h('button', {
      type: 'button', class: `badge ${colour(rank)}`, 'aria-pressed': String(only === other), 'data-text': other,
      title: t('show_only'), onclick: () => showOnly(figure, other),
    }, rank + 1),
    h('div', {},
      link(other), weak(found.passages),
      bar(matched, of, colour(rank)),
      h('p', { class: 'figure' }, h('b', {}, percent(matched, of)),
        ` · ${wordsOf(matched, of)} · ${counted(found.passages.length, 'passages')}`),
      h('a', { class: 'compare', href: to(`#/pair/${found.number}/-/${number}`) }, t('side_by_side')), ' ',
      h('button', { type: 'button', class: 'exclude', 'data-text': other, onclick: () => exclude(other) }, t('exclude'),
        h('span', { class: 'sr' }, ` ${nameOf(other)}`))))));
}

/** Shows only the passages of one source, even where others cover them; called again, shows all. */
function showOnly(figure, other) {
  only = only === other ? null : other;
  redraw(figure);
  for (const badge of document.querySelectorAll('.badge')) {
    badge.setAttribute('aria-pressed', String(Number(badge.dataset.text) === only && only !== null));
  }
}

/** The text in colours. */
function coloured(figure) {
  const { text, before, sources } = figure;
  const { owners, passages, quoted } = owned(figure);
  const byKind = settings.colour === 'kind';
  const box = h('div', { class: 'text', lang: text.lang, dir: 'auto' });
  // Within a passage only words that are quoted are marked so.
  const makePassage = key => {
    const { rank, found, passage, length } = passages[Math.floor(key / QUOTED.length)];
    const quotation = byKind ? QUOTED[key % QUOTED.length] : quotationOf(passage, sources[rank].span);
    const at = found.pair.passages.indexOf(passage);
    const open = () => { location.hash = to(`#/pair/${found.number}/${at}`); };
    return h('mark', {
      class: `passage ${byKind ? `k-${passage.kind} q-${quotation}` : colour(rank)}`,
      tabindex: 0, role: 'link', onclick: open, 'data-number': rank + 1, onenter: open,
      title: `${rank + 1}: ${nameOf(sources[rank].other)}, ${counted(length, 'words')}, ${t(`kind_${passage.kind}`)}, ${t(`quotation_${quotation}`)}`,
    }, h('sup', {}, rank + 1));
  };
  const isOut = i => (before[i + 1] === before[i] ? 'out' : null);
  const key = i => (owners[i] < 0 ? null : owners[i] * QUOTED.length + (byKind ? quoted[i] : 0));
  paint(box, text, key, makePassage, isOut, () => h('span', { class: 'out' }));
  return box;
}
