// An audit: classes of files to choose from, a table of files, and each family with its dates.

const data = JSON.parse(document.getElementById('data').textContent);
const main = document.getElementById('main');
const field = id => document.getElementById(id);
const NAMES = ['name', 'bytes', 'date', 'origin', 'language', 'words', 'kind', 'of', 'jaccard', 'family', 'problem', 'reason', 'program', 'inside', 'plan', 'members'];
const files = data.files.map((row, number) => ({ number, ...Object.fromEntries(NAMES.map((name, i) => [name, row[i]])) }));
const families = new Map();
for (const file of files) {
  if (file.family === null) continue;
  if (!families.has(file.family)) families.set(file.family, []);
  families.get(file.family).push(file);
}

// The folders that all names begin with; the table leaves them out.
const prefix = foldersOf(files.map(file => file.name));

// Number of rows shown at first, and added by each “more”.
const ROWS = 100;
const view = { kind: null, sought: '', by: 'name', up: false, shown: ROWS };

const named = file => path(file.name, file.name.slice(prefix.length) || file.name);
const dated = file => (file.date === null ? '' : new Intl.DateTimeFormat(`${lang}-u-nu-latn`, { dateStyle: 'medium', timeZone: 'UTC' }).format(file.date * 1000));
const reasonOf = file => file.problem !== null && [' · ', whyUnread({ kind: data.problems[file.problem], reason: file.reason })];
const planOf = file => file.plan !== null && [' ', h('span', { class: 'tag' }, t(file.plan ? 'in_plan_by_text' : 'in_plan'))];
const membersOf = file => file.members !== null && [' · ', t('members', { n: file.members[1], all: grouped(file.members[0]) })];
const programOf = file => file.program !== null && ` · ${file.program}`;
const inFamily = (file, shown) => (file.family === null ? shown : h('a', { href: `#/family/${file.family}` }, shown));

const COLUMNS = () => [
  { id: 'name', label: t('file'), type: 'name', of: file => file.name, cell: file => inFamily(file, named(file)) },
  { id: 'kind', label: t('kind'), of: file => file.kind, cell: file => [t(`kind_${data.classes[file.kind]}`), reasonOf(file), programOf(file), membersOf(file), planOf(file)] },
  { id: 'other', label: t('other'), type: 'name', of: file => (file.of === null ? '' : files[file.of].name), cell: otherOf },
  { id: 'bytes', label: t('size'), type: 'number', falls: true, of: file => file.bytes, cell: file => sized(file.bytes) },
  { id: 'date', label: t('date'), type: 'number', falls: true, of: file => file.date ?? -Infinity, cell: file => h('span', { title: file.origin ? t(`date_${file.origin}`) : null }, dated(file)) },
  { id: 'language', label: t('language'), of: file => file.language, cell: file => file.language && file.language !== 'und' && languageName(file.language, file.language) },
];

function otherOf(file) {
  if (file.of === null) return file.family === null ? standsFor(file) : familyOf(file);
  return [named(files[file.of]), alikeness(file), ' ', familyOf(file)];
}

/** How alike a version and the other are; of a part of another that would say nothing. */
function alikeness(file) {
  return file.jaccard !== null && data.classes[file.kind] === 'version' && ` (Jaccard ${grouped(file.jaccard)}\u00a0%)`;
}

/** The files that a file without a family stands for. */
function standsFor(file) {
  const others = files.filter(other => other.of !== null && files[other.of] === file);
  return others.length > 0 && ['← ', named(others[0]), others.length > 1 && ` +${grouped(others.length - 1)}`];
}

const familyOf = file => file.family !== null && h('a', { class: 'tag', href: `#/family/${file.family}` }, t('family', { n: families.get(file.family).length }));

/** Bytes of files; what a file holds is among its own. */
const onDisk = files => files.reduce((sum, file) => sum + (file.inside ? 0 : file.bytes), 0);

