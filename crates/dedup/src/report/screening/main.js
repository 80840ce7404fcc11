// The choice of view, the filters and the keys.

const main = document.getElementById('main');
const field = id => document.getElementById(id);
const scrolled = new Map();
let figures = null;
let shown = null, before = '#/';

function show(isSame) {
  const { view, at, passage } = route();
  const children = view === 'document' ? documentView(figures, at)
    : view === 'dossier' ? dossierView(figures, at)
      : view === 'pair' ? pairView(figures, at, isSame ? null : passage)
        : overview(figures);
  if (view !== 'pair') active = null;
  main.className = view;
  main.replaceChildren(...children.flat(Infinity).filter(Boolean));
  document.title = view === 'document' ? nameOf(at)
    : view === 'dossier' ? `${t('dossier')}: ${nameOf(at)}`
      : view === 'pair' ? `${nameOf(pairs[at].suspicious)} ↔ ${nameOf(pairs[at].source)}`
        : data.title || t('shared_passages');
}

const view = () => (location.hash || '#/').split('?')[0];

function go() {
  const spokenBefore = lang;
  const isOther = adopt() || figures === null;
  if (isOther) figures = compute();
  if (isOther || lang !== spokenBefore) dress();
  if (shown !== null) scrolled.set(shown, window.scrollY);
  // Escape leads from a pair back to the view where it was opened.
  if (shown !== null && !shown.startsWith('#/pair')) before = shown;
  shown = view();
  show(false);
  window.scrollTo(0, scrolled.get(shown) ?? 0);
  if (!active || active.turned) main.focus({ preventScroll: true });
}

/** Recomputes the figures after a filter has changed. */
function refigure() {
  figures = compute();
  note();
  dress();
  show(true);
  const count = figures.pairs.reduce((sum, { passages }) => sum + passages.length, 0);
  field('told').textContent = t('counted_now', { passages: counted(count, 'passages') });
}

// The language in which the bar is written.
let dressed = null;

/** Writes the bar and the foot of the page, as the filters are. */
function dress() {
  // The fields stay in their places while the reader types.
  if (dressed !== lang) dressAnew();
  dressed = lang;
  field('home').setAttribute('href', to('#/overview'));
  for (const id of OUT) field(id).checked = filters[id] || data.as_screened[id];
  if (document.activeElement !== field('min')) field('min').value = filters.min;
  field('reset').hidden = !isFiltered();
  field('excluded').replaceChildren(...[...filters.excluded].map(number => h('li', {},
    h('button', { type: 'button', onclick: () => include(number) }, parts('without', { name: name(number) }), ' ✕'))));
}

/** Writes the texts of the bar and the foot in the reader's language. */
function dressAnew() {
  field('home').textContent = t(data.dossier === null ? 'overview' : 'dossier');
  field('filters').setAttribute('aria-label', t('filters'));
  const label = field('min').parentElement;
  label.title = t('min_hint');
  label.replaceChildren(...parts('min', { input: field('min') }));
  field('common').parentElement.hidden = texts.every(text => text.common.length === 0);
  for (const id of OUT) {
    field(id).disabled = data.as_screened[id];
    field(id).parentElement.title = data.as_screened[id] ? t('fixed_filter') : '';
    field(`${id}-label`).textContent = t(`no_${id}`);
  }
  field('reset').textContent = t('as_screened');
  field('excluded').setAttribute('aria-label', t('excluded_documents'));
  field('theme-label').textContent = t('theme');
  for (const option of field('theme').options) option.textContent = t(`theme_${option.value}`);
  field('language').setAttribute('aria-label', t('language'));
  field('language').value = lang;
  field('share-told').textContent = t('foot_share');
  const key = letter => h('kbd', {}, letter);
  field('keys-told').replaceChildren(...parts('foot_keys', {
    tab: key('Tab'), n: key('n'), p: key('p'), brackets: h('span', {}, key(']'), ' ', key('[')), enter: key('Enter'), esc: key('Esc'),
  }));
}

/** The view that Escape leads to. */
function above() {
  const { view, at } = route();
  return view === 'pair' ? before : view === 'dossier' ? `#/document/${at}` : '#/overview';
}

function exclude(number) {
  filters.excluded.add(number);
  refigure();
  // The button that was pressed no longer exists.
  field('excluded').querySelector('li:last-child button').focus({ preventScroll: true });
}

function include(number) {
  filters.excluded.delete(number);
  refigure();
  main.focus({ preventScroll: true });
}

field('min').min = data.min_words;
field('min').addEventListener('input', event => {
  filters.min = Math.max(Math.floor(Number(event.target.value)) || 0, data.min_words);
  refigure();
});
field('theme').value = theme.get();
field('theme').addEventListener('change', event => theme.set(event.target.value));
field('language').append(...CODES.map(code => h('option', { value: code, lang: code }, LANGUAGES[code])));
field('language').addEventListener('change', event => {
  spoken = event.target.value;
  kept.set(LANGUAGE_KEY, spoken);
  speak(spoken);
  refigure();
});
for (const id of OUT) {
  field(id).addEventListener('change', event => {
    filters[id] = event.target.checked;
    refigure();
  });
}
field('filters').addEventListener('submit', event => event.preventDefault());
field('filters').addEventListener('reset', event => {
  event.preventDefault();
  filters.min = data.min_words;
  for (const kind of OUT) filters[kind] = false;
  filters.excluded.clear();
  field('min').value = filters.min;
  refigure();
});
narrow.addEventListener('change', () => { if (route().view === 'pair') show(false); });

document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const target = event.target;
  if (event.key === 'Escape') {
    if (target.matches('input, select, textarea')) target.blur();
    else location.hash = to(above());
    return;
  }
  if (target.matches('input:not([type=checkbox]), select, textarea')) return;
  if ((event.key === 'Enter' || event.key === ' ') && target.matches('.passage')) {
    event.preventDefault();
    target.dispatchEvent(new Event('enter'));
  } else if ('[]'.includes(event.key)) {
    field(event.key === ']' ? 'next_pair' : 'previous_pair')?.click();
  } else if ('njpk'.includes(event.key)) {
    event.preventDefault();
    const by = 'nj'.includes(event.key) ? 1 : -1;
    if (active) step(by);
    else walk(by);
  }
});

/** Moves to the next or previous passage of a document, or row of the overview. */
function walk(by) {
  const stops = [...main.querySelectorAll(route().view === 'document' ? '.passage' : '#lists a.open')];
  if (!stops.length) return;
  const at = stops.indexOf(document.activeElement);
  const next = stops[at < 0 ? (by > 0 ? 0 : stops.length - 1) : (at + by + stops.length) % stops.length];
  next.focus();
  next.scrollIntoView({ block: 'center' });
}

field('made').textContent = `dedup ${data.version}`;
window.addEventListener('hashchange', go);
go();
