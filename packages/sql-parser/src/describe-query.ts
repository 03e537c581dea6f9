import type { FunctionTraits, Grammar, LexerTraits } from '@askema/core';
import { type ParseResult, splitStatements } from '@askema/sql';
import type { BackEnd } from './back-end.ts';
import { buildShape } from './shape/build-shape.ts';
import { NotLocated } from './shape/builder.ts';
import { type ComplexityLimits, findExcess } from './source/complexity.ts';
import { scanTokens } from './source/scan-tokens.ts';
import { makeTokenTable, type TokenRange, type TokenTable, tokenAt } from './source/token-table.ts';

/** What of a dialect the parsing needs: the worker is sent it. */
export interface ParsedDialect {
  readonly grammar: Grammar;
  readonly functions: FunctionTraits;
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
  if (statement === undefined || first === undefined)
    return { ok: false, failure: 'no query', reason: 'No statement of the SQL is a query (SELECT, WITH or VALUES).' };
  const excess = findExcess(table, statement, limits);
  if (excess !== undefined) return refuse(`The query is too complex to be parsed: ${excess}.`);

  let failure: ParseResult | undefined;
  for (const grammar of backEnd.grammars(dialect.grammar)) {
    const parsed = backEnd.parse(textOf(table, statement, backEnd.standIns?.[grammar]), grammar, first.start);
    if (!parsed.ok) {
      const position = parsed.offset === undefined ? undefined : parsed.offset + first.start;
      failure ??= { ok: false, failure: 'syntax', reason: `${backEnd.name} (${grammar}): ${parsed.reason}`, position };
      continue;
    }
    try {
      const facts = { functions: dialect.functions, statementCount: statements.length, parsedAs: grammar };
      return { ok: true, shape: buildShape(table, statement, parsed.query, facts) };
    } catch (error) {
      if (!(error instanceof NotLocated)) throw error;
      const reason = `The query was parsed, but its text does not show ${error.message} where the tree has it.`;
      failure ??= { ok: false, failure: 'not located', reason };
    }
  }
  return failure ?? refuse('No grammar is known.');
}

/**
 * A statement as our lexer takes it: the parser ends a comment at other characters than some engines do, so it gets
 * blanks for what stands between the tokens. Operators that it does not know have others of the same length in their place.
 */
function textOf(
  { source, tokens }: TokenTable,
  { from, to }: TokenRange,
  standIns: Readonly<Record<string, string>> = {},
): string {
  let text = '';
  let copied = tokens[from]?.start ?? 0;
  for (const [index, { upper, start, end }] of tokens.slice(from, to).entries()) {
    // Behind a point it is a name.
    const isName = tokens[from + index - 1]?.upper === '.';
    const other = Object.hasOwn(standIns, upper) && !isName ? standIns[upper]?.padEnd(end - start) : undefined;
    text += source.slice(copied, start).replace(/[^\n]/g, ' ') + (other ?? source.slice(start, end));
    copied = end;
  }
  return text;
}

function refuse(reason: string): ParseResult {
  return { ok: false, failure: 'too complex', reason };
}

/** The statements of a script, without semicolons; empty ones are left out. */
function findStatements(table: TokenTable, traits: LexerTraits): readonly TokenRange[] {
  const { source, tokens } = table;
  const isScript = tokens.slice(0, -1).some((token) => token.upper === ';');
  if (!isScript) {
    const to = tokens.at(-1)?.upper === ';' ? tokens.length - 1 : tokens.length;
    return to === 0 ? [] : [{ from: 0, to }];
  }
  const starts = splitStatements(source, traits).map((span) => ({
    from: tokenAt(table, span.start) ?? 0,
    end: span.end,
  }));
  return starts.map(({ from, end }) => {
    let to = from + 1;
    while (to < tokens.length && (tokens[to]?.end ?? end + 1) <= end) to++;
    return { from, to };
  });
}

/** Whether a statement begins as a query does. */
function isQuery(table: TokenTable, statement: TokenRange): boolean {
  let first = statement.from;
  while (first < statement.to && table.tokens[first]?.upper === '(') first++;
  return /^(SELECT|WITH|VALUES|FROM|TABLE)$/.test(table.tokens[first]?.upper ?? '');
}
