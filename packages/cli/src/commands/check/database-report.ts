import type { Catalog, CatalogGap, DiagnosisFinding, NameParts, ReadOnlyStanding, SerializedError } from '@askema/core';

/** What was done, in this order. */
export type StepName = 'connect' | 'query' | 'schema' | 'refuse a write';

/** One step of `askema check`. */
export interface ReportStep {
  readonly name: StepName;
  readonly elapsedMs: number;
  /** What was seen, in a few words. */
  readonly outcome: string;
  /** Why it failed. */
  readonly error?: SerializedError | undefined;
}

/** What `askema check` says of a database; what a failed step would have told is absent. */
export interface DatabaseReport {
  readonly schemaVersion: 1;
  /** The name of the adapter, or the address as it may be shown. */
  readonly database: string;
  /** True where no step failed and no finding is an error. */
  readonly ok: boolean;
  readonly dialect?: string | undefined;
  readonly server?: string | undefined;
  readonly user?: string | undefined;
  readonly place?: Readonly<Record<string, string>> | undefined;
  readonly readOnly?: ReadOnlyStanding | undefined;
  readonly visible?: VisibleContent | undefined;
  readonly findings: readonly DiagnosisFinding[];
  readonly steps: readonly ReportStep[];
  /** Why nothing more could be said. */
  readonly error?: SerializedError | undefined;
}

/** What is visible in one database or schema. */
export interface VisibleNamespace {
  /** `database.schema`, as far as the engine has them; empty where it has neither. */
  readonly name: string;
  readonly tables: number;
  readonly views: number;
  readonly attributes: number;
  /** Of the relations whose rows are counted; undefined where none is. */
  readonly rows?: number | undefined;
  /** False where a count is an estimate, or a table has none. */
  readonly rowsExact: boolean;
}

/** What a catalog holds, in figures. */
export interface VisibleContent {
  readonly relations: number;
  readonly attributes: number;
  readonly nestedFields: number;
  readonly primaryKeys: number;
  readonly foreignKeys: number;
  /** Keys that the engine does not enforce, or that were inferred. */
  readonly informationalKeys: number;
  readonly relationComments: number;
  readonly attributeComments: number;
  readonly namespaces: readonly VisibleNamespace[];
  /** Tables that differ only in a date or number of their name. */
  readonly families: readonly { readonly pattern: string; readonly members: number }[];
  /** Relations that can be asked only with a filter on these attributes. */
  readonly filtersRequired: readonly { readonly relation: string; readonly attributes: readonly string[] }[];
  readonly unread: readonly CatalogGap[];
}

/** Counts what a catalog holds. */
export function visibleContent(catalog: Catalog): VisibleContent {
  const { schema } = catalog;
  const infos = Object.values(catalog.attributes);
  const relations = Object.values(catalog.relations);
  const nameOf = new Map(schema.attributes.map(({ id, name }) => [id, name]));
  return {
    relations: schema.relations.length,
    attributes: schema.attributes.length,
    nestedFields: infos.reduce((sum, { nestedFields = [] }) => sum + nestedFields.length, 0),
    primaryKeys: schema.primaryKeys.length,
    foreignKeys: schema.foreignKeys.length,
    informationalKeys: Object.keys(catalog.keyStanding).length,
    relationComments: relations.filter(({ comment }) => isText(comment)).length,
    attributeComments: infos.filter(({ comment }) => isText(comment)).length,
    namespaces: namespacesOf(catalog),
    families: catalog.families.map(({ pattern, members }) => ({ pattern, members: members.length })),
    filtersRequired: relations.flatMap(({ nameParts, partitioning }) =>
      partitioning?.filterRequired === true
        ? [{ relation: writtenName(nameParts), attributes: partitioning.attributes.map((id) => nameOf.get(id) ?? '') }]
        : [],
    ),
    unread: catalog.incomplete,
  };
}

/** A name as people write it: the parts that are there, with dots. */
function writtenName({ database, schema, relation }: NameParts): string {
  return [database, schema, relation].filter((part) => part !== undefined).join('.');
}

function isText(comment: string | undefined): boolean {
  return comment !== undefined && comment.trim() !== '';
}

interface Tally {
  tables: number;
  views: number;
  attributes: number;
  rows: number | undefined;
  rowsExact: boolean;
}

function namespacesOf(catalog: Catalog): readonly VisibleNamespace[] {
  const tallies = new Map<string, Tally>();
  const attributesOf = new Map<string, number>();
  for (const { relation } of catalog.schema.attributes)
    attributesOf.set(relation, (attributesOf.get(relation) ?? 0) + 1);
  for (const { id } of catalog.schema.relations) {
    const info = catalog.relations[id];
    if (info === undefined) continue;
    const { database, schema } = info.nameParts;
    const name = [database, schema].filter((part) => part !== undefined).join('.');
    const tally = tallies.get(name) ?? { tables: 0, views: 0, attributes: 0, rows: undefined, rowsExact: true };
    tallies.set(name, tally);
    const isView = info.kind === 'view' || info.kind === 'materialized view';
    tally[isView ? 'views' : 'tables'] += 1;
    tally.attributes += attributesOf.get(id) ?? 0;
    if (info.rowCount !== undefined) tally.rows = (tally.rows ?? 0) + info.rowCount;
    if (!isView && (info.rowCount === undefined || info.rowCountExact !== true)) tally.rowsExact = false;
  }
  return [...tallies].map(([name, tally]) => ({ name, ...tally }));
}
