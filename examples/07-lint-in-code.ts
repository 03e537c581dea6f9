/**
 * What `askema lint` does, in code and without a model: a statement is held against the schema (`inspectSql`), its
 * values against the cells (`inspectValues`), and the proposed changes are made in its text (`applyFixes`). SQLite runs
 * the statement without a word: one row, an arbitrary city, and a count of nothing. A change is proposed only where it
 * is right in most cases: what to group by, the author says.
 */

import { createCallContext, type InspectionFinding, resolveAdapter } from '@askema/core';
import { applyFixes, inspectSql, inspectValues } from '@askema/lint';
import { sqlparserTs } from '@askema/sql-parser';
import { sqlite } from '@askema/sqlite';

const sql = `SELECT customers.city, COUNT(*)
FROM customers JOIN "order" ON "order".customer_id = customers.customer_id
WHERE "order".status = 'canceled'`;

const context = createCallContext();
const adapter = resolveAdapter(sqlite({ file: 'examples/store.sqlite' }));
const parser = sqlparserTs();
const catalog = await adapter.introspect({ context });

/** All findings, shown with the place that each is about. */
async function inspect(statement: string): Promise<readonly InspectionFinding[]> {
  const { dialect, planner } = adapter;
  const { query, findings } = await inspectSql(statement, { catalog, dialect, parser, planner, context });
  const cells = query === undefined ? [] : await inspectValues(query, { adapter, context });
  const found = [...findings, ...cells];
  const { rows } = await adapter.query(statement, { context });
  console.log(`\n${statement}\n-- rows: ${rows.length}, findings: ${found.length}`);
  for (const { code, severity, message, span, fix } of found) {
    console.log(`-- ${severity} ${code} at ${statement.slice(span.start, span.end)}: ${message}`);
    if (fix !== undefined) console.log(`--   fix: ${fix.description}`);
  }
  return found;
}

const first = await inspect(sql);
const fixed = applyFixes(sql, first);
const second = await inspect(fixed.sql);
const third = await inspect(`${fixed.sql}\nGROUP BY customers.city`);
const codes = [first, second, third].map((findings) => findings.map(({ code }) => code).join(' '));
if (codes.join('; ') !== 'ungrouped-column value-not-found; ungrouped-column; ')
  throw new Error(`not as expected: ${codes.join('; ')}`);
await parser.close();
await adapter.close();
