// The reader's language: texts, numbers and the direction of the page.

const CODES = Object.keys(LANGUAGES);
const LANGUAGE_KEY = 'dedup-language';

/** What the browser keeps for this page; a browser may refuse to keep anything for a file. */
const kept = {
  get: key => { try { return localStorage.getItem(key); } catch { return null; } },
  set: (key, value) => { try { localStorage.setItem(key, value); } catch { /* not kept */ } },
};

let lang = 'en', rules = null, grouping = null;

/** The first language of the browser that the table has. */
const browserLanguage = () =>
  [kept.get(LANGUAGE_KEY), ...navigator.languages].map(code => String(code).split('-')[0]).find(code => CODES.includes(code)) ?? 'en';

/** Sets the language of the page, and the direction of its layout. */
function speak(code) {
  lang = CODES.includes(code) ? code : 'en';
  // Digits are Latin in every language, as in the program's other output.
  const locale = `${lang}-u-nu-latn`;
  rules = new Intl.PluralRules(lang);
  grouping = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  document.documentElement.lang = lang;
  document.documentElement.dir = lang === 'ar' ? 'rtl' : 'ltr';
}

const grouped = number => grouping.format(number);

/** A number of bytes in the largest unit of which there is one. */
const sized = bytes => {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  const at = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return `${grouped(at ? Math.floor(bytes / 1000 ** at * 10) / 10 : bytes)}\u00a0${units[at]}`;
};

/** The form of a text for a number. */
function form(text, number) {
  const forms = text.split('|');
  if (forms.length === 1) return text;
  const at = FORMS[lang].indexOf(rules.select(number));
  return forms[at < 0 ? forms.length - 1 : at];
}

/** A text whose options of the command line keep their direction within Arabic. */
const isolated = text => (lang === 'ar' ? text.replace(/--[a-z-]+/g, '\u2066$&\u2069') : text);

const raw = (key, values) => isolated(form(TEXTS[key][CODES.indexOf(lang)], values.n));

/** A text with its values; numbers are grouped. */
const t = (key, values = {}) => raw(key, values).replace(/\{(\w+)\}/g, (whole, name) => shownValue(values[name] ?? whole));

/** The same as a list of strings and elements: a value may be an element. */
const parts = (key, values) => raw(key, values).split(/\{(\w+)\}/).map((part, i) => (i % 2 ? shownValue(values[part]) : part));

const shownValue = value => (typeof value === 'number' ? grouped(value) : value);

/** A number with its noun: `counted(2, 'words')`. */
const counted = (number, noun) => t(`n_${noun}`, { n: number }).replace(' ', '\u00a0');

const wordsOf = (words, of) => t('words_of', { a: words, n: of });

/** The name of a language by its code; as the program calls it if the browser does not know it. */
function languageName(code, otherwise) {
  try {
    return new Intl.DisplayNames([lang], { type: 'language', fallback: 'none' }).of(code) ?? otherwise;
  } catch {
    return otherwise;
  }
}

const dateOf = made => new Intl.DateTimeFormat(`${lang}-u-nu-latn`, { dateStyle: 'long', timeStyle: 'short' }).format(new Date(made));

speak(browserLanguage());
