// Two texts that scroll together: what stands at the same height belongs together.

/** Whether both texts scroll together, as long as the page is open. */
let isTogether = true;

/**
 * Joins two panes. `marks` are the passages as pairs of elements, one of each text. The line of the first text at a fifth of its height
 * is found between two marks; the other text is scrolled so that the same part lies at the same height.
 */
function join(panes, marks) {
  let leader = null;
  for (const [i, pane] of panes.entries()) {
    // Only the pane that the reader moves leads the other.
    for (const kind of ['wheel', 'touchstart', 'pointerdown', 'keydown']) pane.addEventListener(kind, () => { leader = i; }, { passive: true });
    pane.addEventListener('scroll', () => {
      if (!isTogether || leader !== i) return;
      follow(panes, marks, i);
    }, { passive: true });
  }
  return () => { leader = null; };
}

/** Scrolls the other pane to the part that the leading one shows. */
function follow(panes, marks, leading) {
  const pane = panes[leading], other = panes[1 - leading];
  const line = pane.scrollTop + pane.clientHeight / 5;
  const spots = marks.map(ends => ends.map((element, i) => {
    const box = element.getBoundingClientRect();
    const top = box.top - panes[i].getBoundingClientRect().top + panes[i].scrollTop;
    return [top, top + box.height];
  }));
  const ends = [0, 1].map(i => [panes[i].scrollHeight, panes[i].scrollHeight]);
  const known = [[[0, 0], [0, 0]], ...spots.sort((x, y) => x[leading][0] - y[leading][0]), ends];
  let target = null;
  for (let at = 1; at < known.length && target === null; at++) {
    const [before, here] = [known[at - 1], known[at]];
    if (line < here[leading][0]) target = between(line, before[leading][1], here[leading][0], before[1 - leading][1], here[1 - leading][0]);
    else if (line <= here[leading][1]) target = between(line, ...here[leading], ...here[1 - leading]);
  }
  if (target !== null) other.scrollTop = target - other.clientHeight / 5;
}

/** The place in `[low, high]` that lies as `at` does in `[from, to]`; where the order of the other text is another, the nearer end. */
function between(at, from, to, low, high) {
  const part = to > from ? (at - from) / (to - from) : 0;
  if (high < low) return part < 0.5 ? low : high;
  return low + part * (high - low);
}