function overview() {
  const inside = files.filter(file => file.inside).length;
  return [
    h('h1', {}, h('bdi', {}, data.title || t('audit'))),
    h('p', { class: 'about' }, h('bdi', { dir: 'ltr' }, data.inputs.join(' '))),
    h('p', { class: 'lead' }, `${counted(files.length - inside, 'files')}, ${sized(onDisk(files))}`, inside > 0 && [' · ', t('inside', { n: inside })]),
    h('p', { class: 'about' }, t('audit_caution')),
    h('label', { class: 'seek' }, t('seek_files'), ' ', h('input', { id: 'seek', type: 'search', value: view.sought, oninput: event => {
      view.sought = event.target.value;
      view.shown = ROWS;
      list();
    } })),
    h('ul', { class: 'classes' }, [...data.classes.keys(), PLAN].map(tile)),
    h('div', { id: 'list' }),
  ];
}

// The files of the plan, beside the classes.
const PLAN = 'plan';
const isOf = (file, kind) => (kind === PLAN ? file.plan !== null : file.kind === kind);

/** A class with its numbers; pressed, the table shows it alone. */
function tile(kind) {
  const all = files.filter(file => isOf(file, kind));
  if (!all.length) return null;
  const [name, about] = kind === PLAN ? ['in_plan', 'about_plan'] : [`kind_${data.classes[kind]}`, `about_${data.classes[kind]}`];
  const press = () => {
    view.kind = view.kind === kind ? null : kind;
    view.shown = ROWS;
    for (const button of main.querySelectorAll('.classes button')) button.setAttribute('aria-pressed', String(button.dataset.kind === String(view.kind)));
    list();
  };
  return h('li', {}, h('button', { type: 'button', 'data-kind': String(kind), 'aria-pressed': String(view.kind === kind), onclick: press },
    h('b', {}, grouped(all.length)), t(name), h('small', {}, sized(onDisk(all))), h('small', {}, t(about))));
}

/** Writes the table of the files that are chosen. */
function list(focused) {
  const sought = plain(view.sought.trim());
  const chosen = files.filter(file => (view.kind === null || isOf(file, view.kind)) && (!sought || plain(file.name).includes(sought)));
  const columns = COLUMNS();
  const sorted = sortedBy(chosen, columns.find(({ id }) => id === view.by), view.up);
  const turn = id => {
    [view.by, view.up] = [id, view.by === id && !view.up];
    list(id);
  };
  const more = chosen.length - view.shown;
  const grow = (label, by) => h('button', { type: 'button', class: 'more', onclick: () => { view.shown += by; list(); } }, label);
  field('list').replaceChildren(
    chosen.length ? h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': t('audit') }, h('table', {},
      h('thead', {}, h('tr', {}, columns.map(({ id, label, type, falls }) => h('th', { scope: 'col', class: type, 'aria-sort': sorting({ id, falls }, view.by, view.up) },
        h('button', { type: 'button', class: 'sort', 'data-by': id, onclick: () => turn(id) }, label))))),
      h('tbody', {}, sorted.slice(0, view.shown).map(file => h('tr', {}, columns.map(column => h('td', { class: column.type, 'data-label': column.label }, column.cell(file))))))))
      : h('p', { class: 'about' }, t('no_files')),
    ...(more > 0 ? [grow(t('more_files', { n: more }), 10 * ROWS), ' ', grow(t('show_all'), more), h('p', { class: 'printed' }, t('not_printed', { n: more }))] : []));
  if (focused) main.querySelector(`[data-by=${focused}]`).focus();
  field('told').textContent = counted(chosen.length, 'files');
}

