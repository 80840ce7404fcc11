// The picture of clusters: it can be enlarged, moved and searched. Dots and names keep their size on the screen; a name
// that would cover another is left out until there is room.

// Size of a name in pixels, and the room around it.
const NAME = 12, APART_BY = 3;

/** The width of a name in pixels. */
const widthOf = (() => {
  const context = document.createElement('canvas').getContext('2d');
  return name => {
    context.font = `${NAME}px system-ui, sans-serif`;
    return context.measureText(name).width + 2 * APART_BY;
  };
})();

let picture = null;

function clusters(figures) {
  const box = h('div', { id: 'graph' });
  const draw = () => {
    box.replaceChildren(...drawn(figures));
    requestAnimationFrame(() => picture?.begin());
  };
  draw();
  const threshold = h('input', {
    id: 'threshold', type: 'number', min: 0, max: 100, value: settings.threshold, 'aria-label': t('clusters'),
    oninput: event => {
      settings.threshold = Math.min(Math.max(Math.floor(Number(event.target.value)) || 0, 0), 100);
      note();
      draw();
    },
  });
  return h('section', { class: 'card', id: 'clusters' },
    h('h2', {}, t('clusters')),
    h('p', { class: 'about' }, h('label', {}, parts('threshold', { input: threshold }))),
    box);
}

function drawn(figures) {
  const { groups: all, left, fewer } = groups(figures);
  picture = null;
  if (!all.length) return [h('p', { class: 'about' }, t('not_joined'))];
  const { spots, width, height } = arranged(all);
  picture = new Picture(figures, all, spots, width, height);
  const said = [
    t('drawn', { clusters: counted(all.length, 'clusters'), documents: counted(spots.size, 'documents') }),
    left > 0 && t('not_drawn', { documents: counted(left, 'documents') }),
    fewer > 0 && t('links_not_drawn', { n: fewer }),
    data.against && t('squares'),
  ];
  const button = (key, sign, act) => h('button', { type: 'button', id: key, 'aria-label': t(key), title: t(key), onclick: act }, sign);
  return [
    h('div', { class: 'tools' },
      button('zoom_in', '+', () => picture.zoom(1.5)), button('zoom_out', '−', () => picture.zoom(1 / 1.5)),
      button('zoom_all', '⤢', () => picture.fit()),
      h('label', {}, t('seek_graph'), ' ', h('input', { id: 'seek-graph', type: 'search', oninput: event => picture.seek(event.target.value) }))),
    picture.element,
    h('p', { class: 'about' }, `${said.filter(Boolean).join('; ')}.`),
  ];
}

/** The boxes in a frame in which a name can stand: below its dot, above it, to the right and to the left. */
const around = (x, y, far, wide, frame) => {
  // A name below or above its dot is moved into the frame.
  const left = Math.min(Math.max(x - wide / 2, frame.left), frame.right - wide);
  return [[left, y + far], [left, y - far - NAME], [x + far, y - NAME / 2], [x - far - wide, y - NAME / 2]]
    .map(([left, top]) => ({ left, right: left + wide, top, bottom: top + NAME }))
    .filter(box => box.left >= frame.left && box.right <= frame.right && box.top >= frame.top && box.bottom <= frame.bottom);
};

const attributes = (element, values) => {
  for (const [key, value] of Object.entries(values)) element.setAttribute(key, value);
};

