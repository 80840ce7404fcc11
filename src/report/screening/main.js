// The choice of view, the filters and the keys.

const main = document.getElementById('main');
const field = id => document.getElementById(id);
const scrolled = new Map();
let figures = compute();
let shown = null, before = '#/';

/** `#/`, `#/document/NUMBER`, or `#/pair/NUMBER[/PASSAGE]`. */
function route() {
  const [, view, number, passage] = location.hash.split('/');
  const at = /^\d+$/.test(number ?? '') ? Number(number) : -1;
  if (view === 'document' && texts[at]) return { view, at };
  if (view === 'pair' && pairs[at]) {
    return { view, at, passage: /^\d+$/.test(passage ?? '') ? Number(passage) : undefined };
  }
  return { view: 'overview' };
}

function show(isSame) {
  const { view, at, passage } = route();
  active = null;
  const children = view === 'document' ? documentView(figures, at)
    : view === 'pair' ? pairView(figures, at, isSame ? null : passage)
      : overview(figures);
  main.className = view;
  main.replaceChildren(...children.flat().filter(Boolean));
  document.title = view === 'document' ? nameOf(at)
    : view === 'pair' ? `${nameOf(pairs[at].suspicious)} beside ${nameOf(pairs[at].source)}`
      : 'Shared passages';
}

function go() {
  if (shown !== null) scrolled.set(shown, window.scrollY);
  // Escape leads from a pair back to the view where it was opened.
  if (shown !== null && !shown.startsWith('#/pair')) before = shown;
  shown = location.hash || '#/';
  show(false);
  window.scrollTo(0, scrolled.get(shown) ?? 0);
  if (!active) main.focus({ preventScroll: true });
}

/** Recomputes the figures after a filter has changed. */
function refigure() {
  figures = compute();
  field('reset').hidden = !isFiltered();
  field('excluded').replaceChildren(...[...filters.excluded].map(number => h('li', {},
    h('button', { type: 'button', onclick: () => include(number) }, 'without ', name(number), ' ✕'))));
  show(true);
  const count = figures.pairs.reduce((sum, { passages }) => sum + passages.length, 0);
  field('told').textContent = `${counted(count, 'passage')} counted now`;
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

field('min').value = data.min_words;
field('min').min = data.min_words;
field('min').addEventListener('input', event => {
  filters.min = Math.max(Math.floor(Number(event.target.value)) || 0, data.min_words);
  refigure();
});
field('theme').value = theme.get();
field('theme').addEventListener('change', event => theme.set(event.target.value));
for (const id of ['quotations', 'bibliography']) {
  if (data.as_screened[id]) {
    field(id).checked = field(id).disabled = true;
    field(id).parentElement.title = 'Left out when the documents were screened';
  }
  field(id).addEventListener('change', event => {
    filters[id] = event.target.checked;
    refigure();
  });
}
field('filters').addEventListener('submit', event => event.preventDefault());
field('filters').addEventListener('reset', event => {
  event.preventDefault();
  Object.assign(filters, { min: data.min_words, quotations: false, bibliography: false });
  filters.excluded.clear();
  field('min').value = data.min_words;
  for (const id of ['quotations', 'bibliography']) field(id).checked = data.as_screened[id];
  refigure();
});

document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const target = event.target;
  if (event.key === 'Escape') {
    if (target.matches('input')) target.blur();
    else if (active && active.at >= 0) {
      deactivate();
      field('told-passage').textContent = counted(active.ordered.length, 'passage');
    } else if (route().view !== 'overview') {
      location.hash = route().view === 'pair' ? before : '#/';
    }
    return;
  }
  if (target.matches('input, select')) return;
  if ((event.key === 'Enter' || event.key === ' ') && target.matches('.passage')) {
    event.preventDefault();
    target.dispatchEvent(new Event('enter'));
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
