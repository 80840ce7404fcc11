// Disguised words: marked in the text and listed above it.

const HIDDEN = {
  0x34f: 'combining grapheme joiner', 0x180e: 'Mongolian vowel separator', 0x200b: 'zero-width space',
  0x200c: 'zero-width non-joiner', 0x200d: 'zero-width joiner', 0x202d: 'left-to-right override',
  0x202e: 'right-to-left override', 0x2060: 'word joiner', 0x2061: 'function application',
  0x2062: 'invisible times', 0x2063: 'invisible separator', 0x2064: 'invisible plus', 0xfeff: 'zero-width no-break space',
};
const hiddenName = number => HIDDEN[number] ??
  (number < 0xfe10 || number >= 0xe0100 ? 'variation selector' : number >= 0xe0000 ? 'tag character' : 'hidden character');
const OVERRIDES = [0x202d, 0x202e];
const numbered = number => `U+${number.toString(16).toUpperCase().padStart(4, '0')}`;
const scriptOf = letter => ['Latin', 'Cyrillic', 'Greek'].find(script => new RegExp(`\\p{Script=${script}}`, 'u').test(letter)) ?? '';

/** The disguises of a word, in words. */
function reasons({ lookalikes, hidden, laid_over: laidOver, spaced }) {
  const told = lookalikes.map(([letter, plain]) =>
    `${letter} is ${scriptOf(letter)} (${numbered(letter.codePointAt(0))}), not ${scriptOf(plain)} ${plain}`);
  const unseen = hidden.filter(number => !OVERRIDES.includes(number));
  if (unseen.length) told.push(`hides ${unseen.map(number => `a ${hiddenName(number)} (${numbered(number)})`).join(', ')}`);
  if (laidOver.length) told.push(`has marks over letters that no language uses (${laidOver.map(numbered).join(', ')})`);
  if (spaced) told.push('is written letter by letter');
  const turning = hidden.filter(number => OVERRIDES.includes(number));
  if (turning.length) {
    told.push(`a ${turning.map(number => `${HIDDEN[number]} (${numbered(number)})`).join(', ')}, which overrides ` +
      'the direction of the text; it is shown as � and not applied');
  }
  return told.join('; ');
}

const disguise = (mark, shown) => h('span', { class: 'disguise', title: `Disguised: ${reasons(mark)}` }, shown);

// Maximum number of examples in the list.
const EXAMPLES = 6;

/** The note on disguised words above a text. */
function disguises(text) {
  const { disguises: { lookalikes, invisible, marked, spaced, turned }, disguised, unmarked } = text;
  const told = [
    lookalikes && `${counted(lookalikes, 'word')} with look-alike letters of another script`,
    invisible && `${counted(invisible, 'word')} with invisible characters inside`,
    marked && `${counted(marked, 'word')} with marks over the letters that no language uses`,
    spaced && `${counted(spaced, 'word')} written letter by letter`,
    turned && `${counted(turned, 'character')} that override${turned === 1 ? 's' : ''} the direction of the text`,
  ].filter(Boolean);
  if (!told.length) return null;
  const seen = new Map();
  for (const mark of disguised) {
    const why = reasons(mark), shown = text.text.slice(mark.at, mark.at + mark.length);
    if (!seen.has(why + shown)) seen.set(why + shown, [shown, why]);
  }
  const examples = [...seen.values()].slice(0, EXAMPLES);
  return h('section', { class: 'notes', id: 'disguises' },
    h('p', {}, h('b', {}, 'Disguised words: '), `${told.join(', ')}. `,
      'They were compared as the words that they look like. A person or a converter may have put such characters in.'),
    examples.length > 0 && h('ul', {}, examples.map(([shown, why]) =>
      h('li', {}, h('span', { class: 'disguise' }, h('bdi', {}, shown)), ` ${why}`)),
    seen.size > EXAMPLES && h('li', {}, 'and others, marked in the text')),
    disguised.length > 0 && unmarked > 0 && h('p', {}, `Only the first ${grouped(disguised.length)} are marked in the text.`));
}
