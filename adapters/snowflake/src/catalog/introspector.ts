import {
  AskemaError,
  buildCatalog,
  type CallContext,
  type Catalog,
  type CatalogGap,
  createNameFilter,
  type DraftRelation,
  type Introspector,
  startLimits,
} from '@askema/core';
import { snowflakeDialect } from '@askema/dialects';
import type { SnowflakeSession } from '../connection/session.ts';
import { findPlaces } from './find-places.ts';
import { createMetadataReader } from './metadata-reader.ts';
import { readSchema, type SchemaDraft } from './read-schema.ts';
import { readTags } from './read-tags.ts';
import { sampleNestedFields } from './sample-nested-fields.ts';
import type { SchemaPlace } from './schema-parts.ts';
import { withFamilies } from './table-families.ts';

const DEFAULT_CONCURRENCY = 4;

/**
 * Reads schemas of one or several databases as one catalog. Keys are `informational` but for those of hybrid tables. What may not be seen is a gap; a lost
 * connection, the deadline and an abort end it. Each schema that has been read is an event `introspect` of the context: `schema`, `relations`, `done`, `of`.
 *
 * Rejects with `CONFIG_INVALID` where no database is set, and as {@link SnowflakeSession} says.
 */
export function createIntrospector(session: SnowflakeSession, options: IntrospectorOptions): Introspector {
  return {
    async introspect({ include, tags, context }) {
      const limits = startLimits({
        timeoutMs: options.timeoutMs,
        signal: context.signal,
        what: 'Reading the catalog',
      });
      try {
        limits.throwIfOver();
        const databases = options.databases ?? [(await session.place(limits)).database].filter(isThere);
        if (databases.length === 0)
          throw new AskemaError(
            'CONFIG_INVALID',
            'No database is set, so there is nothing to read the catalog of; give `database` (or `databases`), or set DEFAULT_NAMESPACE of the user.',
          );
        const concurrency = options.concurrency ?? DEFAULT_CONCURRENCY;
        const reader = createMetadataReader(session, { limits, context, concurrency });
        const { places, gaps } = await findPlaces(reader, databases, options.schemas);
        const wanted = places.filter((place) => mayHold(include, place));
        const progress = reportProgress(context, wanted.length);
        const drafts = await Promise.all(
          wanted.map(async (place) => {
            const draft = await readSchema(reader, place);
            progress(draft);
            return draft;
          }),
        );
        limits.throwIfOver();
        const included = keepIncluded(
          drafts.flatMap((draft) => draft.relations),
          include,
        );
        const tagged = tags === true ? await readTags(reader, included) : { relations: included, gaps: [] };
        const { relations } = tagged;
        const nested =
          options.nestedFields === 'off'
            ? { relations, gaps: [] }
            : await sampleNestedFields({ session, limits, context, concurrency }, relations);
        const allGaps = [...gaps, ...drafts.flatMap((draft) => draft.gaps), ...tagged.gaps, ...nested.gaps];
        return catalogOf(options.name, nested.relations, allGaps, include);
      } finally {
        limits.release();
      }
    },
  };
}

/** Relations that `include` leaves out need no sample; keys that point at them are left out by `buildCatalog`, which is given the globs as well. */
function keepIncluded(
  relations: readonly DraftRelation[],
  include: readonly string[] | undefined,
): readonly DraftRelation[] {
  const passes = createNameFilter(include, snowflakeDialect.identifiers.comparison);
  return relations.filter(({ nameParts }) => passes(nameParts));
}

function catalogOf(
  name: string,
  relations: readonly DraftRelation[],
  gaps: readonly CatalogGap[],
  include: readonly string[] | undefined,
): Catalog {
  return buildCatalog({ dialect: snowflakeDialect, name, relations: withFamilies(relations), gaps, include });
}

function reportProgress(context: CallContext, of: number): (draft: SchemaDraft) => void {
  let done = 0;
  return ({ place, relations }) => {
    done += 1;
    context.emit?.({
      type: 'introspect',
      data: { schema: `${place.database}.${place.schema}`, relations: relations.length, done, of },
    });
  };
}

function isThere(name: string | undefined): name is string {
  return name !== undefined;
}

/**
 * False when no relation of a schema can pass one of the globs of `IntrospectOptions.include`, so that the schema need not be read: a glob that has a
 * dot is held against the qualified name, and its letters before the first `*` or `?` must agree with it.
 */
function mayHold(include: readonly string[] | undefined, { database, schema }: SchemaPlace): boolean {
  if (include === undefined) return true;
  const beginning = `${database}.${schema}.`;
  return include.some((glob) => {
    if (!glob.includes('.')) return true;
    const wild = glob.search(/[*?]/);
    const letters = wild < 0 ? glob : glob.slice(0, wild);
    return letters.startsWith(beginning) || (wild >= 0 && beginning.startsWith(letters));
  });
}

/** What the introspector reads, and at what cost. Names are as the account stores them; where there is no such name, in upper case. */
export interface IntrospectorOptions {
  /** Of the catalog; shown, never a secret. */
  readonly name: string;
  /** The whole introspection. */
  readonly timeoutMs: number;
  /** Default: the database of the session. */
  readonly databases?: readonly string[] | undefined;
  /** In each of the databases. Default: all of them but INFORMATION_SCHEMA. */
  readonly schemas?: readonly string[] | undefined;
  /**
   * Whether the fields of VARIANT, OBJECT and ARRAY columns are looked for in some rows of each table that has such columns: one SELECT with a
   * LIMIT a table, which needs a warehouse. Default: `sample`.
   */
  readonly nestedFields?: 'sample' | 'off' | undefined;
  /** Statements side by side. Default: 4. */
  readonly concurrency?: number | undefined;
}
