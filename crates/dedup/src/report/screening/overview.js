// The first view: who with whom, what was not read, all documents, their dates, clusters, and a histogram of shares.

function overview(figures) {
  const suspicious = figures.texts.slice(0, data.suspicious);
  const passages = figures.pairs.reduce((sum, { passages }) => sum + passages.length, 0);
  const found = figures.pairs.filter(pair => pair.passages.length);
  const affected = suspicious.filter(({ sources }) => sources.some(isFirmSource)).length;
  const onlyWeak = suspicious.filter(({ sources }) => sources.length && !sources.some(isFirmSource)).length;
  const weakPassages = found.reduce((sum, { passages }) => sum + passages.filter(({ weak }) => weak).length, 0);
  return [
    h('h1', {}, h('bdi', {}, data.title || t('shared_passages'))),
    aboutRun(),
    h('p', { class: 'lead' },
      h('b', {}, t('documents_affected', { count: affected, all: data.suspicious })), onlyWeak > 0 && ` (${t('only_weak', { n: onlyWeak })})`, ' · ',
      t('found', { passages: counted(passages, 'passages'), n: found.length }), weakPassages > 0 && ` (${t('weak_among', { n: weakPassages })})`,
      data.against && ` · ${t('compared_with', { n: texts.length - data.suspicious })}`,
      data.skipped > 0 && [' · ', h('b', {}, t('unread', { n: data.skipped }))]),
    caution(),
    h('label', { class: 'seek' }, t('seek'), ' ',
      h('input', { id: 'seek', type: 'search', value: settings.find, 'aria-describedby': 'seek-hint', oninput: event => seek(event.target.value, figures) }), ' ',
      h('span', { id: 'seek-hint' }, t('seek_hint', { kind: t('kind_copied'), quoted: t('quoted') }))),
    h('div', { id: 'lists' }, lists(figures)),
    timeline(figures),
    decided(),
    clusters(figures),
    histogram(suspicious),
  ];
}

/** The time of the screening, and its settings folded away. */
const aboutRun = () => [
  data.made && h('p', { class: 'about' }, t('made', { date: dateOf(data.made), version: data.version })),
  h('details', { class: 'run about' }, h('summary', {}, t('about')), settingsOf()),
];

/** The command line and the settings of the screening. */
function settingsOf() {
  const out = asReasons();
  const said = [
    data.made && t('made', { date: dateOf(data.made), version: data.version }),
    data.against && t('set_against'),
    data.with_each_other && t('set_each_other'),
    ...(data.lexicons ?? []),
    data.across?.lexicon.length > 0 && t('across_lexicon', { pairs: languagePairs(data.across.lexicon) }),
    ...notWellSearched(),
    t('set_min_words', { words: counted(data.min_words, 'words') }),
    t('set_min_probability', { n: data.min_probability }),
    data.whole_texts && t('set_whole_texts'),
    t('set_language', { language: data.language ? languageName(data.language, data.language) : t('detected') }),
    out.length > 0 && t('set_left_out', { what: out.join(', ') }),
    isFiltered() && `${t('filtered_head')} ${t('min', { input: filters.min })}` +
      `${OUT.filter(kind => filters[kind]).map(kind => `, ${t(`no_${kind}`)}`).join('')}${filters.excluded.size ? `, ${t('excluded_documents')}: ${grouped(filters.excluded.size)}` : ''}`,
  ];
  return [
    data.command_line && h('p', {}, `${t('command')}: `, h('code', { dir: 'ltr' }, data.command_line)),
    h('ul', {}, said.filter(Boolean).map(line => h('li', {}, line))),
  ];
}

// Maximum number of pairs of languages in a line.
const NAMED_PAIRS = 10;

