import * as z from 'zod';

export type SpiderHardness = 'easy' | 'medium' | 'hard' | 'extra';

const unit = z.array(z.unknown());
/** Units at even places, `and` or `or` between them. */
const condition = z.array(z.union([unit, z.string()]));
/** The tree of a statement as the releases of Spider have it in `sql`. */
const tree = z.object({
  select: z.tuple([z.unknown(), z.array(unit)]),
  from: z.object({ table_units: z.array(z.unknown()), conds: condition }),
  where: condition,
  groupBy: z.array(unit),
  having: condition,
  orderBy: z.union([z.tuple([z.unknown(), z.array(unit)]), z.array(z.unknown()).max(0)]),
  limit: z.unknown().optional(),
  intersect: z.unknown().optional(),
  union: z.unknown().optional(),
  except: z.unknown().optional(),
});

type Tree = z.infer<typeof tree>;

const LIKE = 9;

/**
 * How hard a statement is by Spider's own rule, from the tree that its releases carry; undefined for what is no such tree. It counts
 * clauses, joins, OR and LIKE (1), nested statements (2), and whether there are several aggregates, columns, conditions and groups (3).
 * The rule: https://github.com/taoyds/spider, evaluation.py, `eval_hardness`, with what it counts by accident: all of HAVING,
 * its `and` as well, are aggregates to it, and so are negated conditions.
 */
export function spiderHardness(value: unknown): SpiderHardness | undefined {
  const parsed = tree.safeParse(value);
  if (!parsed.success) return undefined;
  const clauses = countClauses(parsed.data);
  const nested = countNested(parsed.data);
  const several = countSeveral(parsed.data);
  if (nested === 0) {
    if (clauses <= 1 && several === 0) return 'easy';
    if ((clauses <= 1 && several <= 2) || (clauses <= 2 && several < 2)) return 'medium';
    if ((clauses <= 2 && several > 2) || (clauses === 3 && several <= 2)) return 'hard';
  }
  return clauses <= 1 && several === 0 && nested <= 1 ? 'hard' : 'extra';
}

function conditionsOf({ from, where, having }: Tree): Tree['where'] {
  return [from.conds, where, having].flatMap((part) => part.filter((_, at) => at % 2 === 0));
}

function countClauses(statement: Tree): number {
  const { from, where, having, groupBy, orderBy, limit } = statement;
  const clauses = [where.length > 0, groupBy.length > 0, orderBy.length > 0, limit !== null && limit !== undefined];
  const joins = Math.max(0, from.table_units.length - 1);
  const ors = [from.conds, where, having].flatMap((part) => part.filter((word, at) => at % 2 === 1 && word === 'or'));
  const likes = conditionsOf(statement).filter((entry) => entry[1] === LIKE);
  return clauses.filter(Boolean).length + joins + ors.length + likes.length;
}

function countNested(statement: Tree): number {
  const values = conditionsOf(statement).flatMap((entry) => [entry[3], entry[4]]);
  const isTree = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
  const { intersect, union, except } = statement;
  return (
    values.filter(isTree).length +
    [intersect, union, except].filter((part) => part !== null && part !== undefined).length
  );
}

function countSeveral({ select, where, groupBy, orderBy, having }: Tree): number {
  const ordered = orderBy.length === 2 ? (orderBy[1] as readonly (readonly unknown[])[]) : [];
  const sorted = ordered.flatMap((entry) => [entry[1], entry[2]].filter(Array.isArray));
  const units = [...select[1], ...where.filter((_, at) => at % 2 === 0), ...groupBy, ...sorted, ...having];
  // The first member is the number of the aggregate, 0 for none; of a condition it is whether it is negated.
  const aggregates = units.filter((entry) => entry[0] !== 0 && entry[0] !== false).length;
  return [aggregates > 1, select[1].length > 1, where.length > 1, groupBy.length > 1].filter(Boolean).length;
}
