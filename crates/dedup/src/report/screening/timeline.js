// Documents with shared passages in the order of their dates.

/** Its date to the minute, in UTC: a date without a zone counts as that. */
const dayOf = ([seconds]) => new Intl.DateTimeFormat(`${lang}-u-nu-latn`, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  .format(1000 * seconds);

/** The documents whose dates are known, each with the earlier ones that it shares passages with that are not weak; nothing where that says nothing. */
function timeline(figures) {
  const dated = figures.texts.filter(({ text, sources }) => text.date && sources.some(isFirmSource));
  if (new Set(dated.map(({ text }) => text.date[0])).size < 2) return null;
  const earlier = ({ text, sources }) => sources.filter(isFirmSource).map(({ other }) => other).filter(other => texts[other].date?.[0] < text.date[0]);
  const columns = [
    { id: 'date', label: t('date'), type: '', of: ({ text }) => text.date[0], cell: ({ text }) => [dayOf(text.date), ' ', tag(`date_${text.date[1]}`)] },
    { id: 'document', label: t('document'), type: 'name', of: it => nameOf(it.number), cell: it => link(it.number) },
    { id: 'share', label: t('share'), type: 'number', falls: true, of: it => share(it.matched, it.counted), cell: it => percent(it.matched, it.counted) },
    { id: 'earlier', label: t('earlier'), type: 'name', of: it => earlier(it).length, falls: true,
      cell: it => earlier(it).slice(0, ROWS).flatMap((other, at) => [at > 0 && ', ', link(other)]) },
  ];
  return h('section', { class: 'card', id: 'timeline' },
    h('h2', {}, t('timeline')),
    h('p', { class: 'about' }, t('timeline_about')),
    table('timeline', columns, dated, 'date', ''));
}
