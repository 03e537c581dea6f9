import { AskemaError, type CatalogGap, didYouMean, quoteIdentifier } from '@askema/core';
import { snowflakeDialect } from '@askema/dialects';
import { isRefusal, type MetadataReader } from './metadata-reader.ts';
import type { SchemaPlace } from './schema-parts.ts';
import { showSchemas } from './show-objects.ts';

export interface FoundPlaces {
  readonly places: readonly SchemaPlace[];
  readonly gaps: readonly CatalogGap[];
}

/**
 * The schemas to read: those asked for, or all of each database. A name that is not there as it is written is looked for in upper case, as Snowflake reads
 * names without quotes. What is not there is a gap.
 *
 * Rejects with the refusal when no database can be read, and with `DATABASE_NOT_FOUND` when none of the schemas asked for is there.
 */
export async function findPlaces(
  reader: MetadataReader,
  databases: readonly string[],
  schemas: readonly string[] | undefined,
): Promise<FoundPlaces> {
  const places: SchemaPlace[] = [];
  const gaps: CatalogGap[] = [];
  let refusal: AskemaError | undefined;
  let listed = 0;
  for (const wanted of new Set(databases)) {
    let found: Awaited<ReturnType<typeof listSchemas>>;
    try {
      found = await listSchemas(reader, wanted);
    } catch (problem) {
      if (!isRefusal(problem)) throw problem;
      refusal ??= problem;
      gaps.push({ subject: wanted, reason: `its schemas may not be read: ${problem.message}` });
      continue;
    }
    listed += 1;
    const { database, names } = found;
    if (schemas === undefined) {
      places.push(...names.map((schema) => ({ database, schema })));
      continue;
    }
    for (const schema of new Set(schemas)) {
      const name = [schema, schema.toUpperCase()].find((candidate) => names.includes(candidate));
      if (name !== undefined) places.push({ database, schema: name });
      else
        gaps.push({
          subject: `${database}.${schema}`,
          reason: `it does not exist or may not be seen. ${didYouMean(schema, names)}`.trim(),
        });
    }
  }
  if (listed === 0 && refusal !== undefined) throw refusal;
  if (places.length === 0 && schemas !== undefined && gaps.length > 0)
    throw new AskemaError(
      'DATABASE_NOT_FOUND',
      `None of the schemas ${schemas.map((name) => JSON.stringify(name)).join(', ')} can be seen: ${gaps[0]?.subject}: ${gaps[0]?.reason}`,
    );
  return { places: unique(places), gaps };
}

async function listSchemas(
  reader: MetadataReader,
  wanted: string,
): Promise<{ readonly database: string; readonly names: readonly string[] }> {
  const upper = wanted.toUpperCase();
  let refused: unknown;
  try {
    const names = await schemasOf(reader, wanted);
    if (names.length > 0 || upper === wanted) return { database: wanted, names };
  } catch (problem) {
    if (!isRefusal(problem) || upper === wanted) throw problem;
    refused = problem;
  }
  try {
    return { database: upper, names: await schemasOf(reader, upper) };
  } catch (again) {
    if (!isRefusal(again)) throw again;
    if (refused !== undefined) throw refused;
    return { database: wanted, names: [] };
  }
}

/** SHOW needs no warehouse; SCHEMATA (https://docs.snowflake.com/en/sql-reference/info-schema/schemata) is asked where it is refused. */
async function schemasOf(reader: MetadataReader, database: string): Promise<readonly string[]> {
  try {
    return await showSchemas(reader, database);
  } catch (problem) {
    if (!isRefusal(problem)) throw problem;
    const rows = await reader
      .read(
        `SELECT SCHEMA_NAME FROM ${quoteIdentifier(database, snowflakeDialect)}.INFORMATION_SCHEMA.SCHEMATA WHERE SCHEMA_NAME <> 'INFORMATION_SCHEMA' ORDER BY SCHEMA_NAME`,
      )
      .catch((again: unknown) => {
        throw isRefusal(again) ? problem : again;
      });
    return rows.map((row) => String(row.schema_name ?? ''));
  }
}

function unique(places: readonly SchemaPlace[]): SchemaPlace[] {
  return [...new Map(places.map((place) => [JSON.stringify([place.database, place.schema]), place])).values()];
}
