// Tables that sort by any column, and grow when asked.

// Number of rows shown at first, and added by each “Show more”; a few more need no button.
const ROWS = 25, FEW = 5;

/**
 * A table of `rows`. A column is `{ id, label, type, of, cell, falls }`: `of` gives the value of a row to sort by, `cell` the
 * content of its cell; the values of a column that `falls` are sorted from the greatest. A column without a label is
 * not sorted by. `id` names the table in the address; `first` is the column it is sorted by at first.
 */
function table(id, columns, rows, first, empty) {
  if (!rows.length) return h('p', { class: 'about' }, empty);
  const box = h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': t(id) });
  let shown = rows.length <= ROWS + FEW ? rows.length : ROWS;
  const draw = focused => {
    const { by, up } = settings.sort[id] ?? { by: first, up: false };
    const column = columns.find(column => column.id === by && column.of) ?? columns.find(column => column.id === first);
    const sorted = sortedBy(rows, column, up);
    const left = rows.length - shown;
    const grow = (label, to) => h('button', { type: 'button', class: 'more', onclick: () => { shown = to; draw(); } }, label);
    const more = [grow(t('more', { n: left }), shown + ROWS), ' ', grow(t('show_all'), rows.length),
      h('p', { class: 'printed' }, t('not_printed', { n: left }))];
    const head = column => h(column.label ? 'th' : 'td',
      { scope: column.label ? 'col' : null, class: column.type, 'aria-sort': column.label && sorting(column, by, up) },
      column.label && h('button', { type: 'button', class: 'sort', 'data-by': column.id, onclick: () => turn(column) }, column.label));
    box.replaceChildren(
      h('table', { class: 'rows' },
        h('thead', {}, h('tr', {}, columns.map(head))),
        h('tbody', {}, sorted.slice(0, shown).map(row =>
          h('tr', {}, columns.map(column => h('td', { class: `${column.type} c-${column.id}`, 'data-label': column.label }, column.cell(row))))))),
      ...(left > 0 ? more : []));
    if (focused) box.querySelector(`[data-by=${focused}]`).focus();
  };
  const turn = ({ id: by }) => {
    const now = settings.sort[id] ?? { by: first, up: false };
    settings.sort[id] = { by, up: now.by === by && !now.up };
    note();
    draw(by);
  };
  draw();
  return box;
}
