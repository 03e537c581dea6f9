import { createHash } from 'node:crypto';
import type { StoredRun } from '../../compare/index.ts';
import type { ReportOptions } from '../report-options.ts';
import { visibleLine } from '../visible-text.ts';
import { comparisonPage } from './comparison-page.ts';
import { FILTER_SCRIPT } from './filter-script.ts';
import { Html, html } from './html.ts';
import { runPage } from './run-page.ts';
import { type Section, section } from './sections.ts';
import { STYLE } from './style.ts';

export interface PageContent {
  readonly title: string;
  readonly subtitle: string;
  /** What stands before the first section. */
  readonly summary: Html;
  readonly sections: readonly Section[];
}

/** One page that needs nothing else. Its policy lets a browser run and load nothing but what is named here by its hash. */
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
