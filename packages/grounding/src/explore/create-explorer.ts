import {
  AskemaError,
  type Attribute,
  type AttributeId,
  type Catalog,
  type ColumnProfile,
  type Dialect,
  type ExploredCatalog,
  type ExploreOptions,
  type Explorer,
  indexSchema,
  type JoinProfile,
  oneLine,
  type QueryOptions,
  type QueryResult,
  type SchemaIndex,
  systemRuntime,
  throwIfAborted,
  toAskemaError,
} from '@askema/core';
import pLimit from 'p-limit';
import { isNested } from './column-profile.ts';
import { joinCandidates, profileJoin } from './join-profile.ts';
import { OutOfTime, type ProfileHost, profileRelation, throwIfOver } from './profile-relation.ts';
import { profileText } from './profile-text.ts';
import { readyProbes } from './ready-probes.ts';
import { relevantAttributes } from './relevant-attributes.ts';

/** Statements at a time. */
const CONCURRENCY = 3;
/** Warnings of one exploration; the rest is counted. */
const MAX_WARNINGS = 5;

type RunQuery = (sql: string, options: QueryOptions) => Promise<QueryResult>;

/**
 * An explorer that sends statements of the dialect's skeletons through the adapter's own `query`, except for what the
 * adapter's author does himself; `explore` uses the author's `profile`.
 */
export function createExplorer(dialect: Dialect, query: RunQuery, author: Partial<Explorer> = {}): Explorer {
  const standard = standardExplorer(dialect, query, author);
  return {
    profile: (attribute, options) => author.profile?.(attribute, options) ?? standard.profile(attribute, options),
    probes: (attributes, options) => author.probes?.(attributes, options) ?? standard.probes(attributes, options),
    explore: (catalog, question, options) =>
      author.explore?.(catalog, question, options) ?? standard.explore(catalog, question, options),
  };
}

function standardExplorer(dialect: Dialect, query: RunQuery, author: Partial<Explorer>): Explorer {
  return {
    async profile(id, { catalog, timeoutMs, context, maxRows = EXPLORE_DEFAULTS.maxRows }) {
      const attribute = indexSchema(catalog).attribute(id);
      if (attribute === undefined || catalog.relations[attribute.relation] === undefined) throw unknownAttribute(id);
      const why =
        catalog.attributes[id]?.masked === true
          ? 'its values are masked'
          : catalog.relations[attribute.relation]?.remote === true && 'another server holds its rows';
      if (why) throw new AskemaError('CAPABILITY_UNSUPPORTED', `The attribute ${id} is not profiled: ${why}.`);
      const remainingMs = until(systemRuntime().clock.now, timeoutMs);
      const host = { dialect, catalog, maxRows, context, query, remainingMs, statements: { count: 0 } };
      const { profiles, failures } = await profileRelation(host, [attribute]);
      const profile = profiles.get(id);
      if (profile !== undefined) return profile;
      throw asTimeout(failures[0]?.error, id, timeoutMs);
    },
    probes: (attributes, options) => readyProbes(dialect, attributes, options),
    explore: (catalog, question, options) => explore({ dialect, query, author }, catalog, question, options),
  };
}

interface Exploring {
  readonly dialect: Dialect;
  readonly query: RunQuery;
  readonly author: Partial<Pick<Explorer, 'profile'>>;
}

async function explore(
  { dialect, query, author }: Exploring,
  catalog: Catalog,
  question: string,
  options: ExploreOptions,
): Promise<ExploredCatalog> {
  const limits = withDefaults(options);
  const { context, aspects = ['values', 'keys', 'nested'] } = options;
  throwIfAborted(context.signal, 'The exploration');
  const index = indexSchema(catalog);
  const chosen = options.attributes ?? relevantAttributes(catalog, index, question, limits, options.mentioned);
  const { clock = systemRuntime().clock } = options;
  const left = until(clock.now, limits.timeoutMs);
  const remainingMs = (): number => Math.min(left(), limits.statementTimeoutMs);
  const statements = { count: 0 };
  const host: ProfileHost = { dialect, catalog, maxRows: limits.maxRows, context, query, remainingMs, statements };
  const warnings = createWarnings();
  const limiter = pLimit(CONCURRENCY);
  const attributes = readable(chosen, index, catalog, aspects, warnings);
  const byRelation = Map.groupBy(attributes, ({ relation }) => relation);
  const groups = [...byRelation.values()];
  const profiled = Promise.all(groups.map((group) => limiter(() => profileGroup(host, author, group, warnings))));
  const candidates = aspects.includes('keys')
    ? joinCandidates(index, [...byRelation.keys()], catalog).slice(0, limits.maxJoins)
    : [];
  const joined = Promise.all(
    candidates.map((candidate) =>
      limiter(async (): Promise<JoinProfile | undefined> => {
        try {
          return await profileJoin(host, candidate);
        } catch (error) {
          throwIfOver(error);
          warnings.note(`the join on ${candidate.from.name}`, error);
          return undefined;
        }
      }),
    ),
  );
  const [parts, joins] = await Promise.all([profiled, joined]);
  throwIfAborted(context.signal, 'The exploration');
  const profiles = new Map(parts.flatMap((part) => [...part]));
  const known = joins.filter((join) => join !== undefined);
  const late = warnings.late();
  const { text, omitted } = profileText({
    catalog,
    index,
    dialect,
    profiles,
    joins: known,
    late,
    maxBytes: limits.maxBytes,
  });
  if (omitted > 0) warnings.add(`${omitted} lines of the profile did not fit into ${limits.maxBytes} bytes.`);
  return {
    text,
    profiles: Object.fromEntries(profiles),
    joins: known,
    attributes: attributes.map(({ id }) => id),
    executions: statements.count,
    warnings: warnings.list(),
  };
}

