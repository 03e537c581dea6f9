import type { BoundDataset, BoundRelationship } from '../bind/bound-knowledge.ts';
import type { Subject } from '../bind/problem-list.ts';
import { type CheckHost, numberOf, reportFailure } from './check-host.ts';
import { isEnforced } from './enforced-keys.ts';
import { columnText, fromClause } from './from-clause.ts';
import { shownRow } from './shown-cell.ts';

/** Counts whether the keys of the model tell rows apart. What the engine enforces is not counted. */
export async function checkKeys(host: CheckHost): Promise<void> {
  for (const dataset of host.bound.datasets.values()) {
    const { name, standing, primaryKey, uniqueKeys } = dataset.dataset;
    if (!host.isWanted(standing)) continue;
    const declared = (primaryKey.length === 0 ? 0 : 1) + uniqueKeys.length;
    const subject: Subject = { kind: 'dataset', name, standing };
    for (const [at, key] of dataset.keys.slice(0, declared).entries()) {
      const isPrimary = at === 0 && primaryKey.length > 0;
      if (isEnforced(dataset, key, host.bound)) continue;
      const what = `The ${isPrimary ? 'primary' : 'unique'} key ${listed(key)} of \`${name}\``;
      await checkUnique(host, subject, what, dataset, key, 'key-not-unique');
      if (isPrimary) await checkFilled(host, subject, what, dataset, key);
    }
  }
}

/** Counts the rows on both sides of each join. */
export async function checkJoins(host: CheckHost): Promise<void> {
  for (const bound of host.bound.relationships) {
    const { relationship, from, to, pairs } = bound;
    const { name, standing, isOneToOne } = relationship;
    if (!host.isWanted(standing)) continue;
    const subject: Subject = { kind: 'relationship', name, standing };
    const sides = [
      [to, pairs.map((pair) => pair.to.name)],
      ...(isOneToOne === true ? [[from, pairs.map((pair) => pair.from.name)]] : []),
    ] as [BoundDataset, string[]][];
    for (const [side, columns] of sides) {
      if (isEnforced(side, columns, host.bound)) continue;
      const what = `${listed(columns)} of \`${side.dataset.name}\`, the one side of the relationship \`${name}\`,`;
      await checkUnique(host, subject, what, side, columns, 'join-not-unique');
    }
    await countOrphans(host, subject, bound);
  }
}

async function checkUnique(
  host: CheckHost,
  subject: Subject,
  what: string,
  dataset: BoundDataset,
  key: readonly string[],
  code: string,
): Promise<void> {
  const columns = key.map((column) => columnText(column, 't', host.bound));
  const filled = columns.map((column) => `${column} IS NOT NULL`).join(' AND ');
  const sql = `SELECT ${columns.join(', ')}, COUNT(*) FROM ${fromClause(dataset, 't')} WHERE ${filled} GROUP BY ${columns.join(', ')} HAVING COUNT(*) > 1`;
  const ran = await host.run(what, sql);
  reportFailure(host, subject, what, 'source-fails', ran);
  const row = ran.kind === 'rows' ? ran.result.rows[0] : undefined;
  if (row === undefined) return;
  host.report(subject, {
    code,
    message: `${what} is not unique: ${row.at(-1)} rows have ${shownRow(key, row)}.`,
    advice:
      code === 'join-not-unique'
        ? 'Joins would repeat rows. Join to a column that is unique, or swap the sides.'
        : 'Name the columns that tell its rows apart.',
  });
}

async function checkFilled(
  host: CheckHost,
  subject: Subject,
  what: string,
  dataset: BoundDataset,
  key: readonly string[],
): Promise<void> {
  const empty = key.map((column) => `${columnText(column, 't', host.bound)} IS NULL`).join(' OR ');
  const count = numberOf(await host.run(what, `SELECT COUNT(*) FROM ${fromClause(dataset, 't')} WHERE ${empty}`));
  if (count !== undefined && count > 0)
    host.report(subject, {
      severity: 'warning',
      code: 'key-null',
      message: `${what} is NULL in ${count} rows.`,
      advice: 'Rows without a key are counted by COUNT(*) and not by COUNT(DISTINCT key).',
    });
}

async function countOrphans(host: CheckHost, subject: Subject, { from, to, pairs }: BoundRelationship): Promise<void> {
  const text = (side: 'f' | 't', column: string): string => columnText(column, side, host.bound);
  const filled = pairs.map((pair) => `${text('f', pair.from.name)} IS NOT NULL`).join(' AND ');
  const joined = pairs.map((pair) => `${text('t', pair.to.name)} = ${text('f', pair.from.name)}`).join(' AND ');
  const what = `The relationship \`${subject.name}\``;
  const sql = `SELECT COUNT(*) FROM ${fromClause(from, 'f')} WHERE ${filled} AND NOT EXISTS (SELECT 1 FROM ${fromClause(to, 't')} WHERE ${joined})`;
  const ran = await host.run(what, sql);
  reportFailure(host, subject, what, 'join-fails', ran);
  const count = numberOf(ran) ?? 0;
  if (count > 0)
    host.report(subject, {
      severity: 'warning',
      code: 'join-orphans',
      message: `${count} rows of \`${from.dataset.name}\` have ${listed(pairs.map((pair) => pair.from.name))} that \`${to.dataset.name}\` does not have.`,
      advice: `Grouped by a field of \`${to.dataset.name}\`, they are in the group NULL.`,
    });
}

function listed(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}
