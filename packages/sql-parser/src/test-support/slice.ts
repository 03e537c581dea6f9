import type { Span } from '@askema/core';
import type { NamePart, QueryBlock, QueryShape } from '@askema/sql';

/** The source of a span. */
export function slice(sql: string, span: Span | undefined): string {
  return span === undefined ? '' : sql.slice(span.start, span.end);
}

/** A name as the text has it, without quotes and blanks: what a span must slice back to. */
function plain(text: string): string {
  return text.replaceAll(/["`[\]]/g, '').replaceAll(/\s+/g, '');
}

/** `a.b.c` of the parts of a name. */
export function dotted(parts: readonly NamePart[]): string {
  return parts.map((part) => part.text).join('.');
}

/** Columns and relations whose spans do not slice back to their names; empty when all do. */
export function misplaced(sql: string, shape: QueryShape): readonly string[] {
  const check = (parts: readonly NamePart[], span: Span): readonly string[] => {
    const found = plain(sql.slice(span.start, span.end)).toLowerCase();
    const named = plain(dotted(parts)).toLowerCase();
    return found === named ? [] : [`${named} is ${found}`];
  };
  return shape.blocks.flatMap((block: QueryBlock) => [
    ...block.columns.flatMap((column) => check([...column.qualifier, column.name], column.span)),
    ...block.relations.flatMap((relation) =>
      relation.kind === 'table' || relation.kind === 'cte' ? check(relation.name, relation.span) : [],
    ),
  ]);
}
