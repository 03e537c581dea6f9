/**
 * The broken statements that a seed gives, counted, or listed with `--list [CLASS]`.
 * Usage: node --conditions=@askema/source scripts/inspect/make-mutants.ts [--seed A] [--list [CLASS]]
 */
import { parseArgs } from 'node:util';
import { sqlparserTs } from '@askema/sql-parser';
import { hasDevelopmentSet, openDevelopmentSet } from './development-set.ts';
import { mutationsOf } from './mutations.ts';

const { values } = parseArgs({ options: { seed: { type: 'string', default: 'A' }, list: { type: 'string' } } });
if (!hasDevelopmentSet()) throw new Error('text2sql-dev is not there; set ASKEMA_DATA to the folder that holds it.');
const parser = sqlparserTs();
const counts = new Map<string, number>();
for await (const { adapter, catalog, index, questions } of openDevelopmentSet(parser))
  for (const { id, sql, shape, orderMatters } of questions) {
    if (shape === undefined) continue;
    const kept = await mutationsOf({ adapter, catalog, index, sql, shape, id, orderMatters, seed: values.seed });
    for (const { kind, subKind, effect, sql: broken } of kept) {
      for (const key of [kind, `${kind}: ${subKind}, ${effect}`]) counts.set(key, (counts.get(key) ?? 0) + 1);
      if (values.list === kind) console.log(`${id} ${subKind}\n  ${sql}\n  ${broken}`);
    }
  }
await parser.close();
for (const [name, count] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
  console.log(`${String(count).padStart(5)}  ${name}`);