/** Pairs of languages, each with the numbers of documents and of other texts. */
function languagePairs(pairs) {
  const named = pairs.slice(0, NAMED_PAIRS).map(({ languages, texts }) =>
    `${languages.map(([code, name]) => languageName(code, name)).join(' – ')} ${texts.map(grouped).join(' × ')}`.trim());
  const more = pairs.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` ${t('pairs_more', { n: more })}` : ''}`;
}

/**
 * The texts that were not searched for translations, or without a lexicon, and lexicons of no use, if that was asked for; or else
 * the documents that have no text in their language to be compared with.
 */
const notWellSearched = () => !data.across ? data.alone.map(([[code, name], n]) => t('alone', { n, language: languageName(code, name) })) : [
  data.across.letters.length > 0 && t('across_letters', { pairs: languagePairs(data.across.letters) }),
  data.across.none.length > 0 && t('across_none', { pairs: languagePairs(data.across.none) }),
  data.across.unused.length > 0 && t('across_unused', { pairs: languagePairs(data.across.unused.map(languages => ({ languages, texts: [] }))) }),
  data.across.undetermined > 0 && t('across_undetermined', { n: data.across.undetermined }),
].filter(Boolean);

/** The kinds of text that were left out at screening. */
function asReasons() {
  const { quotations, bibliography, templates, common, code, names } = data.as_screened;
  return [templates > 0 && t('templates', { n: templates }), quotations && t('quotations'), bibliography && t('bibliographies'),
    code && t('code'), common && t('common'), names && t('names')].filter(Boolean);
}

/** The files that were not read, with the reason. */
function unread() {
  if (!data.skipped) return null;
  const list = data.unread.map(it => h('li', {}, unreadName(it.name), ' – ', whyUnread(it, texts.some(text => text.author) && 'handed_in')));
  const more = data.skipped - data.unread.length;
  return h('section', { class: 'notes warning', id: 'unread' },
    h('h2', {}, t('unread', { n: data.skipped })),
    h('ul', {}, list, more > 0 && h('li', {}, t('unread_more', { n: more }))));
}

// The author in a path as Moodle exports it.
const MOODLE = /(?:^|\/)([^/]+)_\d+_assignsubmission_/;
const moodleAuthor = name => MOODLE.exec(name)?.[1];
const isMoodle = texts.some(({ id, author }) => author && moodleAuthor(id) === author);

/** A file that was not read: its author, where the paths of the others name theirs, and the file. */
function unreadName(name) {
  const author = isMoodle && moodleAuthor(name);
  const file = name.slice(name.lastIndexOf('/') + 1);
  return author ? [h('b', { class: 'id', title: name }, h('bdi', {}, author)), ' (', path(name, file), ')'] : path(name, name);
}

/** The caution on the meaning of figures, and the notes that filters are on and passages left out: of all, or of one document. */
const caution = (number = null) => [
  h('p', { class: 'caution' }, h('b', {}, t('caution_head')), ' ', t('caution')),
  isFiltered() && h('p', { class: 'caution', id: 'filtered' }, h('b', {}, t('filtered_head')), ' ',
    t('filtered', { button: t('as_screened') })),
  leftOutByDecision(number) > 0 && h('p', { class: 'caution', id: 'decided-out' }, t('out_by_decision', { n: leftOutByDecision(number) })),
];

function seek(value, figures) {
  settings.find = value;
  note();
  document.getElementById('lists').replaceChildren(...lists(figures).filter(Boolean));
}

/** Who with whom, then what was not read or needs a note, then each document. */
function lists(figures) {
  const is = sought(settings.find);
  const ofPair = ({ pair, matched, of, passages }) => ({ numbers: [pair.suspicious, pair.source], part: share(matched, of), passages });
  const ofDocument = ({ number, matched, counted: of, sources }) => ({
    numbers: [number, ...sources.slice(0, 1).map(({ other }) => other)],
    tagged: [number],
    part: share(matched, of),
    passages: sources.flatMap(({ found, span }) => found.passages.map(passage => ({ kind: passage.kind, quotations: [quotationOf(passage, span)] }))),
  });
  const empty = key => t(settings.find.trim() ? 'nothing_found' : key);
  const found = pairsInOrder(figures).filter(pair => is(ofPair(pair)));
  const shown = figures.texts.slice(0, data.suspicious).filter(text => is(ofDocument(text)));
  return [
    h('section', { class: 'card', id: 'pairs' },
      h('h2', {}, t('pairs')),
      h('p', { class: 'about' }, t('pairs_about'), hasTranslated && ` ${t('translated_counts')}`),
      table('pairs', pairColumns(figures), found, 'share', empty('no_pairs'))),
    unread(),
    notes(),
    common(),
    h('section', { class: 'card', id: 'documents' },
      h('h2', {}, t('documents')),
      h('p', { class: 'about' }, t('documents_about'), hasTranslated && ` ${t('translated_counts')}`),
      table('documents', documentColumns(), shown, 'share', empty('no_documents'))),
  ];
}

/** The pairs with passages, the greatest share first. */
function pairsInOrder(figures) {
  return byShare(figures.pairs.filter(({ passages }) => passages.length), 'matched');
}

const byShare = (found, words) => found.sort((x, y) => share(y[words], y.of) - share(x[words], x.of) || x.number - y.number);

const isFirmSource = ({ found }) => isFirm(found);

const pairColumns = figures => [
  { id: 'share', label: t('share'), type: 'number', falls: true, of: it => share(it.matched, it.of), cell: it => h('b', {}, percent(it.matched, it.of)) },
  { id: 'bar', type: 'bars', cell: it => bar(it.matched, it.of) },
  { id: 'document', label: t('document'), type: 'name', of: it => nameOf(it.pair.suspicious), cell: it => [link(it.pair.suspicious), tags(figures.texts[it.pair.suspicious])] },
  { id: 'also', label: t('also_in'), type: 'name', of: it => nameOf(it.pair.source), cell: it => [link(it.pair.source), tags(figures.texts[it.pair.source]), weak(it.passages), markOf(ofPair(it.pair))] },
  { id: 'words', label: t('words'), type: 'number mid', falls: true, of: it => it.matched, cell: it => wordsOf(it.matched, it.of) },
  { id: 'kind', label: t('kind'), type: '', of: it => kindRank(it.passages), cell: it => kindOf(it.passages) },
  { id: 'passages', label: t('passages'), type: 'number wide', falls: true, of: it => it.passages.length, cell: it => grouped(it.passages.length) },
  { id: 'longest', label: t('longest'), type: 'number wide', falls: true, of: it => longest(it.passages), cell: it => counted(longest(it.passages), 'words') },
  { id: 'open', type: 'last', cell: it => h('a', { href: to(`#/pair/${it.number}`), class: 'open' }, t('side_by_side'),
    h('span', { class: 'sr' }, `: ${nameOf(it.pair.suspicious)}, ${nameOf(it.pair.source)}`)) },
];

