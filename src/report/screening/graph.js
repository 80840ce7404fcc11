// Documents as dots, joined if they share much. Each connected group is laid out by itself
// (springs and repulsion, Fruchterman and Reingold 1991), then the groups are placed in
// rows. The layout is deterministic: the same report always looks the same.

// Maximum numbers of dots, of links, and of dots with labels: with more, a picture is unreadable and takes seconds.
const DOTS = 300, LINKS = 1000, LABELLED = 80;
let threshold = 10;

function clusters(figures) {
  const box = h('div', { id: 'graph' });
  const draw = () => box.replaceChildren(...drawn(figures));
  draw();
  return h('section', { class: 'card', id: 'clusters' },
    h('h2', {}, 'Clusters'),
    h('p', { class: 'about' }, h('label', {}, 'Documents joined where at least ',
      h('input', {
        id: 'threshold', type: 'number', min: 0, max: 100, value: threshold,
        oninput: event => { threshold = Math.min(Math.max(Number(event.target.value) || 0, 0), 100); draw(); },
      }), '\u00a0% of one lies in passages of the other.')),
    box);
}

/** The connected groups of documents joined by pairs at or above the threshold. */
function groups(figures) {
  let links = figures.pairs.filter(({ covered, of }) => covered > 0 && 100 * share(covered, of) >= threshold);
  links.sort((x, y) => share(y.covered, y.of) - share(x.covered, x.of));
  const all = new Set(links.flatMap(({ pair }) => [pair.suspicious, pair.source]));
  const fewer = Math.max(links.length - LINKS, 0);
  links = links.slice(0, LINKS);
  const shown = new Set();
  for (const { pair } of links) {
    for (const end of [pair.suspicious, pair.source]) {
      if (shown.size < DOTS) shown.add(end);
    }
  }
  links = links.filter(({ pair }) => shown.has(pair.suspicious) && shown.has(pair.source));
  const leader = new Map([...shown].map(number => [number, number]));
  const root = number => {
    while (leader.get(number) !== number) number = leader.get(number);
    return number;
  };
  for (const { pair } of links) leader.set(root(pair.suspicious), root(pair.source));
  const found = new Map();
  for (const number of shown) {
    const key = root(number);
    if (!found.has(key)) found.set(key, { dots: [], links: [] });
    found.get(key).dots.push(number);
  }
  for (const link of links) found.get(root(link.pair.source)).links.push(link);
  const result = [...found.values()].filter(group => group.dots.length > 1);
  result.sort((x, y) => y.dots.length - x.dots.length || x.dots[0] - y.dots[0]);
  return { groups: result, left: all.size - shown.size, fewer };
}

/** Positions of the dots of a group, about one unit apart. */
function layOut({ dots, links }) {
  const count = dots.length;
  const index = new Map(dots.map((number, at) => [number, at]));
  const ends = links.map(({ pair, covered, of }) =>
    [index.get(pair.suspicious), index.get(pair.source), 0.3 + 0.7 * share(covered, of)]);
  // Weakens the springs of a densely joined group, which would otherwise collapse.
  const slack = Math.max(1, links.length / count);
  const radius = Math.max(0.5, count / 6);
  const x = Float64Array.from(dots, (_, i) => radius * Math.cos(2 * Math.PI * i / count));
  const y = Float64Array.from(dots, (_, i) => radius * Math.sin(2 * Math.PI * i / count));
  const dx = new Float64Array(count), dy = new Float64Array(count);
  const rounds = count > 150 ? 120 : 240;
  for (let round = 0; round < rounds; round++) {
    dx.fill(0);
    dy.fill(0);
    // Dots repel each other by the inverse of their distance; this loop takes most of the time.
    for (let i = 1; i < count; i++) {
      for (let j = 0; j < i; j++) {
        const u = x[i] - x[j], v = y[i] - y[j];
        const force = 1 / Math.max(u * u + v * v, 1e-6);
        dx[i] += u * force; dy[i] += v * force;
        dx[j] -= u * force; dy[j] -= v * force;
      }
    }
    for (const [i, j, weight] of ends) {
      const u = x[i] - x[j], v = y[i] - y[j];
      const force = weight * Math.sqrt(u * u + v * v) / slack;
      dx[i] -= u * force; dy[i] -= v * force;
      dx[j] += u * force; dy[j] += v * force;
    }
    const most = 0.5 * (1 - round / rounds) + 0.01;
    for (let i = 0; i < count; i++) {
      // A faint pull to the middle keeps long chains on the page.
      const [u, v] = [dx[i] - 0.02 * x[i], dy[i] - 0.02 * y[i]];
      const step = Math.min(Math.hypot(u, v), most) / Math.max(Math.hypot(u, v), 1e-9);
      x[i] += u * step;
      y[i] += v * step;
    }
  }
  const left = Math.min(...x), top = Math.min(...y);
  return {
    x: x.map(at => at - left),
    y: y.map(at => at - top),
    width: Math.max(...x) - left,
    height: Math.max(...y) - top,
  };
}

