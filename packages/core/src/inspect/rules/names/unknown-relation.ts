import { quoteIfNeeded } from '../../../adapter/quote-name.ts';
import type { RelationShape } from '../../../ports/query-shape.ts';
import type { Edit } from '../../finding.ts';
import { areKnownQualifiers } from '../../resolve/catalog-names.ts';
import { textOf } from '../../resolve/index.ts';
import type { ResolvedBlock, ResolvedQuery } from '../../resolved-query.ts';
import type { InspectionRule, RuleFinding } from '../../rule.ts';
import { listOf } from './list-of.ts';

/** A relation of FROM that neither WITH nor the catalog has. */
export const unknownRelation: InspectionRule = {
  code: 'unknown-relation',
  severity: 'error',
  title: 'A relation does not exist.',
  check: (query) => query.blocks.flatMap((block) => findingsOf(query, block)),
};

function findingsOf(query: ResolvedQuery, block: ResolvedBlock): RuleFinding[] {
  return block.relations.flatMap((resolved, position): RuleFinding[] => {
    const shape = block.block.relations[position];
    if (resolved.kind !== 'unknown' || shape === undefined) return [];
    const name = textOf(query, shape.span);
    const near = resolved.nearest;
    const [only] = near.length === 1 ? near : [];
    const edits = only === undefined ? undefined : renamed(query, block, position, shape, only);
    const outer = shape.name.slice(0, -1).map(({ text }) => text);
    const isOutside = !areKnownQualifiers(query.catalog, outer);
    return [
      {
        // It may be there, in a schema or database that the catalog was not asked for.
        ...(isOutside ? { severity: 'warning' } : {}),
        message: `There is no relation ${name}.${near.length === 0 ? '' : ` Near names: ${listOf(near)}.`}`,
        advice:
          near.length === 0
            ? `Replace ${name} with relations of the schema.`
            : `Replace ${name} with ${listOf(near, 'or')} or another relation of the schema.`,
        span: shape.span,
        nearestNames: near,
        ...(edits === undefined ? {} : { fix: { description: `Read from ${only}`, edits } }),
      },
    ];
  });
}

/** The name in FROM, and the qualifiers that repeat it. */
function renamed(
  query: ResolvedQuery,
  { block }: ResolvedBlock,
  position: number,
  shape: RelationShape,
  name: string,
): readonly Edit[] | undefined {
  const edits: Edit[] = [{ span: shape.span, text: name }];
  if (shape.alias !== undefined) return edits;
  const bare = name.split('.').length > 1 ? bareName(query, name) : name;
  for (const { columns } of query.shape.blocks)
    for (const { qualifier, relation } of columns) {
      const [first] = qualifier;
      const last = qualifier.at(-1);
      if (first === undefined || last === undefined) continue;
      if (relation?.block !== block.id || relation.relation !== position) continue;
      // One pair of quotes around a whole path leaves no span for its parts.
      if (bare === undefined || new Set(qualifier.map(({ span }) => span.start)).size < qualifier.length)
        return undefined;
      edits.push({ span: { start: first.span.start, end: last.span.end }, text: bare });
    }
  return edits;
}

function bareName(query: ResolvedQuery, qualified: string): string | undefined {
  const found = query.index.schema.relations.find(({ name }) =>
    qualified.endsWith(`.${quoteIfNeeded(name, query.dialect)}`),
  );
  return found === undefined ? undefined : quoteIfNeeded(found.name, query.dialect);
}
