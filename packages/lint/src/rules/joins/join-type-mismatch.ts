import type { DataType } from '@askema/core';
import type { ResolvedQuery } from '../../resolve/resolved-query.ts';
import type { InspectionRule } from '../rule.ts';
import { joinGraphs } from './build-join-graphs.ts';
import { attributeTitle } from './join-graph.ts';
import { namesFit, sharesKey } from './judge-links.ts';

/** Native types that hold anything: nothing can be said about what a comparison does. */
const ANY_TYPE = /^(?:|any|blob|variant|json|jsonb|object|super|array.*|struct.*|record|map.*|nested.*)$/i;

/**
 * Two joined columns of types that do not compare: text with numbers, numbers with dates. Declared keys are taken as
 * they are.
 */
export const joinTypeMismatch: InspectionRule = {
  code: 'join-type-mismatch',
  severity: 'warning',
  title: 'Columns of unlike types are joined.',
  *check(query) {
    for (const graph of joinGraphs(query))
      for (const { left, right, exact, span } of graph.links) {
        if (!exact || left.attribute === undefined || right.attribute === undefined) continue;
        if (sharesKey(query.index, left.attribute, right.attribute)) continue;
        const types = [left.attribute, right.attribute].map((id) => ({
          type: query.index.attribute(id)?.type,
          native: query.catalog.attributes[id]?.nativeType ?? '',
          name: attributeTitle(query, id),
        }));
        const [a, b] = types;
        if (a === undefined || b === undefined || !areUnlike(query, a, b)) continue;
        // By their names the same thing: engines that convert find the rows.
        const converts = query.dialect.comparisons?.textWithNumber !== 'fails';
        const isMeant = converts && namesFit(query.index, left.attribute, right.attribute);
        yield {
          severity: isMeant ? 'note' : 'warning',
          message: `${a.name} holds ${a.native} and ${b.name} holds ${b.native}: no row may match, or only by a conversion.`,
          advice: `Join columns of the same type, or convert one side; check first that the two columns hold the same thing.`,
          span,
        };
      }
  },
};

interface TypedColumn {
  readonly type: DataType | undefined;
  readonly native: string;
}

function areUnlike(query: ResolvedQuery, a: TypedColumn, b: TypedColumn): boolean {
  if (ANY_TYPE.test(a.native.trim()) || ANY_TYPE.test(b.native.trim())) return false;
  const pair = [a.type, b.type].sort().join(' ');
  // Engines without a type for dates store them as text or numbers: https://sqlite.org/datatype3.html
  if (pair === 'DATETIME NUMERIC') return query.dialect.comparisons?.dateWithText !== 'text';
  return pair === 'NUMERIC TEXT' || pair === 'BINARY NUMERIC' || pair === 'BOOL TEXT';
}