const documentColumns = () => [
  { id: 'share', label: t('share'), type: 'number', falls: true, of: it => share(it.matched, it.counted), cell: it => h('b', {}, percent(it.matched, it.counted)) },
  { id: 'bar', type: 'bars', cell: it => bar(it.matched, it.counted) },
  { id: 'document', label: t('document'), type: 'name', of: it => nameOf(it.number), cell: it => [link(it.number, 'open'), tags(it), markOf(ofDocument(it.number))] },
  { id: 'words', label: t('words'), type: 'number mid', falls: true, of: it => it.matched, cell: it => wordsOf(it.matched, it.counted) },
  { id: 'most', label: t(data.with_each_other ? 'most_in' : 'most_from'), type: 'name', of: it => (it.sources.length ? nameOf(it.sources[0].other) : ''), cell: mostFrom },
  { id: 'sources', label: t(data.with_each_other ? 'also_in' : 'sources'), type: 'number wide', falls: true, of: it => it.sources.filter(isFirmSource).length, cell: it => grouped(it.sources.filter(isFirmSource).length) },
];

const link = (number, type) => h('a', { href: to(`#/document/${number}`), class: type }, name(number));

const mostFrom = ({ sources: [most, ...others], counted: of }) => most && [name(most.other), ` (${percent(most.matched, of)})`,
  weak([most, ...others].flatMap(({ found }) => found.passages))];

const tag = (key, title) => h('span', { class: 'tag', title }, t(key));

/** A tag for words that another program read from the file. */
const converted = text => text.read_by && tag('converted', t('read_by', { program: text.read_by }));

const tags = ({ number, text }) => [
  filters.excluded.has(number) && tag('excluded'),
  Object.values(text.disguises).some(count => count > 0) && tag('disguised_words'),
  text.words === 0 && tag('no_words'),
  converted(text),
  text.hidden && tag('hidden_text', hiddenInWords(text.hidden)),
];

/** A tag shown if all passages count only because a text is short. */
const weak = passages => passages.every(({ weak }) => weak) && tag('weak', t('weak_hint'));

/** The numbers of characters that a reader may not see. */
const hiddenInWords = hidden => `${t('hidden_unit')} – ${Object.entries(hidden).filter(([, n]) => n > 0).map(([kind, n]) => t(`hidden_${kind}`, { n })).join(', ')}`;