const UNIT = 84, MARGIN = 50, FRAME = [820, 500];

/** Arranges boxes in rows of at most this width; small ones are stacked beside large ones. */
function rows(boxes, most) {
  let [x, y, row, wide] = [0, 0, 0, 0];
  let column = { x: 0, width: 0, used: 0 };
  const places = boxes.map(({ width, height }) => {
    if (width <= column.width && column.used + height <= row) {
      column.used += height;
      return { x: column.x, y: y + column.used - height };
    }
    if (x > 0 && x + width > most) [x, y, row] = [0, y + row, 0];
    column = { x, width, used: height };
    x += width;
    row = Math.max(row, height);
    wide = Math.max(wide, x);
    return { x: column.x, y };
  });
  return { places, width: wide, height: y + row };
}

/** The rows that can be drawn at the largest scale. */
function best(boxes) {
  let [most, found, scale] = [0, null, 0];
  for (const { width } of boxes) {
    most += width;
    const tried = rows(boxes, most);
    const its = Math.min(FRAME[0] / tried.width, FRAME[1] / tried.height);
    if (its > scale) [found, scale] = [tried, its];
  }
  return found;
}

function drawn(figures) {
  const { groups: all, left, fewer } = groups(figures);
  if (!all.length) return [h('p', { class: 'about' }, 'No two documents share that much.')];
  const count = all.reduce((sum, group) => sum + group.dots.length, 0);
  const boxes = all.map(group => {
    const at = layOut(group);
    return { group, at, width: at.width * UNIT + 2 * MARGIN, height: at.height * UNIT + 2 * MARGIN };
  });
  const { places, width, height } = best(boxes);
  // A lone pair is not enlarged to fill the frame.
  const [wide, high] = [Math.max(width, FRAME[0] / 1.5), Math.max(height, 120)];
  // A large picture is scaled down, its dots and labels less so.
  const zoom = Math.min(0.5 + 0.5 * Math.max(1, wide / FRAME[0], high / FRAME[1]), 1.7);
  const picture = svg('svg', {
    viewBox: `${((width - wide) / 2).toFixed(0)} 0 ${wide.toFixed(0)} ${high.toFixed(0)}`,
    role: 'group', 'aria-label': counted(all.length, 'cluster'),
  });
  boxes.forEach(({ group, at }, box) => {
    const place = number => {
      const i = group.dots.indexOf(number);
      return [places[box].x + MARGIN + at.x[i] * UNIT, places[box].y + MARGIN + at.y[i] * UNIT];
    };
    for (const link of group.links) picture.append(line(link, place, count <= LABELLED));
    for (const number of group.dots) picture.append(dot(figures.texts[number], place(number), zoom, count <= LABELLED));
  });
  const told = `${counted(all.length, 'cluster')} of ${counted(count, 'document')}` +
    (left ? `; ${counted(left, 'document')} with smaller shares not drawn` : '') +
    (fewer ? `; ${counted(fewer, 'weaker link')} not drawn` : '') +
    (data.against ? '. Squares are sources.' : '.');
  return [picture, h('p', { class: 'about' }, told)];
}

function line({ number, pair, covered, of }, place, isThick) {
  const [x1, y1] = place(pair.suspicious), [x2, y2] = place(pair.source);
  const told = `${nameOf(pair.suspicious)}: ${percent(covered, of)} in ${nameOf(pair.source)}`;
  return svg('a', { href: `#/pair/${number}`, tabindex: -1 },
    svg('title', {}, told),
    svg('line', { class: 'hit', x1, y1, x2, y2 }),
    svg('line', { x1, y1, x2, y2, 'stroke-width': (1 + (isThick ? 4 : 1) * share(covered, of)).toFixed(1) }));
}

function dot({ number, covered, counted: of }, [x, y], zoom, labelled) {
  const isSource = number >= data.suspicious;
  const size = zoom * (6 + 8 * Math.sqrt(share(covered, of)));
  const told = `${nameOf(number)}: ${percent(covered, of)}, ${wordsOf(covered, of)}`;
  return svg('a', { href: `#/document/${number}`, 'aria-label': told },
    svg('title', {}, told),
    isSource
      ? svg('rect', { class: 'dot source', x: x - 8 * zoom, y: y - 8 * zoom, width: 16 * zoom, height: 16 * zoom, rx: 2 })
      : svg('circle', { class: 'dot', cx: x, cy: y, r: size.toFixed(1) }),
    labelled && svg('text', { x, y: y + size + 13 * zoom, 'font-size': 12 * zoom }, label(number)));
}

/** The last part of a name without its file extension, shortened. */
const label = number => shortened(nameOf(number).replace(/^.*\//, '').replace(/(?<=.)\.\w{1,5}$/, ''), 14);
