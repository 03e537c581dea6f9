import type { Span } from '@askema/core';
import type { NamePart, QueryBlock, SqlToken } from '@askema/sql';
import { firstAt, refused } from './check-tokens.ts';

/** What joins relations and names them. */
const WORDS =
  /^(?:from|as|join|inner|left|right|full|outer|cross|natural|on|using|lateral|straight_join|semi|anti|asof|[(),.])$/i;

/**
 * Takes FROM for what the parser made of it, and nothing else: what it leaves out of its tree may give columns other
 * names, as PIVOT does, or an alias of a join in brackets.
 *
 * @throws AskemaError `QUERY_REFUSED`
 */
export function checkFrom({ clauses, relations, joins }: QueryBlock, tokens: readonly SqlToken[]): void {
  if (clauses.from === undefined) return;
  const names = (parts: readonly (NamePart | undefined)[]) => parts.flatMap((part) => part?.span ?? []);
  const known = [
    ...relations.flatMap(({ kind, span, name, alias, columnAliases }) => [
      ...(kind === 'derived' ? [span] : names(name)),
      ...names([alias, ...columnAliases]),
    ]),
    ...joins.flatMap(({ condition, using }) => [...(condition === undefined ? [] : [condition.span]), ...names(using)]),
  ].sort((a, b) => a.start - b.start);
  const { end } = clauses.from;
  let at = firstAt(tokens, clauses.from.start);
  let next = 0;
  for (let token = tokens[at]; token !== undefined && token.start < end; token = tokens[at]) {
    while (next < known.length && (known[next] as Span).end <= token.start) next += 1;
    const span = known[next];
    if (span !== undefined && span.start <= token.start) at = firstAt(tokens, span.end);
    else if (WORDS.test(token.text)) at += 1;
    else throw refused(`what ${JSON.stringify(token.text)} does in FROM is not looked at`);
  }
}
