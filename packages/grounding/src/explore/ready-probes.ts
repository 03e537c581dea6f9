import type { Attribute, AttributeId, Dialect, ReadyProbeOptions } from '@askema/core';
import {
  fillProbe,
  indexSchema,
  qualifiedName,
  quoteIdentifier,
  quoteIfNeeded,
  quoteString,
  type ReadyProbe,
} from '@askema/core';
import { isComparable } from './column-profile.ts';

/** Skeletons of `Dialect.probes`, in the order in which they are asked, and what each shows. */
const PURPOSES: Readonly<Record<string, string>> = {
  frequent: 'most frequent values of',
  range: 'range, rows, values and distinct values of',
  search: 'values that contain the text, of',
  jsonFields: 'paths and types inside of',
  elements: 'elements inside of',
};

/**
 * Statements from the dialect's skeletons, from simple to nested: frequent values of what can be compared, the range of
 * numbers and times, values that contain a text, then paths and elements of nested attributes. A skeleton that the
 * dialect lacks is left out, and so is an attribute that the catalog does not know.
 */
export function readyProbes(
  dialect: Dialect,
  attributes: readonly AttributeId[],
  options: ReadyProbeOptions,
): readonly ReadyProbe[] {
  const index = indexSchema(options.catalog);
  const known = attributes.map((id) => index.attribute(id)).filter((attribute) => attribute !== undefined);
  return Object.keys(PURPOSES).flatMap((name) => {
    const skeleton = dialect.probes[name];
    if (skeleton === undefined) return [];
    return known
      .filter((attribute) => fits(name, attribute, options))
      .flatMap((attribute) => readyProbe(dialect, name, skeleton, attribute, options));
  });
}

function fits(name: string, attribute: Attribute, { catalog, search, nested }: ReadyProbeOptions): boolean {
  const info = catalog.attributes[attribute.id];
  switch (name) {
    case 'frequent':
      return isComparable(attribute, info);
    case 'range':
      return isComparable(attribute, info) && (attribute.type === 'NUMERIC' || attribute.type === 'DATETIME');
    case 'search':
      return search !== undefined && attribute.type === 'TEXT' && isComparable(attribute, info);
    default:
      return (nested?.includes(attribute.id) ?? false) || HOLDS[name]?.test(info?.nativeType ?? '') === true;
  }
}

/** Native types that a skeleton can open: `ARRAY<STRUCT<…>>` has elements, but no keys of its own. */
const HOLDS: Readonly<Record<string, RegExp>> = {
  jsonFields: /^(?!array<).*(?:json|variant|object|super)|^array$/i,
  elements: /array|variant|\[\]/i,
};

function readyProbe(
  dialect: Dialect,
  kind: string,
  skeleton: string,
  attribute: Attribute,
  { catalog, search, limit }: ReadyProbeOptions,
): readonly ReadyProbe[] {
  const info = catalog.relations[attribute.relation];
  if (info === undefined) return [];
  const sql = fillProbe(skeleton, {
    relation: qualifiedName(info.nameParts, dialect, 'always'),
    attribute: quoteIdentifier(attribute.name, dialect),
    // A NUL cannot stand in SQL text.
    pattern: quoteString(`%${(search ?? '').replaceAll('\0', '')}%`, dialect),
    limit: limit ?? 20,
  });
  const place = `${qualifiedName(info.nameParts, dialect)}.${quoteIfNeeded(attribute.name, dialect)}`;
  return [{ kind, sql, purpose: `${PURPOSES[kind] ?? kind} ${place}`, attributes: [attribute.id] }];
}
