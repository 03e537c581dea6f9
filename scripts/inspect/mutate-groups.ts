import { edited, type Mutation, type MutationSource, selectsOf, shuffled } from './mutation.ts';

/** GROUP BY is taken out; HAVING stays. */
export function* missingGroups({ sql, shape, random }: MutationSource): Iterable<Mutation> {
  for (const block of shuffled(selectsOf(shape), random)) {
    const span = block.clauses['group by'];
    if (span === undefined) continue;
    const isAggregated = block.items.some(({ isAggregate }) => isAggregate);
    const subKind =
      block.clauses.having !== undefined
        ? 'with HAVING'
        : isAggregated
          ? 'aggregate in SELECT'
          : block.calls.some(({ kind, clause }) => kind === 'aggregate' && clause === 'order by')
            ? 'aggregate in ORDER BY'
            : 'no aggregate';
    yield { kind: 'missing-group-by', subKind, sql: edited(sql, [{ span, text: ' ' }]) };
  }
}