async function profileGroup(
  host: ProfileHost,
  author: Exploring['author'],
  group: readonly Attribute[],
  warnings: Warnings,
): Promise<ReadonlyMap<AttributeId, ColumnProfile>> {
  if (author.profile === undefined) {
    const { profiles, failures } = await profileRelation(host, group);
    for (const { attribute, error } of failures) warnings.note(attribute.name, error);
    return profiles;
  }
  const profiles = new Map<AttributeId, ColumnProfile>();
  for (const { id, name } of group) {
    try {
      const timeoutMs = Math.floor(host.remainingMs());
      if (timeoutMs < 1) throw new OutOfTime();
      const { catalog, context, maxRows } = host;
      profiles.set(id, await author.profile(id, { catalog, context, maxRows, timeoutMs }));
    } catch (error) {
      throwIfOver(error);
      warnings.note(name, error);
    }
  }
  return profiles;
}

/**
 * Attributes of known relations; those that hold fields only where they are asked for, and none where a filter is
 * needed.
 */
function readable(
  ids: readonly AttributeId[],
  index: SchemaIndex,
  catalog: Catalog,
  aspects: readonly string[],
  warnings: Warnings,
): readonly Attribute[] {
  const filtered = new Set<string>();
  const kept = ids.flatMap((id) => {
    const attribute = index.attribute(id);
    const relation = attribute && catalog.relations[attribute.relation];
    if (attribute === undefined || relation === undefined) return [];
    if (relation.partitioning?.filterRequired === true) {
      filtered.add(relation.nameParts.relation);
      return [];
    }
    const nested = isNested(catalog.attributes[id]);
    return aspects.includes(nested ? 'nested' : 'values') || aspects.includes('keys') ? [attribute] : [];
  });
  for (const relation of filtered)
    warnings.add(`${oneLine(relation, 80)} was not profiled: a query of it must filter on its partition.`);
  return kept;
}

interface Warnings {
  add(text: string): void;
  note(what: string, error: unknown): void;
  list(): readonly string[];
  /** Attributes and joins for which no time was left. */
  late(): number;
}

function createWarnings(): Warnings {
  const texts: string[] = [];
  let late = 0;
  return {
    add: (text) => texts.push(text),
    note(what, error) {
      if (error instanceof OutOfTime) late += 1;
      else texts.push(`${oneLine(what, 80)} was not profiled: ${oneLine(toAskemaError(error).message, 200)}`);
    },
    late: () => late,
    list() {
      const shown = texts.slice(0, MAX_WARNINGS);
      if (texts.length > shown.length) shown.push(`${texts.length - shown.length} more could not be profiled.`);
      if (late > 0) shown.push(`The time of the exploration was over before ${late} attributes or joins were read.`);
      return shown;
    },
  };
}

type Limits = { readonly [Key in keyof typeof EXPLORE_DEFAULTS]: number };

function withDefaults(options: ExploreOptions): Limits {
  const keys = Object.keys(EXPLORE_DEFAULTS) as (keyof typeof EXPLORE_DEFAULTS)[];
  return Object.fromEntries(keys.map((key) => [key, options[key] ?? EXPLORE_DEFAULTS[key]])) as Limits;
}

function until(now: () => number, timeoutMs: number): () => number {
  const deadline = now() + timeoutMs;
  return () => deadline - now();
}

function asTimeout(error: unknown, id: AttributeId, timeoutMs: number): unknown {
  if (error !== undefined && !(error instanceof OutOfTime)) return error;
  return new AskemaError(
    'QUERY_TIMEOUT',
    `The attribute ${id} was not profiled within ${timeoutMs} ms; give it more time.`,
    {
      details: { errorClass: 'timeout' },
    },
  );
}

function unknownAttribute(id: AttributeId): AskemaError {
  return new AskemaError(
    'INPUT_INVALID',
    `The catalog has no attribute \`${id}\`; take the id from the catalog that is passed (\`attributeId\` makes one).`,
  );
}

/** Bounds of an exploration that names none of its own. */
export const EXPLORE_DEFAULTS = {
  timeoutMs: 10_000,
  statementTimeoutMs: 5_000,
  maxRows: 100_000,
  maxRelations: 6,
  maxAttributes: 48,
  maxJoins: 8,
  maxBytes: 8_000,
} as const satisfies Partial<ExploreOptions>;
