import { createHash } from 'node:crypto';
import type { StoredRun } from '../../compare/read-run.ts';
import type { ReportOptions } from '../figures/report-options.ts';
import { visibleLine } from '../figures/visible-text.ts';
import { comparisonPage } from './comparison-page.ts';
import { Html, html } from './html.ts';
import { STYLE } from './page-style.ts';
import { runPage } from './run-page.ts';
import { section } from './sections.ts';

/**
 * One page that needs nothing else. Its policy lets a browser run and load nothing but what is named here by its hash.
 */
export function renderPage(first: StoredRun, second: StoredRun | undefined, options: ReportOptions): string {
  const { title, subtitle, summary, sections } =
    second === undefined ? runPage(first, options) : comparisonPage(first, second, options);
  const policy = `default-src 'none'; style-src '${hashOf(STYLE)}'; script-src '${hashOf(FILTER_SCRIPT)}'; base-uri 'none'; form-action 'none'`;
  const links = sections.map(({ id, title: name }) => html`<li><a href="#${id}">${name}</a></li>\n`);
  const page = html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${new Html(policy)}">
<meta name="generator" content="@askema/eval">
<title>${visibleLine(title)}</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<a class="skip" href="#main">To the results</a>
<header>
<h1><bdi>${visibleLine(title)}</bdi></h1>
<p class="meta"><bdi>${visibleLine(subtitle)}</bdi></p>
</header>
<nav aria-label="Parts of the report"><ul>
${links}</ul></nav>
<main id="main">
<section id="result" aria-label="Result">
${summary}</section>
${sections.map(section)}</main>
<footer><p>Written by @askema/eval. The page needs no network and no other file.</p></footer>
<script>${new Html(FILTER_SCRIPT)}</script>
</body>
</html>
`;
  return page.markup;
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/**
 * The only script of the page: it shows the filter and hides the questions that do not fit. Without it everything is
 * there to be read. It stands in the page as it is, so that the page's policy can name its hash.
 */
const FILTER_SCRIPT = `
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
