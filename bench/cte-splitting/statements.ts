import { OWN_STATEMENTS } from '../../scripts/spider2/cte-statements.ts';
import { hasCorpora, readLines } from '../../scripts/spider2/read-corpus.ts';

/** A statement in the dialect of this name, which is that of all contenders. */
export interface Statement {
  readonly dialect: string;
  readonly sql: string;
}

export interface StatementSet {
  readonly name: string;
  readonly statements: readonly Statement[];
}

/**
 * Real statements where `ASKEMA_DATA` has them: gold statements and recorded candidates of Spider 2.0. Always: our own,
 * which have traps.
 */
export function statementSets(quick: boolean): readonly StatementSet[] {
  const own = { name: 'our own, with traps', statements: OWN_STATEMENTS.map(({ dialect, sql }) => ({ dialect, sql })) };
  if (!hasCorpora()) return [own];
  const gold = readLines<Statement>('gold-sql.jsonl').map(({ dialect, sql }) => ({ dialect, sql }));
  if (quick) return [{ name: 'gold', statements: gold.filter((_, at) => at % 4 === 0) }, own];
  const candidates = readLines<Statement>('votes.jsonl.gz').map(({ sql }) => ({ dialect: 'snowflake', sql }));
  return [{ name: 'gold', statements: gold }, { name: 'candidates', statements: candidates }, own];
}
