import {
  type Adapter,
  type Catalog,
  type RelationId,
  systemRuntime,
  throwIfAborted,
  toAskemaError,
} from '@askema/core';
import { throwIfOver } from '@askema/grounding';
import { findingsOf } from './check-catalog.ts';
import type { CheckFinding, DatabaseCheck, RowCheck, TableCheck } from './check-finding.ts';
import { CHECK_DEFAULTS, type CheckOptions, type RowsHost } from './check-options.ts';
import { measureReference, orphanFinding, type Reference, undeclaredFinding } from './check-references.ts';
import { checkRows } from './check-rows.ts';
import { checkedCatalog } from './checked-catalog.ts';
import { namedReferences } from './reference-names.ts';

/**
 * Looks at a live database: at its catalog, and with `data` at the rows of each table, one after the other, within
 * bounds of rows, attributes and time. It only reads. What could not be looked at stands in `unread`, what was cut in
 * the `rows` of its table.
 *
 * Rejects with `ABORTED` and `DATABASE_CLOSED`; other failures concern one table or one reference.
 */
export async function checkDatabase(adapter: Adapter, catalog: Catalog, options: CheckOptions): Promise<DatabaseCheck> {
  const checked = checkedCatalog(catalog, adapter.dialect);
  const references = namedReferences(checked);
  const clock = options.clock ?? systemRuntime().clock;
  const unread = catalog.incomplete
    .filter(({ foreignKey }) => foreignKey === undefined)
    .map(({ subject, reason }) => ({ subject, reason }));
  const tables: TableCheck[] = [];
  for (const [at, relation] of checked.tables.entries()) {
    throwIfAborted(options.context.signal, 'The check');
    const name = checked.relationName(relation);
    options.onTable?.(name, at, checked.tables.length);
    const deadline = clock.now() + (options.timeoutMs ?? CHECK_DEFAULTS.timeoutMs);
    const host: RowsHost = {
      adapter,
      checked,
      context: options.context,
      maxRows: options.maxRows ?? CHECK_DEFAULTS.maxRows,
      maxAttributes: options.maxAttributes ?? CHECK_DEFAULTS.maxAttributes,
      maxError: options.maxError ?? CHECK_DEFAULTS.maxError,
      clock,
      remainingMs: () => deadline - clock.now(),
    };
    const catalogFindings = findingsOf(checked, relation, references);
    const dataCheck = options.data === true ? await checkData(host, relation, catalogFindings) : undefined;
    unread.push(...(dataCheck?.unread ?? []).map((reason) => ({ subject: name, reason })));
    const keys = checked.keysOf(relation).map((key) => key.map(checked.attributeName));
    tables.push({
      relation,
      name,
      keys,
      form: keys.length === 0 ? undefined : 'BCNF',
      rowCount: catalog.relations[relation]?.rowCount,
      rowCountExact: catalog.relations[relation]?.rowCountExact,
      findings: dataCheck?.findings ?? catalogFindings,
      rows: dataCheck?.rows,
    });
  }
  return { tables, unread, views: catalog.schema.relations.length - checked.tables.length };
}

interface DataCheck {
  readonly findings: readonly CheckFinding[];
  readonly rows: RowCheck | undefined;
  readonly unread: readonly string[];
}

/** References first: they are few statements, while dependencies take what time is left. */
async function checkData(
  host: RowsHost,
  relation: RelationId,
  catalogFindings: readonly CheckFinding[],
): Promise<DataCheck> {
  const { checked } = host;
  const unread: string[] = [];
  const attempt = async <Result>(what: string, work: () => Promise<Result>): Promise<Result | undefined> => {
    if (host.remainingMs() < 1) {
      unread.push(`${what}: no time was left.`);
      return undefined;
    }
    try {
      return await work();
    } catch (thrown) {
      throwIfOver(thrown);
      unread.push(`${what}: ${toAskemaError(thrown).message}`);
      return undefined;
    }
  };
  const orphans: CheckFinding[] = [];
  for (const key of checked.index.foreignKeysFrom(relation)) {
    const reference: Reference = {
      relation,
      from: key.pairs.map(({ from }) => from),
      target: key.target,
      to: key.pairs.map(({ to }) => to),
    };
    if (checked.index.relation(key.target) === undefined || reference.from.length === 0) continue;
    const what = `foreign key ${checked.listed(reference.from)} to \`${checked.relationName(key.target)}\``;
    const inclusion = await attempt(what, () => measureReference(host, reference));
    if (inclusion !== undefined) orphans.push(...orphanFinding(host, reference, inclusion));
  }
  const findings: CheckFinding[] = [];
  for (const finding of catalogFindings) {
    const { code, attributes, target } = finding;
    if (code !== 'reference-undeclared' || target === undefined) {
      findings.push(finding);
      continue;
    }
    const reference = { relation, from: attributes, target: target.relation, to: target.attributes };
    const inclusion = await attempt(`values of ${checked.listed(attributes)}`, () => measureReference(host, reference));
    findings.push(inclusion === undefined ? finding : undeclaredFinding(host, reference, inclusion));
  }
  const rowCheck = await attempt('rows', () => checkRows(host, relation));
  return { findings: [...findings, ...orphans, ...(rowCheck?.findings ?? [])], rows: rowCheck?.rows, unread };
}
