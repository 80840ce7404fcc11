// The page: takes files, has the worker compare them, and shows what was found.

const $ = id => document.getElementById(id);
// Essays, sources, assignments, and the files of a folder.
const chosen = [[], [], [], []];
const FOLDER = 3;
let worker;
// The workers of threads, and what is being compared.
let threads = [];
let pending;
let last;

function made(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

function choose(code) {
  speak(code);
  for (const element of document.querySelectorAll('[data-text]')) element.textContent = t(element.dataset.text);
  document.title = `dedup: ${t('heading')}`;
  chosen.forEach((_, role) => list(role));
  if (last) show(last);
}

// ---- Files

function list(role) {
  const files = chosen[role];
  const zone = document.querySelector(`[data-role="${role}"]`);
  const items = files.slice(0, 200).map(file => made('li', {}, file.name));
  if (files.length > 200) items.push(made('li', {}, '…'));
  const count = made('li', {}, made('strong', {}, t('files', { n: files.length })));
  const clear = made('button', { type: 'button', className: 'quiet', textContent: t('remove_all') });
  clear.onclick = () => { files.length = 0; list(role); zone.querySelector('button').focus(); };
  count.append(clear);
  zone.querySelector('.files').replaceChildren(...(files.length ? [count, ...items] : []));
}

function take(role, files) {
  const known = new Set(chosen[role].map(file => file.name));
  for (const { name, blob } of files) {
    let free = name;
    for (let n = 2; known.has(free); n++) free = name.replace(/(\.[^./]*)?$/, ` (${n})$1`);
    known.add(free);
    chosen[role].push({ name: free, blob, role });
  }
  chosen[role].sort((a, b) => (a.name < b.name ? -1 : 1));
  list(role);
}

async function entries(entry, folder = '') {
  const name = folder + entry.name;
  if (entry.isFile) return [{ name, blob: await new Promise((done, failed) => entry.file(done, failed)) }];
  const reader = entry.createReader();
  const files = [];
  for (;;) {
    // A folder gives a hundred entries at a time.
    const some = await new Promise((done, failed) => reader.readEntries(done, failed));
    if (!some.length) return files;
    for (const one of some) files.push(...await entries(one, `${name}/`));
  }
}

for (const zone of document.querySelectorAll('.drop')) {
  const role = Number(zone.dataset.role);
  const buttons = zone.querySelector('.buttons');
  for (const key of role === 2 ? ['choose_files'] : ['choose_files', 'choose_folder']) {
    const input = made('input', { type: 'file', multiple: true, hidden: true, webkitdirectory: key === 'choose_folder' });
    input.onchange = () => {
      take(role, [...input.files].map(file => ({ name: file.webkitRelativePath || file.name, blob: file })));
      input.value = '';
    };
    const button = made('button', { type: 'button', className: 'quiet' });
    button.dataset.text = key;
    button.onclick = () => input.click();
    buttons.append(button, input);
  }
  zone.ondragover = event => { event.preventDefault(); zone.classList.add('over'); };
  zone.ondragleave = () => zone.classList.remove('over');
  zone.ondrop = async event => {
    event.preventDefault();
    zone.classList.remove('over');
    const items = [...event.dataTransfer.items].filter(item => item.kind === 'file');
    const all = items.map(item => item.webkitGetAsEntry?.() ?? item.getAsFile());
    for (const one of all) take(role, one instanceof File ? [{ name: one.name, blob: one }] : await entries(one));
  };
}
// A file that misses its place must not replace the page.
for (const name of ['dragover', 'drop']) addEventListener(name, event => event.preventDefault());

// ---- Work

function start() {
  worker?.terminate();
  worker = newWorker();
  worker.postMessage({ module: { letters: $('module').textContent, length: Number($('module').dataset.length) } });
}

function newWorker(script = WORKER) {
  const one = new Worker(URL.createObjectURL(new Blob([script], { type: 'text/javascript' })));
  one.onmessage = ({ data }) => (data.stage ? tell(data) : data.threads ? begin(data.threads) : finish(data));
  one.onerror = event => finish({ failed: event.message });
  return one;
}

/** Starts the threads of the worker. */
function begin(all) {
  threads = all.map(thread => {
    const one = newWorker();
    one.postMessage({ thread });
    return one;
  });
}

/** Stops the threads; an instance has its own. */
function end() {
  for (const thread of threads.splice(0)) thread.terminate();
}

function tell({ stage, done, all }) {
  $('stage').textContent = t(stage.startsWith('reading') ? 'reading' : 'comparing');
  if (all > 0) $('bar').value = Math.min(done / all, 1);
  else $('bar').removeAttribute('value');
}

function busy(is) {
  $('progress').hidden = !is;
  for (const button of document.querySelectorAll('form button')) button.disabled = is;
}

function compare(files, assignment) {
  const [essays, sources] = [0, 1].map(role => files.filter(file => file.role === role).length);
  const isArchive = files.some(file => /\.zip$/i.test(file.name));
  if (!isArchive && essays + sources < 2 || !essays) return show({ failed: t('need') });
  if (assignment.trim()) files = [...files, { name: 'assignment.txt', bytes: new TextEncoder().encode(assignment).buffer, role: 2 }];
  const asked = { title: $('title').value, min_words: Math.max(5, Number($('min_words').value) || 20) };
  for (const name of ['authors', 'no_quotations', 'no_bibliography', 'no_common']) asked[name] = $(name).checked;
  ask(files, asked);
}

/** Says of every file of a folder what it is to the others. */
function audit(files) {
  if (!files.length) return show({ failed: t('need_folder') });
  ask(files.map(file => ({ ...file, role: 0 })), { folder: true });
}

function ask(files, asked) {
  last = undefined;
  $('result').hidden = true;
  busy(true);
  tell({ stage: 'reading', all: -1 });
  // Memory is shared where the server asks the browser to keep the page apart from others.
  const count = self.crossOriginIsolated ? navigator.hardwareConcurrency : 1;
  pending = { files, asked: { ...asked, threads: count, made: new Date().toISOString().replace(/\.\d+/, '') } };
  worker.postMessage(pending);
}

function finish(data) {
  end();
  if (data.failed && pending?.asked.threads > 1) {
    pending.asked.threads = 1;
    start();
    return worker.postMessage(pending);
  }
  busy(false);
  if (data.isMemory || /memory access out of bounds|unreachable/.test(data.failed ?? '')) data.failed = t('memory');
  // An instance that failed is gone, and the worker may be.
  if (data.failed) start();
  last = data;
  show(data);
}

function show(data) {
  const result = $('result');
  result.hidden = false;
  result.replaceChildren();
  if (data.failed) {
    result.append(made('p', { className: 'warning' }, t('failed', { reason: data.failed })));
    return;
  }
  const { found, report } = data;
  if (found.classes) return showFolder(data);
  result.append(made('h2', { tabIndex: -1 }, t('found', found)));
  result.append(made('p', {}, t('read', found), found.authors ? ` ${t('by_authors', found)}` : ''));
  if (found.authors === 1 && found.essays > 1 && !found.sources) result.append(made('p', { className: 'warning' }, t('one_author')));
  if (found.two) {
    const percent = part => (Math.floor((part ?? 0) * 10000 + 1e-9) / 10000).toLocaleString(lang, { style: 'percent', maximumFractionDigits: 2 });
    const { jaccard, jaccard_estimate: estimate, distance, languages } = found.two;
    const rows = [
      [t('jaccard'), percent(jaccard)],
      [t('estimate'), percent(estimate)],
      [t('hamming'), distance === null ? '–' : t('bits', { n: distance })],
      [t('languages'), languages.map(code => (code === 'und' ? '–' : languageName(code, code))).join(', ')],
    ];
    const body = rows.map(([name, value]) => made('tr', {}, made('th', { scope: 'row' }, name), made('td', {}, value)));
    result.append(made('table', { id: 'figures' }, made('tbody', {}, ...body)));
  }
  result.append(made('p', { className: 'actions' }, opening(report), saving('save', report, 'report.html')));
  if (found.skipped) {
    const broken = (data.broken ?? []).map(name => [name, t('broken'), t('remedy_save')]);
    const unread = found.unread.map(({ name, kind }) => [name, REASONS[kind]?.[CODES.indexOf(lang)] ?? kind, remedy(kind)]);
    const row = (cells, element) => made('tr', {}, ...cells.map(cell => made(element, {}, cell)));
    const rows = [...broken, ...unread].map(cells => row(cells, 'td'));
    result.append(made('h2', {}, t('unread', { n: found.skipped })));
    result.append(made('table', {}, made('thead', {}, row(['file', 'reason', 'remedy_head'].map(key => t(key)), 'th')), made('tbody', {}, ...rows)));
  }
  result.querySelector('h2').focus();
}

function opening(page) {
  const open = made('button', { type: 'button', id: 'open', textContent: t('open') });
  open.onclick = () => window.open(URL.createObjectURL(page));
  return open;
}

function saving(key, content, name) {
  const save = made('button', { type: 'button', id: key, className: 'quiet', textContent: t(key) });
  save.onclick = () => made('a', { href: URL.createObjectURL(content), download: name }).click();
  return save;
}

const REMEDY_KEYS = {
  'no text in it': 'remedy_scan', encrypted: 'remedy_password', 'damaged document': 'remedy_again', 'empty file': 'remedy_again',
  unreadable: 'remedy_again', 'too long': 'remedy_large', 'unpacks to too much': 'remedy_large',
  'not a text': 'remedy_save', 'another format': 'remedy_save', 'name outside the archive': 'remedy_again',
};

/** What a person in a browser can do about a file that was not read. */
const remedy = kind => (kind in REMEDY_KEYS ? t(REMEDY_KEYS[kind]) : '');

function showFolder({ found, report, list, broken = [] }) {
  const cells = found.classes.map(([kind, count, bytes]) => made('tr', {},
    made('th', { scope: 'row' }, t(`kind_${kind}`)), made('td', {}, grouped(count)), made('td', {}, sized(bytes)), made('td', {}, t(`about_${kind}`))));
  const heads = ['kind', 'folder_files', 'size', 'meaning'].map(key => made('th', { scope: 'col' }, t(key)));
  $('result').append(
    made('h2', { tabIndex: -1 }, t('folder_found', { files: counted(found.files, 'files'), families: found.families })),
    made('table', { id: 'classes' }, made('thead', {}, made('tr', {}, ...heads)), made('tbody', {}, ...cells)),
    made('p', {}, t('audit_caution')),
    made('p', { className: 'actions' }, opening(report), saving('save', report, 'report.html'), saving('save_list', list, 'files.csv')));
  if (broken.length) $('result').append(made('p', { className: 'warning' }, t('unread', { n: broken.length }), ` ${broken.join(', ')}: ${t('broken')}`));
  $('result').querySelector('h2').focus();
}

$('form').onsubmit = event => {
  event.preventDefault();
  compare(chosen.slice(0, FOLDER).flat(), $('assignment').value);
};
$('folder').onsubmit = event => {
  event.preventDefault();
  audit(chosen[FOLDER]);
};
$('sample').onclick = () => {
  const samples = JSON.parse($('samples').textContent);
  compare(samples.map(({ name, text }) => ({ name, bytes: new TextEncoder().encode(text).buffer, role: 0 })), '');
};
$('two').onsubmit = event => {
  event.preventDefault();
  const [a, b] = ['text_a', 'text_b'].map(id => $(id).value);
  if (!a.trim() || !b.trim()) return show({ failed: t('need_two') });
  compare([a, b].map((text, at) => ({ name: 'AB'[at], bytes: new TextEncoder().encode(text).buffer, role: 0 })), '');
};
$('stop').onclick = () => { busy(false); end(); start(); };
for (const [code, name] of Object.entries(LANGUAGES)) $('languages').append(made('option', { value: code, textContent: name, lang: code }));
$('languages').onchange = event => choose(event.target.value);
$('languages').value = browserLanguage();
choose($('languages').value);
if (typeof DecompressionStream === 'function' && typeof WebAssembly === 'object') {
  $('page').hidden = false;
  start();
} else {
  $('old').textContent = t('old');
  $('old').hidden = false;
}
