import { type CatalogGap, type CatalogTag, type DraftRelation, quoteIdentifier } from '@askema/core';
import { snowflakeDialect } from '@askema/dialects';
import { isRefusal, type MetadataReader, type MetadataRow, textOf } from './metadata-reader.ts';
import { schemaName } from './show-objects.ts';

/**
 * The relations with their tags and those of their columns, one statement a relation
 * (https://docs.snowflake.com/en/sql-reference/functions/tag_references_all_columns). A column has the tags of its table, schema and database as well, and
 * those of the columns that it comes from. Each tag has two names, `PII` and `GOVERNANCE.TAGS.PII`. A relation whose tags may not be read is left
 * out and is a gap: who asks for tags wants to keep something back by them.
 */
export async function readTags(
  reader: MetadataReader,
  relations: readonly DraftRelation[],
): Promise<{ readonly relations: readonly DraftRelation[]; readonly gaps: readonly CatalogGap[] }> {
  const gaps: CatalogGap[] = [];
  const tagged = await Promise.all(
    relations.map(async (relation) => {
      try {
        return withTags(relation, await tagRows(reader, relation));
      } catch (problem) {
        if (!isRefusal(problem)) throw problem;
        const { database = '', schema = '', relation: name } = relation.nameParts;
        gaps.push({
          subject: `${database}.${schema}.${name}`,
          reason: `it is left out, because its tags may not be read: ${problem.message}`,
        });
        return undefined;
      }
    }),
  );
  return { relations: tagged.filter((relation) => relation !== undefined), gaps };
}

/** The domain of a view is TABLE as well. */
function tagRows(reader: MetadataReader, { nameParts }: DraftRelation): Promise<readonly MetadataRow[]> {
  const { database = '', schema = '', relation } = nameParts;
  const name = `${schemaName({ database, schema })}.${quoteIdentifier(relation, snowflakeDialect)}`;
  return reader.read(
    `SELECT COLUMN_NAME, LEVEL, TAG_DATABASE, TAG_SCHEMA, TAG_NAME, TAG_VALUE FROM TABLE(${quoteIdentifier(database, snowflakeDialect)}.INFORMATION_SCHEMA.TAG_REFERENCES_ALL_COLUMNS(?, 'TABLE'))`,
    [name],
  );
}

function withTags(relation: DraftRelation, rows: readonly MetadataRow[]): DraftRelation {
  const columns = Map.groupBy(rows, (row) => textOf(row, 'column_name') ?? '');
  const ofRelation = rows.filter((row) => textOf(row, 'level')?.toUpperCase() !== 'COLUMN');
  return {
    ...relation,
    ...tagsOf(ofRelation),
    attributes: relation.attributes.map((attribute) => ({
      ...attribute,
      ...tagsOf(columns.get(attribute.name) ?? []),
    })),
  };
}

function tagsOf(rows: readonly MetadataRow[]): { readonly tags?: readonly CatalogTag[] } {
  const tags = rows.flatMap((row): readonly CatalogTag[] => {
    const name = textOf(row, 'tag_name') ?? '';
    const value = textOf(row, 'tag_value');
    return [name, [textOf(row, 'tag_database'), textOf(row, 'tag_schema'), name].join('.')].map((each) => ({
      name: each,
      value,
    }));
  });
  const unique = new Map(tags.map((tag) => [JSON.stringify(tag), tag]));
  return unique.size === 0 ? {} : { tags: [...unique.values()] };
}
