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
  const last = table.tokens[(statement?.to ?? 0) - 1];
  if (statement === undefined || first === undefined || last === undefined)
    return { ok: false, failure: 'no query', reason: 'No statement of the SQL is a query (SELECT, WITH or VALUES).' };
  const excess = findExcess(table, statement, limits);
  if (excess !== undefined) return refuse(`The query is too complex to be parsed: ${excess}.`);

  const text = source.slice(first.start, last.end);
  let failure: ParseResult | undefined;
  for (const grammar of backEnd.grammars(dialect.grammar)) {
    const parsed = backEnd.parse(
      withStandIns(text, backEnd.standIns?.[grammar], table, statement),
      grammar,
      first.start,
    );
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

/** The text of a statement with other operators, each as long as the one that it stands for. */
function withStandIns(
  text: string,
  standIns: Readonly<Record<string, string>> | undefined,
  { tokens }: TokenTable,
  { from, to }: TokenRange,
): string {
  if (standIns === undefined) return text;
  const base = tokens[from]?.start ?? 0;
  let written = '';
  let copied = 0;
  for (const [index, { upper, start, end }] of tokens.slice(from, to).entries()) {
    const other = Object.hasOwn(standIns, upper) ? standIns[upper] : undefined;
    // Behind a point it is a name.
    if (other === undefined || tokens[from + index - 1]?.upper === '.') continue;
    written += text.slice(copied, start - base) + other.padEnd(end - start);
    copied = end - base;
  }
  return written + text.slice(copied);
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
