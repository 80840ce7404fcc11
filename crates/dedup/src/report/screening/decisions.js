// The reader's decisions: passages left out, and a mark and a note on pairs and documents. They are known by names with digests
// of passages or texts, or where a report has other names, by digests of texts alone. The browser keeps them, if it may, and a
// file.

const MARKS = ['reviewed', 'cleared', 'discuss'];
const DECISIONS_KEY = 'dedup-decisions';

const decisions = (() => {
  let all = { excluded: [], marks: [] };
  const read = text => {
    let found;
    try { found = JSON.parse(text); } catch { return null; }
    return found?.dedup_decisions === 1 && Array.isArray(found.excluded) && Array.isArray(found.marks) ? found : null;
  };
  const adopt = found => {
    const isMark = it => Array.isArray(it?.names) && Array.isArray(it?.keys) && typeof it.note === 'string' && (it.mark === null || MARKS.includes(it.mark));
    all.excluded = [...new Set([...all.excluded, ...found.excluded.map(String)])];
    for (const it of found.marks.filter(isMark)) put({ names: it.names.map(String), keys: it.keys.map(String), texts: (it.texts ?? []).map(String) }, it);
  };
  const isSame = ({ names, keys, texts: ours }) => it =>
    (it.names.join('\n') === names.join('\n') && it.keys.some(key => keys.includes(key))) || hasMoved(it, names, ours);
  const put = (of, { mark, note }) => {
    all.marks = all.marks.filter(it => !isSame(of)(it));
    if (mark || note) all.marks.push({ ...of, mark, note });
  };
  const store = () => kept.set(DECISIONS_KEY, JSON.stringify({ dedup_decisions: 1, ...all }));
  adopt(read(kept.get(DECISIONS_KEY) ?? '') ?? { excluded: [], marks: [] });
  return {
    isOut: key => all.excluded.includes(key),
    leaveOut: key => { all.excluded = [...new Set([...all.excluded, key])]; store(); },
    putBack: key => { all.excluded = all.excluded.filter(it => it !== key); store(); },
    of: of => all.marks.findLast(isSame(of)) ?? null,
    set: (of, decision) => { put(of, decision); store(); },
    /** Adopts those of a file, and tells how many of each kind fit this report; null if it is no such file. */
    open: text => {
      const found = read(text);
      if (!found) return null;
      adopt(found);
      store();
      const ours = [...pairs.map(ofPair), ...texts.map((_, number) => ofDocument(number))];
      const isOurs = it => Array.isArray(it.names) && Array.isArray(it.keys) && ours.some(of => isSame(of)(it));
      const own = new Set(pairs.flatMap(keysOfPair));
      let others = 0;
      const tally = (of, isFit) => {
        const fit = of.filter(isFit).length;
        others += of.length - fit;
        return t('fit_of', { fit, all: of.length });
      };
      const told = t('decisions_fit', {
        marks: tally(found.marks.filter(it => it?.mark), isOurs),
        notes: tally(found.marks.filter(it => it?.note), isOurs),
        passages: tally(found.excluded, key => own.has(String(key))),
      });
      return others ? `${told} ${t('decisions_unfit')}` : told;
    },
    /** Those on this report, as a file. */
    text: () => {
      const ours = new Set([...pairs.flatMap(keysOfPair), ...texts.map(text => text.key)]);
      const has = keys => keys.some(key => ours.has(key));
      return JSON.stringify({ dedup_decisions: 1, excluded: all.excluded.filter(key => ours.has(key)), marks: all.marks.filter(it => has(it.keys)) }, null, 1);
    },
  };
})();

const keysOfPair = pair => pair.passages.map(({ key }) => key);
const ofThese = (all, keys) => ({ names: all.map(({ id }) => id), keys, texts: all.map(({ key }) => key) });
const ofPair = pair => ofThese([texts[pair.suspicious], texts[pair.source]].sort((x, y) => (x.id < y.id ? -1 : 1)), keysOfPair(pair));
const ofDocument = number => ofThese([texts[number]], [texts[number].key]);

/** True if a decision is about texts that have these names here: each has its name of then, or that is not in this report. */
function hasMoved(it, names, keys) {
  if (it.texts?.length !== keys.length) return false;
  const isHere = name => texts.some(({ id }) => id === name);
  const tail = path => path.split('/').slice(-2).join('/');
  const isOnly = key => texts.filter(text => text.key === key).length === 1;
  return keys.every((key, i) => {
    const was = it.names[it.texts.indexOf(key)];
    return was !== undefined && (was === names[i] || !isHere(was) && (isOnly(key) || tail(was) === tail(names[i])));
  });
}

