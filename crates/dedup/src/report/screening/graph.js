// Documents as dots, joined if they share much. Each connected group is laid out by itself
// (springs and repulsion, Fruchterman and Reingold 1991), then the groups are placed in
// rows. The layout is deterministic: the same report always looks the same.

// Maximum numbers of dots and of links: with more, a picture is unreadable and takes seconds.
const DOTS = 300, LINKS = 1000;

/** The connected groups of documents joined by pairs at or above the threshold. */
function groups(figures) {
  let links = figures.pairs.filter(({ matched, of }) => matched > 0 && 100 * share(matched, of) >= settings.threshold);
  links.sort((x, y) => share(y.matched, y.of) - share(x.matched, x.of));
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

// Least mean distance of a dot from the nearest, in units of the layout.
const APART = 0.8;

/** Positions of the dots of a group, about one unit apart. */
function layOut({ dots, links }) {
  const count = dots.length;
  const index = new Map(dots.map((number, at) => [number, at]));
  const ends = links.map(({ pair, matched, of }) =>
    [index.get(pair.suspicious), index.get(pair.source), 0.3 + 0.7 * share(matched, of)]);
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
  // A densely joined group is widened until its dots keep apart.
  const nearest = i => x.reduce((least, _, j) => (i === j ? least : Math.min(least, Math.hypot(x[i] - x[j], y[i] - y[j]))), Infinity);
  const mean = x.reduce((sum, _, i) => sum + nearest(i), 0) / count;
  const wider = Math.min(Math.max(APART / mean, 1), 3);
  for (let i = 0; i < count; i++) [x[i], y[i]] = [x[i] * wider, y[i] * wider];
  const left = Math.min(...x), top = Math.min(...y);
  return {
    x: x.map(at => at - left),
    y: y.map(at => at - top),
    width: Math.max(...x) - left,
    height: Math.max(...y) - top,
  };
}

// Distances in the picture: names need more room beside each other than above each other.
const ACROSS = 132, DOWN = 62, MARGIN = 76, FRAME = [1280, 560];

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

/** The places of all dots, and the size of the picture. */
function arranged(all) {
  const boxes = all.map(group => {
    const at = layOut(group);
    return { group, at, width: at.width * ACROSS + 2 * MARGIN, height: at.height * DOWN + 2 * MARGIN };
  });
  const { places, width, height } = best(boxes);
  const spots = new Map();
  boxes.forEach(({ group, at }, box) => group.dots.forEach((number, i) => spots.set(number,
    [places[box].x + MARGIN + at.x[i] * ACROSS, places[box].y + MARGIN + at.y[i] * DOWN])));
  return { spots, width, height };
}
