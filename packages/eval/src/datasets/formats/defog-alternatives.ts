/** Columns in one pair of braces; so many make 1,023 statements. */
const MAX_COLUMNS = 10;

/**
 * The statements that a `query` of defog's sql-eval stands for, any of which is right: those between semicolons, each with the columns in
 * its first pair of braces expanded to every selection of them that is not empty, the small ones first; `GROUP BY {}` behind
 * it groups by the same ones. The rule: https://github.com/defog-ai/sql-eval, eval/eval.py, `get_all_minimal_queries`; unlike
 * there, a semicolon or brace within quotes is text. Undefined where a pair of braces holds more than 10 columns.
 */
export function defogAlternatives(query: string): readonly string[] | undefined {
  const statements: string[] = [];
  for (const part of splitOutsideQuotes(query, ';')) {
    const statement = part.trim();
    if (statement === '') continue;
    const expanded = expandBraces(statement);
    if (expanded === undefined) return undefined;
    statements.push(...expanded);
  }
  return [...new Set(statements)];
}

function expandBraces(statement: string): readonly string[] | undefined {
  const start = findOutsideQuotes(statement, '{', 0);
  const end = start === -1 ? -1 : statement.indexOf('}', start);
  if (end === -1) return [statement];
  const columns = splitOutsideQuotes(statement.slice(start + 1, end), ',').map((column) => column.trim());
  if (columns.length > MAX_COLUMNS) return undefined;
  const left = statement.slice(0, start);
  const right = statement.slice(end + 1);
  return selectionsOf(columns).map((selected) => {
    const list = selected.join(', ');
    return `${left}${list}${right.split('GROUP BY {}').join(`GROUP BY ${list}`)}`;
  });
}

/** All selections but the empty one: by their size, then in the order of the columns. */
function selectionsOf(columns: readonly string[]): readonly (readonly string[])[] {
  let grown: readonly { readonly columns: readonly string[]; readonly next: number }[] = [{ columns: [], next: 0 }];
  const all: (readonly string[])[] = [];
  for (let size = 1; size <= columns.length; size += 1) {
    grown = grown.flatMap((selection) =>
      columns.slice(selection.next).map((column, offset) => ({
        columns: [...selection.columns, column],
        next: selection.next + offset + 1,
      })),
    );
    all.push(...grown.map((selection) => selection.columns));
  }
  return all;
}

function splitOutsideQuotes(text: string, separator: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = findOutsideQuotes(text, separator, 0); at !== -1; at = findOutsideQuotes(text, separator, start)) {
    parts.push(text.slice(start, at));
    start = at + 1;
  }
  return [...parts, text.slice(start)];
}

/** From a place outside of quotes. A quote that is never closed is a character like others. */
function findOutsideQuotes(text: string, wanted: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === wanted) return at;
    if (character === "'" || character === '"' || character === '`') {
      const close = text.indexOf(character, at + 1);
      if (close !== -1) at = close;
    }
  }
  return -1;
}
