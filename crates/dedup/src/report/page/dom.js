// Helpers. Text from documents reaches the page only as text nodes and attribute values.

/** Creates an element with attributes, `on…` listeners and children; strings become text nodes. */
function h(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);
}

function filled(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === 'function') element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? '' : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
  return element;
}

/**
 * A name that reads in its own direction in any text. The folders of a path follow each other from left to right,
 * whatever their script.
 */
function path(whole, shown) {
  const folders = shown.split('/');
  return h('bdi', { class: 'id', dir: 'ltr', title: whole },
    folders.flatMap((folder, i) => [i > 0 && '/', h('bdi', {}, breakable(folder)), i < folders.length - 1 && h('wbr')]));
}

/** A name that may be broken behind its signs, and within a word only after 36 letters. */
function breakable(name) {
  const pieces = name.match(/(?:[^_.-]\p{M}*){1,36}[_.-]*|[_.-]+/gu) ?? [];
  return pieces.flatMap((piece, i) => (i > 0 ? [h('wbr'), piece] : [piece]));
}

/** The folders that all names begin with; pages leave them out. */
function foldersOf([first = '', ...others]) {
  if (!others.length) return '';
  let end = first.length;
  for (const name of others) while (!name.startsWith(first.slice(0, end))) end--;
  return first.slice(0, first.lastIndexOf('/', end - 1) + 1);
}

/** Lower-case letters without accents, so that `muller` finds `Müller`. */
const plain = text => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  .replace(/[ßøłđæœıþð]/g, letter => ({ ß: 'ss', ø: 'o', ł: 'l', đ: 'd', æ: 'ae', œ: 'oe', ı: 'i', þ: 'th', ð: 'd' })[letter]);

/** The rows in the order of a column; rows of equal values keep theirs. */
function sortedBy(rows, { of, falls }, up) {
  const order = new Intl.Collator(lang, { numeric: true });
  const compare = (x, y) => (typeof x === 'string' ? order.compare(x, y) : x - y);
  const sign = Boolean(falls) === up ? 1 : -1;
  return rows.map(row => [of(row), row]).sort(([x], [y]) => sign * compare(x, y)).map(([, row]) => row);
}

const sorting = (column, by, up) => (column.id !== by ? 'none' : Boolean(column.falls) === up ? 'ascending' : 'descending');
