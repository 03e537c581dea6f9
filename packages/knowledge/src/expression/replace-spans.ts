import type { Span } from '@askema/core';

/** The text with each of the spans, which do not overlap, replaced. */
export function replaceSpans<Part extends Span>(
  text: string,
  spans: readonly Part[],
  write: (part: Part) => string,
): string {
  let written = '';
  let end = 0;
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    written += text.slice(end, span.start) + write(span);
    end = span.end;
  }
  return written + text.slice(end);
}
