import { type CodedRows, codeRows, discoverDependencies, findUniqueSets } from '../normal-form/discover/index.ts';
import { partitionOf, refine } from '../normal-form/discover/partition.ts';
import type { AttributeId, RelationId } from '../schema/schema.ts';
import type { CheckFinding, SuspectedDependency } from './check-finding.ts';
import type { RowsHost } from './check-options.ts';
import type { RowCheck } from './database-check.ts';
import { type ReadRows, readRows } from './read-rows.ts';
import { ifRules, namedSuspects, withoutFollowing } from './suspects.ts';

/** Fewer rows say nothing about keys. */
const LEAST_ROWS = 10;
/** Sets of attributes that are unique in the rows and are reported. */
const MAX_UNIQUE_SETS = 5;

/**
 * What the rows of a table say about its keys and dependencies. Rejects with `ABORTED` and the errors of the executor.
 */
export async function checkRows(
  host: RowsHost,
  relation: RelationId,
): Promise<{ readonly rows: RowCheck; readonly findings: readonly CheckFinding[] }> {
  const { checked, clock, context, maxError } = host;
  const startedAt = clock.now();
  const read = await readRows(host, relation);
  const { attributes } = read;
  const names = attributes.map(({ name }) => name);
  const coded = codeRows(read.rows, attributes.length);
  const declared = checked.keysOf(relation);
  const positions = new Map(attributes.map(({ id }, at) => [id, at]));
  const limits = { signal: context.signal, clock };
  const isKeyWanted = declared.length === 0 && read.rows.length >= LEAST_ROWS;
  const unique = isKeyWanted
    ? await findUniqueSets(coded, { ...limits, timeoutMs: Math.max(0, host.remainingMs() / 4) })
    : { sets: [], complete: true };
  const uniqueSets = unique.sets.slice(0, MAX_UNIQUE_SETS).map((set) => set.map((at) => names[at] ?? ''));
  const found = await discoverDependencies(coded, {
    ...limits,
    maxError,
    timeoutMs: Math.max(0, host.remainingMs()),
    keys: declared.flatMap((key) => positionsOf(key, positions) ?? []),
  });
  const key = (declared[0] ?? []).map((id) => checked.attributeName(id));
  const all = namedSuspects(read, found.dependencies, key);
  const { suspects, following, further } = withoutFollowing(all);
  const keys = declared.length > 0 ? declared.map((each) => each.map(checked.attributeName)) : uniqueSets.slice(0, 1);
  const isKeyDeclared = declared.length > 0;
  const whole = checked.index.attributesOf(relation).map(({ name }) => name);
  const taken = checked.catalog.schema.relations.map(({ name }) => name);
  const name = checked.index.relation(relation)?.name ?? relation;
  return {
    rows: {
      count: read.rows.length,
      whole: read.whole,
      cut: read.cut,
      leftOut: read.leftOut,
      attributes: names,
      complete: found.complete && unique.complete,
      lookedAt: found.lookedAt,
      candidates: found.candidates,
      suspects,
      following,
      further,
      uniqueSets,
      ifRules:
        suspects.length === 0
          ? undefined
          : ifRules({ name, attributes: whole, keys }, suspects, { isKeyDeclared, taken }),
      elapsedMs: clock.now() - startedAt,
    },
    findings: [
      ...brokenKey(host, relation, read, coded),
      ...(uniqueSets.length === 0 ? [] : [suspectedKey(host, relation, read, uniqueSets)]),
      ...suspectFindings(host, relation, read, suspects),
    ],
  };
}

function positionsOf(
  key: readonly AttributeId[],
  positions: ReadonlyMap<AttributeId, number>,
): readonly (readonly number[])[] | undefined {
  const found = key.flatMap((id) => positions.get(id) ?? []);
  return found.length === key.length ? [found] : undefined;
}

