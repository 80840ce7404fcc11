// The address of a view: `#/document/3?min=30&find=anna`. It holds all that the reader chose, so that a link opens the
// same view.

const settings = { find: '', threshold: 10, colour: 'source', sort: {} };

/** `#/`, `#/document/NUMBER`, `#/dossier/NUMBER`, or `#/pair/NUMBER[/PASSAGE]`. */
function route() {
  const [path] = location.hash.split('?');
  const [, view, number, passage] = path.split('/');
  const at = /^\d+$/.test(number ?? '') ? Number(number) : -1;
  if (data.dossier !== null && view !== 'pair') return { view: 'dossier', at: data.dossier };
  if ((view === 'document' || view === 'dossier') && texts[at]) return { view, at };
  if (view === 'pair' && pairs[at]) {
    return { view, at, passage: /^\d+$/.test(passage ?? '') ? Number(passage) : undefined };
  }
  if (data.dossier !== null) return { view: 'dossier', at: data.dossier };
  // Two texts are seen side by side at once.
  return !view && texts.length === 2 && pairs.length === 1 ? { view: 'pair', at: 0 } : { view: 'overview' };
}

/** What differs from the page as it was made. */
function chosen() {
  const params = new URLSearchParams();
  if (filters.min !== data.min_words) params.set('min', filters.min);
  for (const kind of OUT) if (filters[kind]) params.set(kind, 'no');
  if (filters.excluded.size) params.set('without', [...filters.excluded].join('.'));
  if (settings.find) params.set('find', settings.find);
  if (settings.threshold !== 10) params.set('joined', settings.threshold);
  if (settings.colour !== 'source') params.set('colour', settings.colour);
  for (const [table, { by, up }] of Object.entries(settings.sort)) params.set(table, `${by}${up ? '.up' : ''}`);
  if (spoken) params.set('lang', spoken);
  return params.toString();
}

/** The address of a view, with everything that is chosen. */
const to = path => {
  const query = chosen();
  return query ? `${path}?${query}` : path;
};

/** Reads what is chosen from the address; returns true if a figure or the language may differ. */
function adopt() {
  const before = chosen();
  const params = new URLSearchParams(location.hash.split('?')[1] ?? '');
  const number = (key, least, otherwise) => {
    const value = Math.floor(Number(params.get(key) ?? NaN));
    return value >= least ? value : otherwise;
  };
  filters.min = number('min', data.min_words, data.min_words);
  for (const kind of OUT) filters[kind] = params.get(kind) === 'no' && !data.as_screened[kind];
  const excluded = (params.get('without') ?? '').split('.').filter(Boolean).map(Number);
  filters.excluded = new Set(excluded.filter(at => texts[at]));
  settings.find = params.get('find') ?? '';
  settings.threshold = Math.min(number('joined', 0, 10), 100);
  settings.colour = params.get('colour') === 'kind' ? 'kind' : 'source';
  settings.sort = {};
  for (const table of ['documents', 'pairs', 'timeline']) {
    const [by, up] = (params.get(table) ?? '').split('.');
    if (by) settings.sort[table] = { by, up: up === 'up' };
  }
  const code = params.get('lang');
  spoken = CODES.includes(code) ? code : null;
  speak(spoken ?? browserLanguage());
  return chosen() !== before;
}

// The language that the reader chose in this address; null if the browser chooses.
let spoken = null;

/** Writes what is chosen into the address, without a step in the history. */
function note() {
  const [path] = location.hash.split('?');
  const query = chosen();
  history.replaceState(null, '', `${path || '#/'}${query ? `?${query}` : ''}`);
}
