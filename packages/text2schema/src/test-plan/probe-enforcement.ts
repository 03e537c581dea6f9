import {
  type Adapter,
  attributeId,
  foreignKeyId,
  isAskemaError,
  quoteIfNeeded,
  relationId,
  type Schema,
} from '@askema/core';
import { writeDdl } from '@askema/dialects';
import type { RefusingConstraint } from '../model/test-plan.ts';
import { runDdl, type ScratchLimits } from './scratch-database.ts';

const HOST = 'askema_probe_host';
const GUEST = 'askema_probe_guest';

/**
 * Constraints that this database does not enforce although the DDL declares them: tried on two tables that are dropped again. Some engines
 * only note keys down, some enforce them by a setting of the connection.
 */
export async function unenforcedConstraints(
  adapter: Adapter,
  limits: ScratchLimits,
): Promise<ReadonlySet<RefusingConstraint>> {
  const run = (sql: string): Promise<unknown> => adapter.query(sql, { ...limits, access: 'write' });
  const isRefused = async (sql: string): Promise<boolean> => {
    try {
      await run(sql);
      return false;
    } catch (thrown) {
      if (isAskemaError(thrown) && thrown.code === 'QUERY_FAILED') return true;
      throw thrown;
    }
  };
  const [host, guest] = [HOST, GUEST].map((name) => quoteIfNeeded(name, adapter.dialect));
  await runDdl(adapter, writeDdl(PROBE, adapter.dialect), limits);
  const loose = new Set<RefusingConstraint>();
  try {
    await run(`INSERT INTO ${host} VALUES (1, 1)`);
    if (!(await isRefused(`INSERT INTO ${host} VALUES (1, 2)`))) loose.add('entity integrity');
    if (!(await isRefused(`INSERT INTO ${host} VALUES (2, 1)`))) loose.add('unique');
    if (!(await isRefused(`INSERT INTO ${host} VALUES (NULL, 3)`))) loose.add('not null');
    if (!(await isRefused(`INSERT INTO ${guest} VALUES (1, 99)`))) loose.add('referential integrity');
  } finally {
    for (const table of [guest, host]) await run(`DROP TABLE ${table}`);
  }
  return loose;
}

const PROBE: Schema = probeSchema();

function probeSchema(): Schema {
  const [host, guest] = [relationId([HOST]), relationId([GUEST])];
  const [id, other, own, ref] = [
    attributeId(host, 'id'),
    attributeId(host, 'other'),
    attributeId(guest, 'id'),
    attributeId(guest, 'host'),
  ];
  const pairs = [{ from: ref, to: id }];
  return {
    relations: [
      { id: host, name: HOST },
      { id: guest, name: GUEST },
    ],
    attributes: [
      { id, relation: host, name: 'id', type: 'NUMERIC' },
      { id: other, relation: host, name: 'other', type: 'NUMERIC' },
      { id: own, relation: guest, name: 'id', type: 'NUMERIC' },
      { id: ref, relation: guest, name: 'host', type: 'NUMERIC' },
    ],
    primaryKeys: [
      { relation: host, attributes: [id] },
      { relation: guest, attributes: [own] },
    ],
    foreignKeys: [{ id: foreignKeyId(guest, host, pairs), relation: guest, target: host, pairs }],
    domainConstraints: [
      { attribute: id, constraint: 'not null' },
      { attribute: other, constraint: 'unique' },
    ],
  };
}
