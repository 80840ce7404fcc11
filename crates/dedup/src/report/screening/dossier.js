// A dossier on one document, to be printed: its figures and sources, each passage beside its counterpart, the settings, and
// room for a note.

function dossierView(figures, number) {
  const figure = figures.texts[number];
  const { text, matched, counted: of, sources } = figure;
  const found = decisions.of(ofDocument(number));
  const note = h('textarea', { id: 'note', rows: 8, oninput: event => {
    field('note-printed').textContent = event.target.value;
    decisions.set(ofDocument(number), { mark: found?.mark ?? null, note: event.target.value });
  } });
  note.value = found?.note ?? '';
  const tools = h('div', { class: 'steps controls' },
    h('button', { type: 'button', id: 'print', onclick: () => window.print() }, t('print')));
  return [
    h('h1', {}, `${t('dossier')}: `, name(number)),
    data.title && h('p', { class: 'about' }, h('bdi', {}, data.title)),
    tools,
    found?.mark && h('p', {}, `${t('decision')}: `, h('b', {}, t(`mark_${found.mark}`))),
    h('p', { class: 'lead' }, shareOf(figure)),
    denominator(figure),
    caution(number),
    disguises(text),
    omission(figure),
    h('section', { class: 'card', id: 'dossier-sources' },
      h('h2', {}, t(number < data.suspicious && !data.with_each_other ? 'sources_head' : 'also_in_head')),
      sources.length ? sourceTable(sources, of) : h('p', { class: 'about' }, t('no_passages'))),
    sources.length > 0 && keyOfMarks([text, ...sources.map(({ other }) => texts[other])].some(({ disguised }) => disguised.length > 0)),
    sources.map((source, rank) => dossierPart(figures, source, rank)),
    pairs.filter(pair => !sources.some(({ found }) => found.pair === pair)).map(pair => decidedPart(pair, number)),
    data.dossier !== null && decided(),
    h('section', { class: 'card', id: 'settings' }, h('h2', {}, t('about')), settingsOf()),
    h('section', { class: 'card note' },
      h('h2', {}, h('label', { for: 'note' }, t('note'))),
      h('p', { class: 'about controls' }, t('note_hint')),
      note,
      h('p', { id: 'note-printed', 'aria-hidden': 'true' }, note.value),
      h('p', { class: 'signature' }, t('signature'))),
  ];
}

function sourceTable(sources, of) {
  const heads = [['', 'number'], [t('share'), 'number'], [t('document'), 'name'], [t('words'), 'number'], [t('passages'), 'number']];
  return h('table', {},
    h('thead', {}, h('tr', {}, heads.map(([label, type]) => h(label ? 'th' : 'td', { scope: label ? 'col' : null, class: type }, label)))),
    h('tbody', {}, sources.map(({ other, matched, found }, rank) => h('tr', {},
      h('td', { class: 'number' }, rank + 1),
      h('td', { class: 'number' }, h('b', {}, percent(matched, of))),
      h('td', { class: 'name' }, name(other), weak(found.passages)),
      h('td', { class: 'number' }, wordsOf(matched, of)),
      h('td', { class: 'number' }, grouped(found.passages.length))))));
}

/** The passages that are also in one source. */
function dossierPart(figures, { found, other, span }, rank) {
  const ordered = [...found.passages].sort((x, y) => x[span][0] - y[span][0]);
  const hasTexts = [found.pair.suspicious, found.pair.source].every(number => texts[number].text !== null);
  return h('section', { class: 'card part' },
    h('h2', {}, `${rank + 1}. `, parts('passages_of', { name: name(other) }), converted(texts[other]), ' ',
      h('a', { class: 'compare', href: to(`#/pair/${found.number}`) }, t('side_by_side'))),
    decisionPrinted(found.pair, span),
    hasTexts
      ? turns(figures, found, ordered, span === 'a' ? ['a', 'b'] : ['b', 'a'])
      : [h('p', { class: 'about' }, t('pair_without_text')), h('ul', {}, ordered.map(passage => h('li', {}, told(found.pair, passage, span))))]);
}

/** A decision on a pair of the document of which no passage is counted. */
function decidedPart(pair, number) {
  const span = pair.suspicious === number ? 'a' : 'b';
  const printed = [pair.suspicious, pair.source].includes(number) && decisionPrinted(pair, span);
  return printed && h('section', { class: 'card decided-part' },
    h('h2', {}, parts('passages_of', { name: name(span === 'a' ? pair.source : pair.suspicious) })), printed);
}

/** The mark and the note of a pair, and the passages that were left out, by their places in one of its texts. */
function decisionPrinted(pair, span) {
  const found = decisions.of(ofPair(pair));
  const mark = found?.mark && `${t('decision')}: ${t(`mark_${found.mark}`)}`;
  const said = [mark, found?.note, ...outOf(pair).map(passage => leftOutInWords(passage, span))].filter(Boolean);
  return said.length > 0 && h('p', { class: 'decided' }, said.join(' · '));
}
