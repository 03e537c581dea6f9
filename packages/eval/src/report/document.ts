/** A table of text: the first column stands to the left, the others are numbers unless `words` names them. */
export interface Table {
  readonly caption: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Positions of columns of words, from 0, beside the first. */
  readonly words?: readonly number[] | undefined;
}

/** A part of a report as text or as Markdown. */
export type Block =
  | { readonly type: 'heading'; readonly level: 1 | 2 | 3; readonly text: string }
  | { readonly type: 'paragraph'; readonly text: string }
  | { readonly type: 'list'; readonly items: readonly string[] }
  | { readonly type: 'table'; readonly table: Table }
  | { readonly type: 'sql'; readonly title: string; readonly sql: string };

export function heading(level: 1 | 2 | 3, text: string): Block {
  return { type: 'heading', level, text };
}

export function paragraph(text: string): Block {
  return { type: 'paragraph', text };
}

/** Nothing for an empty table. */
export function tables(...all: readonly (Table | undefined)[]): readonly Block[] {
  return all.flatMap((table): readonly Block[] =>
    table === undefined || table.rows.length === 0 ? [] : [{ type: 'table', table }],
  );
}

/** Nothing for an empty list. */
export function list(items: readonly string[]): readonly Block[] {
  return items.length === 0 ? [] : [{ type: 'list', items }];
}