/** Links to the first of some documents. */
const listed = numbers => [numbers.slice(0, ROWS).flatMap((number, i) => [i > 0 && ', ', link(number)]), numbers.length > ROWS && ' …'];

/** Notes on texts and pairs that the figures do not cover. */
function notes() {
  const { pairs: left, texts: without, limit } = data.omitted;
  const said = data.sharing ? [[t('sharing', { n: data.sharing, all: data.suspicious })]] : [];
  const hiding = texts.map((text, number) => number).filter(number => texts[number].hidden);
  if (hiding.length) {
    said.push([t('hidden'), ' ', ...listed(hiding)]);
  }
  said.push(...notWellSearched().map(line => [line]));
  const wordless = texts.map((_, number) => number).filter(number => number < data.suspicious && texts[number].words === 0);
  if (wordless.length) said.push([t('wordless'), ' ', ...listed(wordless)]);
  const pictured = texts.map((_, number) => number).filter(number => texts[number].pictured);
  if (pictured.length) said.push([t('pictured'), ' ', ...listed(pictured)]);
  const hardlyCounted = texts.map((_, number) => number).filter(number =>
    number < data.suspicious && texts[number].words > 0 && 4 * texts[number].counted <= texts[number].words);
  if (hardlyCounted.length) said.push([t('hardly_counted'), ' ', ...listed(hardlyCounted)]);
  if (data.aside.length) said.push([t('aside', { n: data.aside.length }), ' ', data.aside.slice(0, ROWS).join(', '), data.aside.length > ROWS && ' …']);
  if (data.in_part) said.push([t('in_part', { n: data.in_part })]);
  const out = asReasons();
  if (out.length) {
    const sum = count => texts.slice(0, data.suspicious).reduce((sum, text) => sum + count(text), 0);
    said.push([t('left_out_sum', { what: out.join(', '), sum: wordsOf(sum(text => text.words - text.counted), sum(text => text.words)) })]);
  }
  if (left.count) said.push([t('omitted_pairs', { pairs: counted(left.count, 'pairs'), percent: percent(left.words, left.of) })]);
  if (without) said.push([t('omitted_texts', { pairs: counted(without, 'pairs'), n: Math.round(limit / 1e6) })]);
  return said.length > 0 && h('ul', { class: 'notes' }, said.map(line => h('li', {}, line.flat())));
}

/** The texts that many documents share, and how to leave them out. */
function common() {
  if (!data.common.length) return null;
  const said = ({ words, documents }) => `${t('common_text', { words: counted(words, 'words'), count: documents, all: data.read })} `;
  const isOut = it => it.left_out === it.words;
  const about = data.as_screened.common ? 'common_out' : data.common.every(isOut) ? 'common_given' : 'common_in';
  return h('section', { class: 'notes', id: 'common-texts' },
    h('h2', {}, t('common_head')),
    h('p', {}, t(about, { button: t('no_common') })),
    h('ul', {}, data.common.map(it => h('li', {}, said(it), h('q', { dir: 'auto' }, it.beginning),
      about === 'common_in' && isOut(it) && ` – ${t('common_given_one')}`))));
}

/** Histogram of documents by share, in steps of ten per cent. */
function histogram(documents) {
  const steps = [{ label: t('none'), count: 0 }, { label: t('up_to', { percent: '10\u00a0%' }), count: 0 }];
  for (let from = 10; from < 100; from += 10) steps.push({ label: `${from}–${from + 10}\u00a0%`, count: 0 });
  for (const { matched, counted: of } of documents) {
    const tenths = matched ? 1 + Math.min(Math.floor(10 * share(matched, of) + 1e-9), 9) : 0;
    steps[tenths].count++;
  }
  const most = Math.max(...steps.map(step => step.count), 1);
  return h('section', { class: 'card', id: 'histogram' },
    h('h2', {}, t('histogram')),
    h('p', { class: 'about' }, t('histogram_about', { step: '20\u00a0%', range: '20–30\u00a0%' })),
    h('table', {},
      h('thead', {}, h('tr', {},
        h('th', { scope: 'col' }, t('share')), h('th', { scope: 'col', class: 'number' }, t('documents')), h('td'))),
      h('tbody', {}, steps.map(({ label, count }) => h('tr', {},
        h('th', { scope: 'row' }, label),
        h('td', { class: 'number' }, grouped(count)),
        h('td', { class: 'bars' }, bar(count, most, 'plain')))))));
}
