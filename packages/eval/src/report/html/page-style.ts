/** Colours of the page by what they are for; a test computes their contrasts. */
export interface Palette {
  readonly page: string;
  readonly surface: string;
  readonly text: string;
  readonly muted: string;
  readonly line: string;
  /** Edges of what can be used, and axes: 3:1 and more. */
  readonly edge: string;
  readonly link: string;
  readonly right: string;
  readonly wrong: string;
  readonly declined: string;
  readonly failed: string;
  readonly goldFailed: string;
  /** The first run of two. */
  readonly first: string;
  /** The second run of two, and the only one. */
  readonly second: string;
}

export const LIGHT: Palette = {
  page: '#ffffff',
  surface: '#f5f7f9',
  text: '#1a1f26',
  muted: '#555e6a',
  line: '#d4dae1',
  edge: '#76808c',
  link: '#0b57b0',
  right: '#13713a',
  wrong: '#b3261e',
  declined: '#8a5a00',
  failed: '#7a3db8',
  goldFailed: '#555e6a',
  first: '#6b7682',
  second: '#0b6bcb',
};

export const DARK: Palette = {
  page: '#14181d',
  surface: '#1d2329',
  text: '#e8ecf0',
  muted: '#a8b2bd',
  line: '#38414b',
  edge: '#7d8894',
  link: '#7db7ff',
  right: '#5fd08b',
  wrong: '#ff8b80',
  declined: '#e5b45a',
  failed: '#c9a2f5',
  goldFailed: '#a8b2bd',
  first: '#9aa5b1',
  second: '#5ba8f7',
};

/** The colours as custom properties: `--text: #1a1f26;` and so on. */
function propertiesOf(palette: Palette): string {
  return Object.entries(palette)
    .map(([name, colour]) => `--${name}: ${colour};`)
    .join(' ');
}

