const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** How wide a text is, in pixels or in columns. */
type WidthOf = (text: string) => number;

/** The text cut at its end to a width, with `mark` where something is missing. No character is cut in two. */
export function cutText(text: string, widthOf: WidthOf, width: number, mark = '…'): string {
  if (widthOf(text) <= width) return text;
  return `${beginning(graphemesOf(text), (kept) => widthOf(`${kept}${mark}`) <= width).trimEnd()}${mark}`;
}

/** The text on at most so many lines, broken between words, and within those that are wider than a line. */
export function wrapText(
  text: string,
  widthOf: WidthOf,
  width: number,
  most = Number.POSITIVE_INFINITY,
  mark = '…',
): readonly string[] {
  const lines: string[] = [];
  let rest = text.trim();
  while (rest !== '') {
    if (lines.length + 1 >= most) return [...lines, cutText(rest, widthOf, width, mark)];
    const line = firstLine(rest, widthOf, width);
    lines.push(line.trimEnd());
    rest = rest.slice(line.length).trimStart();
  }
  return lines;
}

function firstLine(text: string, widthOf: WidthOf, width: number): string {
  let line = '';
  for (const [word] of text.matchAll(/\s*\S+/g)) {
    if (widthOf(line + word) > width) break;
    line += word;
  }
  if (line !== '') return line;
  const all = graphemesOf(text);
  return beginning(all, (kept) => widthOf(kept) <= width) || (all[0] ?? '');
}

/**
 * Labels cut to a width so that different ones stay different: at the end, where that makes some equal in the middle,
 * then at the beginning, and at last they are numbered.
 */
export function cutLabels(labels: readonly string[], widthOf: WidthOf, width: number, mark = '…'): readonly string[] {
  const fits = (text: string): boolean => widthOf(text) <= width;
  const ways: readonly ((label: string, at: number) => string)[] = [
    (label) => cutMiddle(label, fits, mark),
    (label) => cutMiddle(label, fits, mark, 0),
    (label, at) => cutText(`${at + 1}. ${label}`, widthOf, width, mark),
  ];
  let shown = labels.map((label) => cutText(label, widthOf, width, mark));
  for (const way of ways) {
    const same = sameOf(labels, shown, mark);
    if (same.size === 0) break;
    shown = shown.map((text, at) => (same.has(text) ? way(labels[at] ?? '', at) : text));
  }
  return shown;
}

/** What is shown of several labels alike. A label that ends with the mark was cut before, of whatever. */
function sameOf(labels: readonly string[], shown: readonly string[], mark: string): ReadonlySet<string> {
  const first = new Map<string, string>();
  const same = new Set<string>();
  for (const [at, text] of shown.entries()) {
    const label = labels[at] ?? '';
    if (first.has(text) && (first.get(text) !== label || label.endsWith('…') || label.endsWith(mark))) same.add(text);
    if (!first.has(text)) first.set(text, label);
  }
  return same;
}

/** With so much of the beginning as `share` says of what fits, and the end. */
function cutMiddle(text: string, fits: (text: string) => boolean, mark: string, share = 0.5): string {
  if (fits(text)) return text;
  const all = graphemesOf(text);
  const most = [...beginning(all, (kept) => fits(`${kept}${mark}`))].length;
  const head = all
    .slice(0, Math.floor(most * share))
    .join('')
    .trimEnd();
  const tail = beginning(all.toReversed(), (kept) => fits(`${head}${mark}${kept}`));
  return `${head}${mark}${graphemesOf(tail).toReversed().join('').trimStart()}`;
}

function graphemesOf(text: string): readonly string[] {
  return [...segmenter.segment(text)].map(({ segment }) => segment);
}

function beginning(all: readonly string[], fits: (text: string) => boolean): string {
  let kept = '';
  for (const each of all) {
    if (!fits(kept + each)) break;
    kept += each;
  }
  return kept;
}
