import {
  type Attribute,
  type AttributeId,
  isAskemaError,
  quoteIdentifier,
  type RelationId,
  type Row,
} from '@askema/core';
import { boundedSource, isComparable } from '@askema/grounding';
import {
  attributeClosure,
  type CodedRows,
  codeRows,
  type DiscoveredDependency,
  discoverDependencies,
  type FunctionalDependency,
  findUniqueSets,
  normalFormOf,
  partitionOf,
  refine,
  synthesize3NF,
} from '@askema/normal-form';
import type { CheckFinding, EvidenceCell, IfRules, RowCheck, SuspectedDependency } from './check-finding.ts';
import { CHECK_DEFAULTS, type RowsHost } from './check-options.ts';

/** The rows of a table that were read. */
interface ReadRows extends Pick<RowCheck, 'whole' | 'cut' | 'leftOut'> {
  readonly attributes: readonly Attribute[];
  readonly rows: readonly Row[];
}

/** With fewer rows no keys are suggested. */
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
  const byLeft = Map.groupBy(suspects, ({ left }) => JSON.stringify(left));
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

/**
 * Reads the first rows that the engine gives, at most `maxRows`: no dialect here draws at random without reading
 * everything, so that a table that is stored in some order gives a piece of that order.
 *
 * Rejects with the errors of the executor.
 */
async function readRows(host: RowsHost, relation: RelationId): Promise<ReadRows> {
  const { adapter, checked, maxRows, maxAttributes, context } = host;
  const { catalog, index } = checked;
  const all = index.attributesOf(relation);
  const comparable = all.filter((attribute) => isComparable(attribute, catalog.attributes[attribute.id]));
  const attributes = comparable.slice(0, maxAttributes);
  const leftOut = all
    .filter((attribute) => !attributes.includes(attribute))
    .map((attribute) => ({
      attribute: attribute.name,
      reason: comparable.includes(attribute) ? ('too many attributes' as const) : ('not comparable' as const),
    }));
  const nameParts = catalog.relations[relation]?.nameParts;
  if (attributes.length === 0 || nameParts === undefined) return { attributes, rows: [], whole: true, leftOut };
  const names = attributes.map(({ name }) => name);
  const { dialect } = adapter;
  // One row more than is kept tells whether there are more.
  const source = boundedSource({ dialect, relation: nameParts, maxRows: maxRows + 1 }, names, 'sampled');
  const cells = names.map((name) => quoteIdentifier(name, dialect)).join(', ');
  const { rows, truncated } = await adapter.query(`SELECT ${cells} FROM ${source}`, {
    maxRows: maxRows + 1,
    maxBytes: CHECK_DEFAULTS.maxBytes,
    timeoutMs: Math.max(1, Math.floor(host.remainingMs())),
    access: 'read',
    context,
  });
  const isMore = rows.length > maxRows;
  const cut = isMore ? 'rows' : truncated;
  return { attributes, rows: isMore ? rows.slice(0, maxRows) : rows, whole: cut === undefined, cut, leftOut };
}

/** More are only counted. */
const MAX_SUSPECTS = 300;

/** Suspects, and how many there are beside them. */
interface SortedSuspects {
  readonly suspects: readonly SuspectedDependency[];
  /** Those that follow from the suspects. */
  readonly following: number;
  /** Those that were too many to be sorted out. */
  readonly further: number;
}

/** Discovered dependencies by the names of the attributes; `keyNames` identify the rows of a counter-example. */
function namedSuspects(
  { attributes, rows }: ReadRows,
  found: readonly DiscoveredDependency[],
  keyNames: readonly string[],
): readonly SuspectedDependency[] {
  const nameAt = (at: number): string => attributes[at]?.name ?? '';
  return found.map(({ left, right, counterExample, ...figures }) => {
    const shown = new Set([...keyNames, ...left.map(nameAt), nameAt(right)]);
    const cells = (row: number): readonly EvidenceCell[] =>
      attributes.flatMap(({ name }, at) =>
        shown.has(name) ? [{ attribute: name, value: rows[row]?.[at] ?? null }] : [],
      );
    return {
      left: left.map(nameAt),
      right: nameAt(right),
      ...figures,
      counterExample: counterExample && {
        row: cells(counterExample.unusual),
        usual: cells(counterExample.usual),
        usualCount: counterExample.usualCount,
      },
    };
  });
}

/**
 * The suspects from which the others follow: where `dept` determines `chair` and `chair` determines `room`, that `dept`
 * determines `room` is no further suspicion. Pairs and larger errors go first. Of very many the 300 with the shortest
 * left sides and the least errors are looked at.
 */
export function withoutFollowing(suspects: readonly SuspectedDependency[]): SortedSuspects {
  const ranked = suspects.toSorted((a, b) => a.left.length - b.left.length || a.g3 - b.g3).slice(0, MAX_SUSPECTS);
  const kept = new Set(ranked);
  for (const suspect of ranked.toReversed()) {
    kept.delete(suspect);
    const closure = attributeClosure(suspect.left.map(named), [...kept].map(namedRule));
    if (!closure.includes(named(suspect.right))) kept.add(suspect);
  }
  return {
    suspects: suspects.filter((suspect) => kept.has(suspect)),
    following: ranked.length - kept.size,
    further: suspects.length - ranked.length,
  };
}

/**
 * The normal form of a table if the suspects were rules beside its keys, and what it would decompose into. Undefined
 * for names that no relation of the theory has (blank ones).
 */
export function ifRules(
  table: {
    readonly name: string;
    readonly attributes: readonly string[];
    readonly keys: readonly (readonly string[])[];
  },
  suspects: readonly SuspectedDependency[],
  options: { readonly isKeyDeclared: boolean; readonly taken: readonly string[] },
): IfRules | undefined {
  const { name, attributes, keys } = table;
  const keyRules = keys
    .map((left) => ({ left, right: attributes.filter((attribute) => !left.includes(attribute)) }))
    .filter(({ right }) => right.length > 0);
  const scheme = { name, attributes, dependencies: [...keyRules, ...suspects.map(ruleOf)] };
  try {
    const verdict = normalFormOf(scheme);
    const key = keys[0] ?? [];
    const isFine = verdict.form === '3NF' || verdict.form === 'BCNF';
    const decomposition = isFine
      ? undefined
      : synthesize3NF(scheme, { taken: options.taken, ...(key.length > 0 ? { preferredKey: key } : {}) });
    return { verdict, key, isKeyDeclared: options.isKeyDeclared, decomposition };
  } catch (thrown) {
    if (isAskemaError(thrown) && thrown.code === 'INPUT_INVALID') return undefined;
    throw thrown;
  }
}

/** A name that is never blank, which the theory does not take. */
function named(attribute: string): string {
  return `=${attribute}`;
}

function namedRule({ left, right }: SuspectedDependency): FunctionalDependency {
  return { left: left.map(named), right: [named(right)] };
}

function ruleOf({ left, right }: SuspectedDependency): FunctionalDependency {
  return { left, right: [right] };
}