/** A declared primary key that the rows do not keep: SQLite lets NULLs in, warehouses enforce nothing. */
function brokenKey(
  { checked }: RowsHost,
  relation: RelationId,
  { attributes, rows }: ReadRows,
  coded: CodedRows,
): readonly CheckFinding[] {
  const key = checked.index.primaryKey(relation)?.attributes ?? [];
  const places = key.flatMap((id) => attributes.findIndex((attribute) => attribute.id === id));
  if (key.length === 0 || places.includes(-1)) return [];
  const { listed, relationName, catalog } = checked;
  const shown = (row: number) =>
    places.map((at) => ({ attribute: attributes[at]?.name ?? '', value: rows[row]?.[at] ?? null }));
  const findings: CheckFinding[] = [];
  const empty = places.filter((at) => (coded.columns[at]?.nullCount ?? 0) > 0);
  if (empty.length > 0) {
    const first = rows.findIndex((row) => empty.some((at) => (row[at] ?? null) === null));
    findings.push({
      code: 'key-part-null',
      severity: 'error',
      relation,
      attributes: empty.flatMap((at) => attributes[at]?.id ?? []),
      message: `${listed(empty.flatMap((at) => attributes[at]?.id ?? []))} of the primary key of \`${relationName(relation)}\` is NULL in some rows.`,
      advice: 'Fill it in, and declare NOT NULL.',
      rows: [shown(first)],
    });
  }
  const isEnforced = (catalog.keyStanding[relation] ?? 'enforced') === 'enforced';
  const [first, ...others] = places.flatMap((at) => coded.columns[at] ?? []);
  if (isEnforced || first === undefined) return findings;
  const groups = others.reduce((partition, column) => refine(partition, column), partitionOf(first));
  const [one, other] = groups.rows;
  if (one === undefined || other === undefined) return findings;
  findings.push({
    code: 'key-repeated',
    severity: 'error',
    relation,
    attributes: key,
    message: `The primary key ${listed(key)} of \`${relationName(relation)}\`, which is declared and not enforced, repeats: ${groups.starts.length - 1} of its values stand in several rows.`,
    advice: 'Remove the repeated rows, or declare another key.',
    rows: [shown(one)],
  });
  return findings;
}

function suspectedKey(
  { checked }: RowsHost,
  relation: RelationId,
  { rows, whole }: ReadRows,
  sets: readonly (readonly string[])[],
): CheckFinding {
  const texts = sets.map((set) =>
    set.length === 1 ? `\`${set.join()}\`` : `(${set.map((name) => `\`${name}\``).join(', ')})`,
  );
  return {
    code: 'key-suspected',
    severity: 'note',
    relation,
    attributes: (sets[0] ?? []).flatMap((name) => checked.index.attributeNamed(relation, name)?.id ?? []),
    message: `Unique in ${whole ? 'all' : 'the first'} ${rows.length} rows of \`${checked.relationName(relation)}\`, which declares no key: ${texts.join('; ')}.`,
    advice: 'Declare the one that identifies a row by its meaning; uniqueness in some rows may be an accident.',
  };
}

/** One finding for each left side; a pair of attributes is more easily an accident than one. */
function suspectFindings(
  { checked }: RowsHost,
  relation: RelationId,
  { attributes }: ReadRows,
  suspects: readonly SuspectedDependency[],
): readonly CheckFinding[] {
  const byLeft = new Map<string, SuspectedDependency[]>();
  for (const suspect of suspects) {
    const key = JSON.stringify(suspect.left);
    byLeft.set(key, [...(byLeft.get(key) ?? []), suspect]);
  }
  const idOf = (name: string) => attributes.find((attribute) => attribute.name === name)?.id ?? '';
  return [...byLeft.values()].map((group) => {
    const left = (group[0]?.left ?? []).map(idOf);
    const right = group.map((suspect) => idOf(suspect.right));
    const verb = `${group.every(({ g3 }) => g3 === 0) ? '' : 'nearly '}${left.length === 1 ? 'determines' : 'determine'}`;
    return {
      code: 'dependency-suspected',
      severity: left.length === 1 ? 'warning' : 'note',
      relation,
      attributes: left,
      message: `In the rows of \`${checked.relationName(relation)}\`, ${checked.listed(left)} ${verb} ${checked.listed(right)} and ${left.length === 1 ? 'is' : 'are'} no key, so that the same is stored again and again.`,
      advice:
        'If that is a rule, it belongs into a table of its own, and rows that break it are wrong; if it is an accident of these rows, leave it.',
      suspects: group,
    };
  });
}
