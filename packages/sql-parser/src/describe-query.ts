import type { LexerTraits, ParseResult } from '@askema/core';
import type { BackEnd } from './back-end.ts';
import { buildShape } from './shape/build-shape.ts';
import { NotLocated } from './shape/builder.ts';
import { type ComplexityLimits, findExcess } from './source/complexity.ts';
import { findStatements, isQuery } from './source/find-query.ts';
import { scanTokens } from './source/scan-tokens.ts';
import { makeTokenTable } from './source/token-table.ts';

/** What of a dialect the parsing needs. */
export interface ParsedDialect {
  readonly name: string;
  readonly lexer: LexerTraits;
}

/**
 * The shape of the last query of a source. Runs in the worker, synchronously.
 *
 * @throws BackEndBroken
 */
export function describeQuery(
  source: string,
  dialect: ParsedDialect,
  backEnd: BackEnd,
  limits: ComplexityLimits,
): ParseResult {
  if (source.length > limits.maxLength)
    return refuse(`The SQL has ${source.length} characters, more than ${limits.maxLength}.`);
  const table = makeTokenTable(source, scanTokens(source, dialect.lexer));
  const statements = findStatements(table, dialect.lexer);
  const statement = statements.findLast((candidate) => isQuery(table, candidate));
  const first = table.tokens[statement?.from ?? 0];
  const last = table.tokens[(statement?.to ?? 0) - 1];
  if (statement === undefined || first === undefined || last === undefined)
    return { ok: false, failure: 'no query', reason: 'No statement of the SQL is a query (SELECT, WITH or VALUES).' };
  const excess = findExcess(table, statement, limits);
  if (excess !== undefined) return refuse(`The query is too complex to be parsed: ${excess}.`);

  const text = source.slice(first.start, last.end);
  let failure: ParseResult | undefined;
  for (const grammar of backEnd.grammars(dialect.name)) {
    const parsed = backEnd.parse(text, grammar, first.start);
    if (!parsed.ok) {
      const position = parsed.offset === undefined ? undefined : parsed.offset + first.start;
      failure ??= { ok: false, failure: 'syntax', reason: `${backEnd.name} (${grammar}): ${parsed.reason}`, position };
      continue;
    }
    try {
      const facts = { dialect: dialect.name, statementCount: statements.length, parsedAs: grammar };
      return { ok: true, shape: buildShape(table, statement, parsed.query, facts) };
    } catch (error) {
      if (!(error instanceof NotLocated)) throw error;
      const reason = `The query was parsed, but its text does not show ${error.message} where the tree has it.`;
      failure ??= { ok: false, failure: 'not located', reason };
    }
  }
  return failure ?? refuse('No grammar is known.');
}

function refuse(reason: string): ParseResult {
  return { ok: false, failure: 'too complex', reason };
}
