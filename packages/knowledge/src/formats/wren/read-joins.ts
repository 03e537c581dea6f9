import { sameName } from '../../model/same-name.ts';
import type { Relationship } from '../../model/semantic-model.ts';
import { plainName } from '../expression-text.ts';
import { columnOf } from './read-models.ts';
import { READ_KEYS, type WrenModel, type WrenRelationship } from './wren-file.ts';
import { type Losses, type Part, standingOf } from './wren-parts.ts';

const NAME = String.raw`("[^"]+"|\w+)`;
const PAIR = new RegExp(String.raw`^\(?\s*${NAME}\s*\.\s*${NAME}\s*=\s*${NAME}\s*\.\s*${NAME}\s*\)?$`);

/** A join from many to one, over columns of the tables; undefined with a loss for what repeats rows. */
export function readJoin(
  { content: join, origin }: Part<WrenRelationship>,
  models: ReadonlyMap<string, WrenModel>,
  losses: Losses,
): Relationship | undefined {
  const entry = `relationship ${join.name}`;
  const leaveOut = (reason: string): undefined => {
    losses.lose(origin, ['condition'], entry, reason);
  };
  const [left, right] = join.models.map((name) => models.get(name.toLowerCase()));
  if (left === undefined || right === undefined) return leaveOut(`One of ${join.models.join(', ')} is not there.`);
  if (join.join_type === 'MANY_TO_MANY')
    return leaveOut('Many rows on both sides: a join over it repeats rows. Model the table in between.');
  const pairs = join.condition.split(/\s+AND\s+/i).map((condition) => pairOf(condition, left, right));
  if (!pairs.every((pair) => pair !== undefined))
    return leaveOut(`Only equal columns of the two models are read; its condition is \`${join.condition}\`.`);
  losses.loseUnread(origin, [], join, READ_KEYS.relationship, entry);
  const leftSide = { name: left.name, columns: pairs.map((pair) => pair.left) };
  const rightSide = { name: right.name, columns: pairs.map((pair) => pair.right) };
  const [from, to] = join.join_type === 'ONE_TO_MANY' ? [rightSide, leftSide] : [leftSide, rightSide];
  return {
    name: join.name,
    from: from.name,
    to: to.name,
    fromColumns: from.columns,
    toColumns: to.columns,
    isOneToOne: join.join_type === 'ONE_TO_ONE' ? true : undefined,
    extensions: [],
    standing: standingOf(origin),
  };
}

/** `orders.customer_id = customers.id`, whichever side stands first. */
function pairOf(condition: string, left: WrenModel, right: WrenModel): { left: string; right: string } | undefined {
  const found = PAIR.exec(condition.trim());
  if (found === null) return undefined;
  const [a = '', aColumn = '', b = '', bColumn = ''] = found.slice(1).map(plainName);
  const [leftColumn, rightColumn] =
    sameName(a, left.name) && sameName(b, right.name)
      ? [aColumn, bColumn]
      : sameName(a, right.name) && sameName(b, left.name)
        ? [bColumn, aColumn]
        : [];
  if (leftColumn === undefined || rightColumn === undefined) return undefined;
  return { left: columnOf(left.columns ?? [], leftColumn), right: columnOf(right.columns ?? [], rightColumn) };
}
