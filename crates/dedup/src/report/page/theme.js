// Light, dark, or the system's theme. A choice is stored if the browser allows a file to
// store anything.
const theme = (() => {
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const CHOICES = ['auto', 'light', 'dark'], KEY = 'dedup-theme';
  const kept = () => {
    try { return localStorage.getItem(KEY); } catch { return null; }
  };
  let choice = CHOICES.includes(kept()) ? kept() : 'auto';
  const apply = () => {
    document.documentElement.dataset.theme = choice === 'auto' ? (dark.matches ? 'dark' : 'light') : choice;
  };
  dark.addEventListener('change', apply);
  apply();
  return {
    get: () => choice,
    set: wanted => {
      choice = wanted;
      apply();
      try { localStorage.setItem(KEY, wanted); } catch { /* not kept */ }
    },
  };
})();
