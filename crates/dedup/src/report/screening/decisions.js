// The reader's decisions: passages left out, and a mark and a note on pairs and documents. They are known by digests of the
// passages and texts, so they hold for a new report on the same texts. The browser keeps them, if it may, and a file.

const MARKS = ['reviewed', 'cleared', 'discuss'];
const DECISIONS_KEY = 'dedup-decisions';

const decisions = (() => {
  let all = { excluded: [], marks: [] };
  const adopt = text => {
    let found;
    try { found = JSON.parse(text); } catch { return false; }
    if (found?.dedup_decisions !== 1 || !Array.isArray(found.excluded) || !Array.isArray(found.marks)) return false;
    const isMark = it => Array.isArray(it?.names) && Array.isArray(it?.keys) && typeof it.note === 'string' && (it.mark === null || MARKS.includes(it.mark));
    all.excluded = [...new Set([...all.excluded, ...found.excluded.map(String)])];
    for (const it of found.marks.filter(isMark)) put(it.names.map(String), it.keys.map(String), it);
    return true;
  };
  const isSame = (names, keys) => it => it.names.join('\n') === names.join('\n') && it.keys.some(key => keys.includes(key));
  const put = (names, keys, { mark, note }) => {
    all.marks = all.marks.filter(it => !isSame(names, keys)(it));
    if (mark || note) all.marks.push({ names, keys, mark, note });
  };
  const store = () => kept.set(DECISIONS_KEY, JSON.stringify({ dedup_decisions: 1, ...all }));
  adopt(kept.get(DECISIONS_KEY) ?? '');
  return {
    isOut: key => all.excluded.includes(key),
    leaveOut: key => { all.excluded = [...new Set([...all.excluded, key])]; store(); },
    putBack: key => { all.excluded = all.excluded.filter(it => it !== key); store(); },
    of: (names, keys) => all.marks.findLast(isSame(names, keys)) ?? null,
    set: (names, keys, decision) => { put(names, keys, decision); store(); },
    open: text => adopt(text) && (store(), true),
    /** Those on this report, as a file. */
    text: () => {
      const ours = new Set([...pairs.flatMap(keysOfPair), ...texts.map(text => text.key)]);
      const has = keys => keys.some(key => ours.has(key));
      return JSON.stringify({ dedup_decisions: 1, excluded: all.excluded.filter(key => ours.has(key)), marks: all.marks.filter(it => has(it.keys)) }, null, 1);
    },
  };
})();

const keysOfPair = pair => pair.passages.map(({ key }) => key);
const ofPair = pair => [[texts[pair.suspicious].id, texts[pair.source].id].sort(), keysOfPair(pair)];
const ofDocument = number => [[texts[number].id], [texts[number].key]];

/** The number of passages of this report that are left out by decision. */
const leftOutByDecision = () => pairs.reduce((sum, { passages }) => sum + passages.filter(({ key }) => decisions.isOut(key)).length, 0);

/** The mark of a pair or document as a tag, its note as a title. */
const markOf = of => {
  const found = decisions.of(...of);
  return found && h('span', { class: 'tag', title: found.note }, t(found.mark ? `mark_${found.mark}` : 'note'));
};

/** Fields for the mark and the note of a pair or document. */
function decisionBox([names, keys]) {
  const found = decisions.of(names, keys);
  const isOlder = found && keys.some(key => !found.keys.includes(key));
  const set = () => decisions.set(names, keys, { mark: mark.value || null, note: text.value });
  const mark = h('select', { id: 'mark', autocomplete: 'off', onchange: set },
    h('option', { value: '' }, t('mark_none')), MARKS.map(name => h('option', { value: name, selected: found?.mark === name }, t(`mark_${name}`))));
  const text = h('textarea', { id: 'decision-note', rows: 2, oninput: set });
  text.value = found?.note ?? '';
  return h('section', { class: 'card decision controls' },
    h('label', {}, t('decision'), ' ', mark), ' ',
    h('label', { class: 'wide' }, t('note'), ' ', text),
    isOlder && h('p', { class: 'about' }, t('decided_before')));
}

/** The passages of a pair that are left out, to be put back. */
function leftOutOf(pair) {
  const out = pair.passages.filter(({ key }) => decisions.isOut(key));
  return out.length > 0 && h('ul', { class: 'notes controls', id: 'left-out' }, out.map(passage => h('li', {},
    t('left_out_passage', { words: counted(passage.a[1] - passage.a[0], 'words'), from: passage.a[0] + 1 }), ' ',
    h('button', { type: 'button', onclick: () => { decisions.putBack(passage.key); refigure(); } }, t('put_back')))));
}

/** What was decided about this report, to be saved and opened. */
function decided() {
  const found = [...pairs.map(ofPair), ...texts.map((_, number) => ofDocument(number))].map(of => decisions.of(...of)).filter(Boolean);
  const counts = MARKS.map(mark => [mark, found.filter(it => it.mark === mark).length]).filter(([, n]) => n > 0);
  const out = leftOutByDecision();
  const said = [...counts.map(([mark, n]) => `${t(`mark_${mark}`)}: ${grouped(n)}`), out > 0 && t('out_by_decision', { n: out })].filter(Boolean);
  const told = h('span', { role: 'status' });
  const open = async event => {
    const [file] = event.target.files;
    if (!file) return;
    if (decisions.open(await file.text())) refigure();
    else told.textContent = t('no_decisions_in_it');
  };
  return h('section', { class: 'card controls', id: 'decided' },
    h('h2', {}, t('decisions')),
    h('p', { class: 'about' }, said.length ? said.join(' · ') : t('decisions_none')),
    h('ul', {}, pairs.map(decidedPair), texts.map((_, number) => decidedDocument(number))),
    h('p', { class: 'about' }, t('decisions_kept')),
    h('p', {}, h('button', { type: 'button', id: 'save-decisions', onclick: saveDecisions }, t('decisions_save')), ' ',
      h('label', {}, t('decisions_open'), ' ', h('input', { type: 'file', id: 'open-decisions', accept: '.json', onchange: open })), ' ', told));
}

const decidedPair = (pair, number) => {
  const out = pair.passages.filter(({ key }) => decisions.isOut(key)).length;
  const found = decisions.of(...ofPair(pair));
  return (out > 0 || found) && h('li', {}, h('a', { href: to(`#/pair/${number}`) }, name(pair.suspicious), ' ↔ ', name(pair.source)), markOf(ofPair(pair)),
    [found?.note, out > 0 && t('out_by_decision', { n: out })].filter(Boolean).map(it => ` · ${it}`));
};

const decidedDocument = number => {
  const found = decisions.of(...ofDocument(number));
  return found && h('li', {}, link(number), markOf(ofDocument(number)), found.note && ` · ${found.note}`);
};

function saveDecisions() {
  const address = URL.createObjectURL(new Blob([decisions.text()], { type: 'application/json' }));
  h('a', { href: address, download: 'decisions.json' }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
