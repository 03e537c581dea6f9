import type { CatalogTag, DraftAttribute, NestedField } from '@askema/core';
import type { RestField } from '../rest-types.ts';

/** Names of the REST interface that GoogleSQL writes otherwise: https://cloud.google.com/bigquery/docs/reference/rest/v2/tables#tablefieldschema */
const SQL_NAMES: Readonly<Record<string, string>> = {
  INTEGER: 'INT64',
  FLOAT: 'FLOAT64',
  BOOLEAN: 'BOOL',
  RECORD: 'STRUCT',
  DECIMAL: 'NUMERIC',
  BIGDECIMAL: 'BIGNUMERIC',
};

/** BigQuery nests up to 15 levels deep; what is deeper in an answer is left out. */
const MAX_DEPTH = 20;

/** A column of `tables.get`, as INFORMATION_SCHEMA would show it. */
export function restAttribute(field: RestField): DraftAttribute {
  const nested = fieldsInside(field, [], 0);
  return {
    name: field.name,
    nativeType: typeText(field, 0),
    notNull: field.mode === 'REQUIRED',
    ...(isText(field.description) ? { comment: field.description } : {}),
    ...(isText(field.defaultValueExpression) ? { defaultExpression: field.defaultValueExpression } : {}),
    ...(isText(field.collation) ? { collation: field.collation } : {}),
    ...(nested.length > 0 ? { nestedFields: nested } : {}),
    ...tagged(policyTags(field, 0).map((name) => ({ name }))),
  };
}

/** The tags of something, where it has any. */
export function tagged(tags: readonly CatalogTag[]): { readonly tags?: readonly CatalogTag[] } {
  return tags.length === 0 ? {} : { tags };
}

/** Of a column and the fields inside. */
function policyTags({ policyTags: own, fields = [] }: RestField, depth: number): readonly string[] {
  const inside = depth >= MAX_DEPTH ? [] : fields.flatMap((field) => policyTags(field, depth + 1));
  return [...new Set([...(own?.names ?? []), ...inside])];
}

function isText(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}

function typeText(field: RestField, depth: number): string {
  const element = elementText(field, depth);
  return field.mode === 'REPEATED' ? `ARRAY<${element}>` : element;
}

function elementText(field: RestField, depth: number): string {
  const written = field.type.toUpperCase();
  const name = SQL_NAMES[written] ?? written;
  if (name === 'STRUCT') {
    if (depth >= MAX_DEPTH) return name;
    return `STRUCT<${(field.fields ?? []).map((inner) => `${inner.name} ${typeText(inner, depth + 1)}`).join(', ')}>`;
  }
  if (name === 'RANGE') return `RANGE<${field.rangeElementType?.type ?? ''}>`;
  const size = field.precision ?? field.maxLength;
  return size === undefined ? name : `${name}(${size}${field.scale === undefined ? '' : `, ${field.scale}`})`;
}

function fieldsInside(field: RestField, path: readonly string[], depth: number): NestedField[] {
  if (depth >= MAX_DEPTH) return [];
  const isArray = field.mode === 'REPEATED';
  const inner = isArray ? [...path, '[]'] : path;
  const element: NestedField[] = isArray ? [{ path: inner, nativeType: elementText(field, depth) }] : [];
  return [
    ...element,
    ...(field.fields ?? []).flatMap((child) => {
      const at = [...inner, child.name];
      return [
        {
          path: at,
          nativeType: typeText(child, depth + 1),
          ...(isText(child.description) ? { comment: child.description } : {}),
        },
        ...fieldsInside(child, at, depth + 1),
      ];
    }),
  ];
}
