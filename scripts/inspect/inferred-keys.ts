/**
 * Inferred keys: the declared foreign keys of each SQLite database of text2sql-dev are taken away, and found again from
 * names and values. Usage: node --conditions=@askema/source scripts/inspect/inferred-keys.ts [--list]
 *
 * What is inferred and was not declared counts as wrong, also where it is true. Then a key among a million rows is
 * looked for. ASKEMA_DATA names the folder that holds text2sql-dev.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Catalog, createCallContext, type ForeignKey, resolveAdapter } from '@askema/core';
import { inferKeys } from '@askema/grounding';
import { sqlite } from '../../adapters/sqlite/src/index.ts';

const BARS = { precision: 0.95, recall: 0.85, seconds: 5 };
const FOLDER = path.join(
  process.env.ASKEMA_DATA ?? fileURLToPath(new URL('../../../shared/data', import.meta.url)),
  'text2sql-dev/databases',
);
const { values: options } = parseArgs({ options: { list: { type: 'boolean', default: false } } });
if (!existsSync(FOLDER)) {
  console.error(`${FOLDER} is not there; set ASKEMA_DATA to the folder that holds text2sql-dev.`);
  process.exit(1);
}

const total = { declared: 0, inferred: 0, right: 0 };
for (const name of readdirSync(FOLDER).filter((file) => file.endsWith('.sqlite'))) {
  const adapter = resolveAdapter(sqlite({ file: path.join(FOLDER, name) }));
  const catalog = await adapter.introspect();
  const bare: Catalog = { ...catalog, schema: { ...catalog.schema, foreignKeys: [] } };
  const started = performance.now();
  const found = (await inferKeys(adapter, bare, { context: createCallContext() })).map(({ foreignKey }) => foreignKey);
  const elapsed = performance.now() - started;
  await adapter.close();
  const declared = new Set(catalog.schema.foreignKeys.flatMap(pairsOf));
  const inferred = new Set(found.flatMap(pairsOf));
  const right = [...inferred].filter((pair) => declared.has(pair)).length;
  total.declared += declared.size;
  total.inferred += inferred.size;
  total.right += right;
  console.log(
    `${name}: ${right} of ${declared.size} found, ${inferred.size - right} not declared, ${elapsed.toFixed(0)} ms`,
  );
  if (!options.list) continue;
  for (const pair of declared) if (!inferred.has(pair)) console.log(`  missed ${pair}`);
  for (const pair of inferred) if (!declared.has(pair)) console.log(`  not declared ${pair}`);
}
const [precision, recall] = [total.right / total.inferred, total.right / total.declared];
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
console.log(
  `Precision ${percent(precision)} (bar ${percent(BARS.precision)}), recall ${percent(recall)} (bar ${percent(BARS.recall)}), of ${total.declared} declared.`,
);
const large = await millionRows();
console.log(
  `Among 1,000,000 rows: ${large.found} of 1 found in ${large.seconds.toFixed(1)} s (bar ${BARS.seconds} s).`,
);
const holds =
  precision >= BARS.precision && recall >= BARS.recall && large.found === 1 && large.seconds <= BARS.seconds;
console.log(holds ? 'The bars hold.' : 'The bars do not hold.');
process.exitCode = holds ? 0 : 1;

function pairsOf({ pairs }: ForeignKey): readonly string[] {
  return pairs.map(({ from, to }) => `${from} -> ${to}`);
}

async function millionRows(): Promise<{ readonly found: number; readonly seconds: number }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'askema-keys-'));
  const file = path.join(folder, 'large.sqlite');
  const database = new DatabaseSync(file);
  database.exec(`
    CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, amount REAL);
    WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 1000000)
      INSERT INTO customers SELECT 3 * x, 'Customer ' || x FROM n;
    INSERT INTO orders SELECT id, 3 * (1 + id * 7919 % 1000000), id % 100 FROM customers;
  `);
  database.close();
  const adapter = resolveAdapter(sqlite({ file }));
  try {
    const catalog = await adapter.introspect();
    const started = performance.now();
    const keys = await inferKeys(adapter, catalog, { context: createCallContext() });
    return { found: keys.length, seconds: (performance.now() - started) / 1_000 };
  } finally {
    await adapter.close();
    rmSync(folder, { recursive: true });
  }
}