/** The style sheet of the page. Paper is always light. */
export const STYLE = `
:root { color-scheme: light dark; ${propertiesOf(LIGHT)} }
@media screen and (prefers-color-scheme: dark) { :root { ${propertiesOf(DARK)} } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0 auto; max-width: 76rem; padding: 1.5rem 1.25rem 4rem; background: var(--page); color: var(--text);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .25rem; }
h2 { font-size: 1.25rem; margin: 2.75rem 0 .75rem; padding-top: .75rem; border-top: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
h4 { font-size: .8125rem; font-weight: 600; margin: 0 0 .25rem; color: var(--muted); }
p { margin: .4rem 0; max-width: 62rem; }
a { color: var(--link); }
a:focus-visible, button:focus-visible, input:focus-visible, select:focus-visible, [tabindex]:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
bdi, .asked, td, th, dd { overflow-wrap: anywhere; }
.question span.note { display: inline-block; margin-left: .5rem; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: .5rem; background: var(--page); padding: .25rem .5rem; }
.meta, .note { color: var(--muted); font-size: .875rem; }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; list-style: none; margin: 1rem 0 0; padding: 0; font-size: .9375rem; }
#result { margin-top: 1.75rem; }
.headline { display: flex; flex-wrap: wrap; gap: .5rem 2rem; align-items: baseline; margin: 0; max-width: none; }
.headline strong { font-size: 3rem; line-height: 1.1; font-variant-numeric: tabular-nums; }
.lead { font-size: 1.125rem; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(10.5rem, 1fr)); gap: .75rem; margin: 1.25rem 0; }
.cards > div { background: var(--surface); border: 1px solid var(--line); border-radius: .5rem; padding: .6rem .8rem; }
.cards dt { color: var(--muted); font-size: .8125rem; }
.cards dd { margin: 0; font-size: 1.25rem; font-weight: 600; font-variant-numeric: tabular-nums; }
.cards dd small { display: block; color: var(--muted); font-size: .8125rem; font-weight: 400; }
.notes { background: var(--surface); border-left: 4px solid var(--declined); padding: .6rem 1rem .6rem 2rem; margin: 1rem 0; }
.beside { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 27rem), 1fr)); gap: 1rem 2rem; align-items: start; }
.beside > * { min-width: 0; }
figure { margin: .5rem 0 1rem; }
figcaption { font-size: .875rem; color: var(--muted); }
.table { overflow-x: auto; margin: .5rem 0 1.25rem; }
table { border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: .25rem 0; }
th, td { padding: .3rem .65rem; border-bottom: 1px solid var(--line); text-align: right; vertical-align: top; font-weight: 400; }
thead th { color: var(--muted); font-weight: 600; vertical-align: bottom; }
th:first-child, td:first-child, .words { text-align: left; }
th:first-child, td:first-child { padding-left: 0; }
th, td { min-width: 3.5rem; overflow-wrap: break-word; }
td { white-space: nowrap; } td.words { white-space: normal; }
.words, tbody th { max-width: 34rem; }
svg { display: block; width: 100%; height: auto; max-width: 46rem; font-size: 12px; font-family: inherit; }
svg.square { max-width: 25rem; }
svg text { fill: var(--text); }
svg .soft { fill: var(--muted); }
svg .grid { stroke: var(--line); stroke-width: 1; }
svg .axis { stroke: var(--edge); stroke-width: 1.25; fill: none; }
svg .dashed { stroke-dasharray: 4 4; }
svg .halo { stroke: var(--page); stroke-width: 4; fill: none; }
svg .whisker { stroke: var(--text); stroke-width: 1.5; fill: none; }
svg .line { fill: none; stroke-width: 2.25; }
svg .right { fill: var(--right); } svg .wrong { fill: var(--wrong); } svg .declined { fill: var(--declined); }
svg .failed { fill: var(--failed); } svg .first { fill: var(--first); } svg .second { fill: var(--second); }
svg .line.first { fill: none; stroke: var(--first); } svg .line.second { fill: none; stroke: var(--second); }
svg .band { fill: var(--second); opacity: .18; } svg .band.first { fill: var(--first); }
.key { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; list-style: none; margin: .35rem 0; padding: 0; font-size: .875rem; }
.key i { display: inline-block; width: .8em; height: .8em; margin-right: .4em; border-radius: 2px; vertical-align: -.05em; }
.key .right { background: var(--right); } .key .wrong { background: var(--wrong); } .key .declined { background: var(--declined); }
.key .failed { background: var(--failed); } .key .first { background: var(--first); } .key .second { background: var(--second); }
.filter { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end; padding: .75rem; margin: 0 0 1rem; background: var(--surface); border: 1px solid var(--line); border-radius: .5rem; }
.filter[hidden], .question[hidden] { display: none; }
.filter label { display: grid; gap: .15rem; font-size: .8125rem; color: var(--muted); }
.filter input, .filter select, .filter button { font: inherit; font-size: .9375rem; color: var(--text); background: var(--page); border: 1px solid var(--edge); border-radius: .3rem; padding: .3rem .5rem; min-height: 2.1rem; max-width: 15rem; }
.filter output { flex-basis: 100%; font-size: .875rem; }
.question { border: 1px solid var(--line); border-radius: .5rem; padding: .75rem 1rem; margin: 0 0 .9rem; content-visibility: auto; contain-intrinsic-size: auto 16rem; }
.question h3 { margin: 0; }
.badge { display: inline-block; border: 1px solid currentcolor; border-radius: 1rem; padding: 0 .6rem; margin-right: .4rem; font-size: .8125rem; font-weight: 600; }
.badge.right, .badge.gained { color: var(--right); } .badge.wrong, .badge.lost { color: var(--wrong); } .badge.declined { color: var(--declined); }
.badge.failed { color: var(--failed); } .badge.goldFailed, .badge.missed, .badge.only { color: var(--goldFailed); }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); gap: .75rem; margin-top: .6rem; }
.sides > * { min-width: 0; }
pre { margin: 0; padding: .6rem .75rem; background: var(--surface); border-radius: .35rem; white-space: pre-wrap; overflow-wrap: anywhere;
  font: .8125rem/1.45 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
footer { margin-top: 3rem; padding-top: .75rem; border-top: 1px solid var(--line); color: var(--muted); font-size: .875rem; }
@media print {
  body { max-width: none; padding: 0; font-size: 10pt; }
  nav, .skip, .filter { display: none; }
  .table { overflow: visible; } .question { content-visibility: visible; }
  h2, h3, caption { break-after: avoid; } figure, tr, .cards > div { break-inside: avoid; }
  pre { border: 1px solid var(--line); }
  * { print-color-adjust: exact; }
}
`;
