import type { Span } from '../ports/query-shape.ts';

/** A piece of SQL text and which action wrote which part of it. */
export interface SqlPiece {
  readonly text: string;
  readonly marks: readonly ActionSpan[];
}

/** What an action wrote: `span` slices the statement. */
export interface ActionSpan {
  /** Index of the action. */
  readonly action: number;
  readonly span: Span;
}

/** Pieces and plain texts, one behind the other. */
export function concat(...parts: readonly (SqlPiece | string)[]): SqlPiece {
  let text = '';
  const marks: ActionSpan[] = [];
  for (const part of parts) {
    if (typeof part !== 'string')
      for (const { action, span } of part.marks)
        marks.push({ action, span: { start: span.start + text.length, end: span.end + text.length } });
    text += typeof part === 'string' ? part : part.text;
  }
  return { text, marks };
}

export function joinPieces(pieces: readonly SqlPiece[], separator: string): SqlPiece {
  return concat(...pieces.flatMap((piece, index) => (index === 0 ? [piece] : [separator, piece])));
}

/** The piece, all of it written by that action. */
export function markedAs(action: number, piece: SqlPiece | string): SqlPiece {
  const { text, marks } = typeof piece === 'string' ? { text: piece, marks: [] } : piece;
  return { text, marks: [{ action, span: { start: 0, end: text.length } }, ...marks] };
}
