import { visibleText } from '../visible-text.ts';

/** Markup that may stand in a page as it is. Only {@link html} makes it, so that no text of a dataset or a model is ever taken for it. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

export type HtmlValue = string | number | Html | readonly Html[] | undefined;

/** A template whose texts are escaped and whose hidden characters are shown; `undefined` is nothing. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(strings.reduce((page, text, index) => page + markupOf(values[index - 1]) + text));
}

function markupOf(value: HtmlValue): string {
  if (value === undefined) return '';
  if (value instanceof Html) return value.markup;
  if (typeof value === 'object') return value.map((each) => each.markup).join('');
  return escapeHtml(visibleText(String(value)));
}

/** For the text of an element and for an attribute in double quotes. */
function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