/** The number of passages of this report, or of one document, that are left out by decision. */
const leftOutByDecision = (number = null) => pairs.filter(pair => number === null || pair.suspicious === number || pair.source === number)
  .reduce((sum, pair) => sum + outOf(pair).length, 0);

/** The mark of a pair or document as a tag, its note as a title. */
const markOf = of => {
  const found = decisions.of(of);
  return found && h('span', { class: 'tag', title: found.note }, t(found.mark ? `mark_${found.mark}` : 'note'));
};

/** Fields for the mark and the note of a pair or document. */
function decisionBox(of) {
  const found = decisions.of(of);
  const isOlder = found && of.keys.some(key => !found.keys.includes(key));
  const printed = h('p', { class: 'printed' });
  const print = (mark, note) => { printed.textContent = [mark && t(`mark_${mark}`), note].filter(Boolean).join(' · '); };
  const set = () => {
    decisions.set(of, { mark: mark.value || null, note: text.value });
    print(mark.value, text.value);
  };
  print(found?.mark, found?.note);
  const mark = h('select', { id: 'mark', autocomplete: 'off', onchange: set },
    h('option', { value: '' }, t('mark_none')), MARKS.map(name => h('option', { value: name, selected: found?.mark === name }, t(`mark_${name}`))));
  const text = h('textarea', { id: 'decision-note', rows: 2, oninput: set });
  text.value = found?.note ?? '';
  return h('div', {}, printed, h('section', { class: 'card decision controls' },
    h('label', {}, t('decision'), ' ', mark), ' ',
    h('label', { class: 'wide' }, t('note'), ' ', text),
    isOlder && h('p', { class: 'about' }, t('decided_before'))));
}

const outOf = pair => pair.passages.filter(({ key }) => decisions.isOut(key));

/** A passage that is left out, in words: its length, and its place in one of the texts, `a` or `b`. */
const leftOutInWords = (passage, span = 'a') =>
  t('left_out_passage', { words: counted(passage[span][1] - passage[span][0], 'words'), from: passage[span][0] + 1 });

/** The passages of a pair that are left out, to be put back. */
function leftOutOf(pair) {
  const out = outOf(pair);
  return out.length > 0 && h('ul', { class: 'notes', id: 'left-out' }, out.map(passage => h('li', {},
    leftOutInWords(passage), ' ',
    h('button', { class: 'controls', type: 'button', onclick: () => { decisions.putBack(passage.key); refigure(); } }, t('put_back')))));
}

/** What was decided about this report, to be saved and opened. */
function decided() {
  const found = [...pairs.map(ofPair), ...texts.map((_, number) => ofDocument(number))].map(of => decisions.of(of)).filter(Boolean);
  const counts = MARKS.map(mark => [mark, found.filter(it => it.mark === mark).length]).filter(([, n]) => n > 0);
  const out = leftOutByDecision();
  const said = [...counts.map(([mark, n]) => `${t(`mark_${mark}`)}: ${grouped(n)}`), out > 0 && t('out_by_decision', { n: out })].filter(Boolean);
  const open = async event => {
    const [file] = event.target.files;
    if (!file) return;
    const said = decisions.open(await file.text());
    if (said) refigure();
    field('opened').textContent = said ?? t('no_decisions_in_it');
  };
  return h('section', { class: `card${said.length ? '' : ' controls'}`, id: 'decided' },
    h('h2', {}, t('decisions')),
    h('p', { class: 'about' }, said.length ? said.join(' · ') : t('decisions_none')),
    h('ul', {}, pairs.map(decidedPair), texts.map((_, number) => decidedDocument(number))),
    h('p', { class: 'about controls' }, t('decisions_kept')),
    h('p', { class: 'controls' }, h('button', { type: 'button', id: 'save-decisions', onclick: saveDecisions }, t('decisions_save')), ' ',
      h('label', {}, t('decisions_open'), ' ', h('input', { type: 'file', id: 'open-decisions', accept: '.json', onchange: open })), ' ', h('span', { id: 'opened', role: 'status' })));
}

const decidedPair = (pair, number) => {
  const out = outOf(pair).length;
  const found = decisions.of(ofPair(pair));
  return (out > 0 || found) && h('li', {}, h('a', { href: to(`#/pair/${number}`) }, name(pair.suspicious), ' ↔ ', name(pair.source)), markOf(ofPair(pair)),
    [found?.note, out > 0 && t('out_by_decision', { n: out })].filter(Boolean).map(it => ` · ${it}`));
};

const decidedDocument = number => {
  const found = decisions.of(ofDocument(number));
  return found && h('li', {}, link(number), markOf(ofDocument(number)), found.note && ` · ${found.note}`);
};

function saveDecisions() {
  const address = URL.createObjectURL(new Blob([decisions.text()], { type: 'application/json' }));
  h('a', { href: address, download: 'decisions.json' }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
