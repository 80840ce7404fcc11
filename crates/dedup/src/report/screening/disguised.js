// Disguised words: marked in the text and listed above it.

const HIDDEN = {
  0x34f: 'combining grapheme joiner', 0x115f: 'Hangul filler', 0x1160: 'Hangul filler', 0x3164: 'Hangul filler', 0xffa0: 'Hangul filler', 0x180e: 'Mongolian vowel separator', 0x200b: 'zero-width space',
  0x200c: 'zero-width non-joiner', 0x200d: 'zero-width joiner', 0x202d: 'left-to-right override',
  0x202e: 'right-to-left override', 0x2060: 'word joiner', 0x2061: 'function application',
  0x2062: 'invisible times', 0x2063: 'invisible separator', 0x2064: 'invisible plus', 0xfeff: 'zero-width no-break space',
};
const hiddenName = number => HIDDEN[number] ??
  (number < 0xfe10 || number >= 0xe0100 ? 'variation selector' : number >= 0xe0000 ? 'tag character' : 'hidden character');
const OVERRIDES = [0x202d, 0x202e];
const numbered = number => `U+${number.toString(16).toUpperCase().padStart(4, '0')}`;
const scriptOf = letter => {
  const [code] = [['Latn', 'Latin'], ['Cyrl', 'Cyrillic'], ['Grek', 'Greek']].find(([, script]) => new RegExp(`\\p{Script=${script}}`, 'u').test(letter)) ?? [];
  return code ? new Intl.DisplayNames([lang], { type: 'script' }).of(code) : '';
};

/** The disguises of a word, in words. */
function reasons({ lookalikes, hidden, laid_over: laidOver, spaced }) {
  const said = lookalikes.map(([letter, plain]) => /\d/.test(letter) ? t('why_digit', { letter, plain }) :
    t('why_letter', { letter, plain, script: scriptOf(letter), other: scriptOf(plain), code: numbered(letter.codePointAt(0)) }));
  const named = numbers => numbers.map(number => `${hiddenName(number)} (${numbered(number)})`).join(', ');
  const unseen = hidden.filter(number => !OVERRIDES.includes(number));
  if (unseen.length) said.push(t('why_hidden', { list: named(unseen) }));
  if (laidOver.length) said.push(t('why_marks', { list: laidOver.map(numbered).join(', ') }));
  if (spaced) said.push(t('why_spaced'));
  const turning = hidden.filter(number => OVERRIDES.includes(number));
  if (turning.length) said.push(t('why_turned', { list: named(turning) }));
  return said.join('; ');
}

const disguise = (mark, shown) => h('span', { class: 'disguise', title: `${t('k_disguise')}: ${reasons(mark)}` }, shown);

// Maximum number of examples in the list.
const EXAMPLES = 6;

/** The note on disguised words above a text. */
function disguises(text) {
  const { disguised, unmarked } = text;
  const said = Object.entries(text.disguises).filter(([, n]) => n > 0).map(([kind, n]) => t(`d_${kind}`, { n }));
  if (!said.length) return null;
  const seen = new Map();
  for (const mark of disguised) {
    const why = reasons(mark), shown = text.text.slice(mark.at, mark.at + mark.length);
    if (!seen.has(why + shown)) seen.set(why + shown, [shown, why]);
  }
  const examples = [...seen.values()].slice(0, EXAMPLES);
  return h('section', { class: 'notes', id: 'disguises' },
    h('p', {}, h('b', {}, t('disguised')), ` ${said.join(', ')}. ${t('disguised_about')}`),
    examples.length > 0 && h('ul', {}, examples.map(([shown, why]) =>
      h('li', {}, h('span', { class: 'disguise' }, h('bdi', {}, shown)), ` ${why}`)),
    seen.size > EXAMPLES && h('li', {}, t('d_more'))),
    disguised.length > 0 && unmarked > 0 && h('p', {}, t('d_first', { n: disguised.length })));
}