/** A name for each dot: the last part of its path without the ending, or its folder where many files have one name. */
function labels(numbers) {
  const last = number => texts[number].name ?? nameOf(number).replace(/^.*\//, '').replace(/(?<=.)\.\w{1,5}$/, '');
  const folder = number => (texts[number].name ? '' : nameOf(number).split('/').slice(0, -1).pop() ?? '');
  const times = of => numbers.reduce((times, number) => times.set(of(number), (times.get(of(number)) ?? 0) + 1), new Map());
  const [names, folders] = [times(last), times(folder)];
  return new Map(numbers.map(number => {
    const [own, its] = [last(number), folder(number)];
    const full = names.get(own) === 1 || !its ? own : folders.get(its) === 1 ? its : `${its}/${own}`;
    return [number, full];
  }));
}

class Picture {
  constructor(figures, all, spots, width, height) {
    Object.assign(this, { figures, spots, width, height, found: new Set() });
    this.element = svg('svg', { role: 'group', 'aria-label': t('clusters') });
    this.lines = all.flatMap(group => group.links).map(link => this.line(link));
    const order = [...spots.keys()].sort((x, y) => this.share(y) - this.share(x) || x - y);
    const names = labels(order);
    this.dots = order.map(number => this.dot(number, names.get(number)));
    // Names lie over all dots.
    this.element.append(...this.lines.map(line => line.element), ...this.dots.map(dot => dot.element),
      svg('g', { 'aria-hidden': 'true' }, this.dots.map(dot => dot.text)));
    this.listen();
  }

  share(number) {
    const { matched, counted: of } = this.figures.texts[number];
    return share(matched, of);
  }

  line({ number, pair, matched, of }) {
    const [x1, y1] = this.spots.get(pair.suspicious), [x2, y2] = this.spots.get(pair.source);
    const title = `${nameOf(pair.suspicious)}: ${percent(matched, of)} – ${nameOf(pair.source)}`;
    const hit = svg('line', { class: 'hit', x1, y1, x2, y2 });
    const element = svg('a', { href: to(`#/pair/${number}`), tabindex: -1, 'aria-label': title }, svg('title', {}, title), hit,
      svg('line', { x1, y1, x2, y2, 'stroke-width': (1 + 3 * share(matched, of)).toFixed(1) }));
    return { element, ends: [pair.suspicious, pair.source] };
  }

  dot(number, shown) {
    const { matched, counted: of } = this.figures.texts[number];
    const isSource = number >= data.suspicious;
    const title = `${nameOf(number)}: ${percent(matched, of)}`;
    const hit = svg('circle', { class: 'hit' });
    const mark = isSource ? svg('rect', { class: 'dot source' }) : svg('circle', { class: 'dot' });
    const text = svg('text', {}, shown);
    const element = svg('a', { href: to(`#/document/${number}`), 'aria-label': title, onfocus: () => this.reveal(number) },
      svg('title', {}, title), hit, mark);
    return { number, element, hit, mark, text, size: 5 + 7 * Math.sqrt(this.share(number)), wide: widthOf(shown), isSource };
  }

  /** Pixels of the screen for a unit of the picture. */
  get scale() {
    const { clientWidth, clientHeight } = this.element;
    return Math.min(clientWidth / this.view.width, clientHeight / this.view.height) || 1;
  }

  /** What is seen, in pixels: more than the view asks for where the frame has another shape. */
  frame(unit) {
    const { x, y, width, height } = this.view, { clientWidth, clientHeight } = this.element;
    const [left, top] = [(x + width / 2) / unit - clientWidth / 2, (y + height / 2) / unit - clientHeight / 2];
    return { left, top, right: left + clientWidth, bottom: top + clientHeight };
  }

  /** Shows a part of the picture. */
  show(x, y, width, height) {
    this.view = { x, y, width, height };
    this.element.setAttribute('viewBox', [x, y, width, height].map(at => at.toFixed(1)).join(' '));
    const unit = 1 / this.scale;
    const frame = this.frame(unit);
    const taken = this.dots.map(({ number, size }) => {
      const [cx, cy] = this.spots.get(number).map(at => at / unit);
      return { left: cx - size, right: cx + size, top: cy - size, bottom: cy + size };
    });
    const isFree = box => taken.every(it => box.left > it.right || box.right < it.left || box.top > it.bottom || box.bottom < it.top);
    const isShown = ([cx, cy]) => cx >= frame.left && cx <= frame.right && cy >= frame.top && cy <= frame.bottom;
    const wanted = [...this.dots].sort((one, other) => this.found.has(other.number) - this.found.has(one.number));
    for (const { number, hit, mark, text, size, wide, isSource, element } of wanted) {
      const [cx, cy] = this.spots.get(number);
      attributes(mark, isSource
        ? { x: cx - 7 * unit, y: cy - 7 * unit, width: 14 * unit, height: 14 * unit, rx: 2 * unit }
        : { cx, cy, r: size * unit });
      attributes(hit, { cx, cy, r: 12 * unit });
      const spot = [cx / unit, cy / unit];
      const place = isShown(spot) && around(...spot, size + 2, wide, frame).find(isFree);
      text.toggleAttribute('hidden', !place);
      const isFaint = this.found.size > 0 && !this.found.has(number);
      for (const part of [element, text]) part.classList.toggle('faint', isFaint);
      if (!place) continue;
      taken.push(place);
      attributes(text, { x: (place.left + place.right) / 2 * unit, y: (place.bottom - 2) * unit, 'font-size': NAME * unit });
    }
    for (const { element, ends } of this.lines) {
      element.classList.toggle('faint', this.found.size > 0 && !ends.some(end => this.found.has(end)));
    }
  }

  /** Shows as much as leaves names readable: all, or on a narrow screen the largest group. */
  begin() {
    this.fit();
    const [scale, least] = [this.scale, 0.45];
    if (!narrow.matches || scale >= least) return;
    const { clientWidth, clientHeight } = this.element;
    this.show(0, 0, clientWidth / least, clientHeight / least);
  }

  /** Shows all. A lone pair is not enlarged to fill the frame. */
  fit() {
    const wide = Math.max(this.width, this.element.clientWidth / 1.5), high = Math.max(this.height, this.element.clientHeight / 1.5);
    this.show((this.width - wide) / 2, (this.height - high) / 2, wide, high);
  }

  zoom(by, at = [this.view.x + this.view.width / 2, this.view.y + this.view.height / 2]) {
    const { x, y, width, height } = this.view;
    const [w, h] = [width / by, height / by];
    if (w > 4 * Math.max(this.width, FRAME[0]) || w < 60) return;
    this.show(at[0] - (at[0] - x) / by, at[1] - (at[1] - y) / by, w, h);
  }

  /** Brings a dot into view. */
  reveal(number) {
    const [x, y] = this.spots.get(number);
    const { x: left, y: top, width, height } = this.view;
    if (x < left || x > left + width || y < top || y > top + height) this.show(x - width / 2, y - height / 2, width, height);
  }

  /** Shows the dots whose names contain what is sought, the others faint. */
  seek(sought) {
    this.found = new Set(sought.trim() ? [...this.spots.keys()].filter(number => isFound(number, sought)) : []);
    if (!this.found.size) return this.fit();
    const at = [...this.found].map(number => this.spots.get(number));
    const [xs, ys] = [at.map(([x]) => x), at.map(([, y]) => y)];
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const wide = Math.max(right - left + 4 * MARGIN, 480), high = Math.max(bottom - top + 4 * MARGIN, 240);
    this.show((left + right - wide) / 2, (top + bottom - high) / 2, wide, high);
  }

  /** Moves the picture as it is dragged; enlarges it at a pinch, or a turn of the wheel with Ctrl. */
  listen() {
    let from = null;
    const { element } = this;
    element.addEventListener('pointerdown', event => { from = [event.clientX, event.clientY]; });
    element.addEventListener('pointermove', event => {
      if (!from || !(event.buttons & 1)) return;
      const [dx, dy] = [(from[0] - event.clientX) / this.scale, (from[1] - event.clientY) / this.scale];
      from = [event.clientX, event.clientY];
      this.show(this.view.x + dx, this.view.y + dy, this.view.width, this.view.height);
    });
    element.addEventListener('dragstart', event => event.preventDefault());
    element.addEventListener('wheel', event => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      const box = element.getBoundingClientRect();
      const [px, py] = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
      this.zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2, [this.view.x + px * this.view.width, this.view.y + py * this.view.height]);
    }, { passive: false });
  }
}
