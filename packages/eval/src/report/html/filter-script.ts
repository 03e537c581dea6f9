/**
 * The only script of the page: it shows the filter and hides the questions that do not fit. Without it everything is there to be read.
 * It stands in the page as it is, so that the page's policy can name its hash.
 */
export const FILTER_SCRIPT = `
(() => {
  const form = document.getElementById('filter');
  if (!form) return;
  const shown = document.getElementById('shown');
  const questions = [...document.querySelectorAll('.question')].map((element) => ({ element, text: undefined }));
  const selects = [...form.querySelectorAll('select')];
  const words = form.elements.namedItem('words');
  const apply = () => {
    const wanted = words.value.trim().toLowerCase().split(/\\s+/).filter((word) => word !== '');
    let count = 0;
    for (const question of questions) {
      const { element } = question;
      let fits = selects.every(({ name, value }) => value === '' || element.getAttribute('data-' + name) === value.slice(1));
      if (fits && wanted.length > 0) {
        question.text ??= element.textContent.toLowerCase();
        fits = wanted.every((word) => question.text.includes(word));
      }
      element.hidden = !fits;
      if (fits) count += 1;
    }
    shown.textContent = count + ' of ' + questions.length + ' questions are shown.';
  };
  let waiting;
  words.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(apply, 120);
  });
  form.addEventListener('change', apply);
  form.addEventListener('submit', (event) => { event.preventDefault(); apply(); });
  form.addEventListener('reset', () => setTimeout(apply, 0));
  form.hidden = false;
  apply();
})();
`;