/** The files of a family, by their dates; the newest and the one with the most words are marked. */
function family(number) {
  const all = [...(families.get(number) ?? [])].sort((x, y) => (x.date ?? 0) - (y.date ?? 0) || x.number - y.number);
  if (!all.length) return overview();
  const only = files => (files.length === 1 ? files[0] : null);
  const last = all.reduce((date, file) => (file.date === null ? date : Math.max(date, file.date)), -Infinity);
  const newest = only(all.filter(file => file.date === last));
  const greatest = all.reduce((words, file) => Math.max(words, file.words), 0);
  const most = only(all.filter(file => file.words === greatest));
  const marks = file => [file === newest && h('span', { class: 'tag' }, t('newest')), file === most && h('span', { class: 'tag' }, t('most_words'))];
  const cells = file => [
    [named(file), marks(file)], [dated(file), file.origin && h('span', { class: 'about' }, ` · ${t(`date_${file.origin}`)}`)],
    [t(`kind_${data.classes[file.kind]}`), file.of !== null && [' · ', named(files[file.of]), alikeness(file)]],
    file.words ? counted(file.words, 'words') : '', sized(file.bytes)];
  const heads = ['file', 'date', 'kind', 'words', 'size'].map(key => [t(key === 'words' ? 'words_head' : key), key === 'size' || key === 'words' ? 'number' : null]);
  return [
    h('h1', {}, t('family', { n: all.length })),
    h('p', {}, h('a', { href: '#/' }, t('all_files'))),
    timeline(all),
    h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': t('family', { n: all.length }) }, h('table', {},
      h('thead', {}, h('tr', {}, heads.map(([label, type]) => h('th', { scope: 'col', class: type }, label)))),
      h('tbody', {}, all.map(file => h('tr', {}, cells(file).map((cell, i) => h('td', { class: i ? heads[i][1] : 'name', 'data-label': heads[i][0] }, cell))))))),
  ];
}

// Width of a letter of a date, in pixels.
const LETTER = 7.5;

/** The files whose dates are written: the first, the last, and between them those that have room. */
function labelled(known, x) {
  const room = main.clientWidth / 100;
  const half = file => LETTER * dated(file).length / room / 2;
  const [first, last] = [known[0], known.at(-1)];
  const written = [];
  let [at, end] = [x(first) + 2 * half(first), x(last) - 2 * half(last)];
  for (const file of known.slice(1, -1)) {
    if (x(file) - half(file) < at + 1 || x(file) + half(file) > end - 1) continue;
    written.push(file);
    at = x(file) + half(file);
  }
  return written;
}

/** The dates on a line; the table below says the same. */
function timeline(all) {
  const known = all.filter(file => file.date !== null);
  if (known.length < 2 || known[0].date === known.at(-1).date) return null;
  const [from, to] = [known[0].date, known.at(-1).date];
  const x = file => 4 + 92 * (file.date - from) / (to - from);
  return svg('svg', { id: 'timeline', 'aria-hidden': 'true' },
    svg('line', { x1: '4%', x2: '96%', y1: '30', y2: '30' }),
    known.map(file => svg('circle', { cx: `${x(file).toFixed(2)}%`, cy: '30', r: '7' }, svg('title', {}, `${file.name} ${dated(file)}`))),
    svg('text', { x: '4%', y: '60', 'text-anchor': 'start' }, dated(known[0])),
    labelled(known, x).map(file => svg('text', { x: `${x(file).toFixed(2)}%`, y: '60', 'text-anchor': 'middle' }, dated(file))),
    svg('text', { x: '96%', y: '60', 'text-anchor': 'end' }, dated(known.at(-1))));
}

function show() {
  const found = /^#\/family\/(\d+)$/.exec(location.hash);
  dress();
  main.replaceChildren(...(found ? family(Number(found[1])) : overview()).flat(Infinity).filter(Boolean));
  if (field('list')) list();
  document.title = data.title || t('audit');
}

/** Writes the bar and the foot in the reader's language. */
function dress() {
  field('home').textContent = t('all_files');
  field('language').setAttribute('aria-label', t('language'));
  field('theme-label').textContent = t('theme');
  for (const option of field('theme').options) option.textContent = t(`theme_${option.value}`);
  field('theme').value = theme.get();
  field('made').replaceChildren(...[data.made && t('made_on', { date: dateOf(data.made), version: data.version }),
    data.command_line && h('code', { dir: 'ltr' }, ` ${data.command_line}`)].filter(Boolean));
}

field('language').append(...Object.entries(LANGUAGES).map(([code, name]) => h('option', { value: code, lang: code, selected: code === lang }, name)));
field('language').addEventListener('change', event => {
  speak(event.target.value);
  kept.set(LANGUAGE_KEY, event.target.value);
  show();
});
field('theme').addEventListener('change', event => theme.set(event.target.value));
window.addEventListener('hashchange', () => { show(); window.scrollTo(0, 0); main.focus({ preventScroll: true }); });
show();
