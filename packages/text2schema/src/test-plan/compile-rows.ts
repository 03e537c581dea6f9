import type { AttributeId, JoinPath, JoinStep, RelationId } from '@askema/core';
import { findPlace, isOwned, noPlace } from './compile-attribute.ts';
import { attributeSql, type CompileGround, CompileProblem, namesOf, relationSql } from './compile-ground.ts';
import type { Target } from './compile-target.ts';
import { foldWords } from './fold-words.ts';

/** An attribute that a row of the target has, itself or by joins. */
export interface ReachedAttribute {
  readonly attribute: AttributeId;
  readonly path: JoinPath;
}

/** Attributes of relations further away are no attributes of the target in anybody's words. */
const MAX_JOINS = 4;

/**
 * Where a query finds an attribute: in the target, in its parts, or in a related relation along foreign keys, the
 * nearest one.
 *
 * @throws CompileProblem where there is none, or several are equally near.
 */
export function reachAttribute(ground: CompileGround, target: Target, name: string): ReachedAttribute {
  const place = findPlace(ground, target, name);
  if (place?.kind === 'referred') {
    const { foreignKey, attribute } = place;
    const step: JoinStep = { from: target.main, to: foreignKey.target, foreignKey, direction: 'forward' };
    return { attribute: attribute.id, path: [step] };
  }
  if (place !== undefined)
    return { attribute: place.attribute.id, path: onlyPath(ground, target, place.attribute.relation, name) };
  const folded = foldWords(name);
  const related = ground.design.schema.relations
    .filter(({ id }) => !target.relations.includes(id))
    .flatMap(({ id }) => {
      const owners = namesOf(ground, id).map(foldWords);
      const key = ground.index.primaryKey(id)?.attributes ?? [];
      return ground.index
        .attributesOf(id)
        .filter((attribute) => {
          const known = foldWords(attribute.name);
          const isKey = key.length === 1 && key[0] === attribute.id && owners.includes(folded);
          return known === folded || isKey || isOwned(known, folded, owners);
        })
        .map((attribute) => ({ attribute: attribute.id, relation: id, joins: joinsTo(ground, target.main, id) }));
    })
    .filter(({ joins }) => joins <= MAX_JOINS);
  const nearest = Math.min(...related.map(({ joins }) => joins));
  const [first, second] = related.filter(({ joins }) => joins === nearest);
  if (first === undefined) throw noPlace(ground, target, name);
  if (second !== undefined)
    throw new CompileProblem(
      'qa-engineer',
      `${JSON.stringify(name)} may be an attribute of ${JSON.stringify(nameOf(ground, first.relation))} or of ${JSON.stringify(nameOf(ground, second.relation))}; write the one that is meant.`,
    );
  return { attribute: first.attribute, path: onlyPath(ground, target, first.relation, name) };
}

function joinsTo({ index }: CompileGround, from: RelationId, to: RelationId): number {
  return index.joinPaths(from, to, { limit: 1, maxSteps: MAX_JOINS })[0]?.length ?? Number.POSITIVE_INFINITY;
}

function onlyPath(ground: CompileGround, target: Target, to: RelationId, name: string): JoinPath {
  const paths = ground.index.joinPaths(target.main, to, { limit: 20, maxSteps: MAX_JOINS });
  const inside = paths.filter((path) => path.every((step) => target.relations.includes(step.to)));
  const candidates = inside.length > 0 ? inside : paths;
  const [first] = candidates;
  if (first === undefined)
    throw new CompileProblem(
      'conceptual-designer',
      `No foreign keys lead from ${JSON.stringify(target.name)} to ${JSON.stringify(name)}.`,
    );
  if (candidates.length === 1) return first;
  // Two references to one relation: the one whose attribute the name begins with (`Buyer Name`).
  const folded = foldWords(name);
  const named = candidates.filter((path) =>
    path.some(({ foreignKey }) =>
      foreignKey.pairs.some(({ from, to: far }) => {
        const near = foldWords(ground.index.attribute(from)?.name ?? '');
        const key = foldWords(ground.index.attribute(far)?.name ?? '');
        const role = near.endsWith(key) ? near.slice(0, near.length - key.length) : near;
        return role !== '' && folded.startsWith(role);
      }),
    ),
  );
  if (named.length === 1 && named[0] !== undefined) return named[0];
  throw new CompileProblem(
    'qa-engineer',
    `Several foreign keys lead from ${JSON.stringify(target.name)} to ${JSON.stringify(name)}; write which one is meant.`,
  );
}

function nameOf({ index }: CompileGround, relation: RelationId): string {
  return index.relation(relation)?.name ?? relation;
}

/** The rows of a target with what is joined to them: FROM, and columns with their aliases. */
export class JoinedRows {
  readonly ground: CompileGround;
  readonly main: RelationId;
  private readonly prefix: string;
  private readonly aliases = new Map<string, string>();
  private readonly joins: string[] = [];

  constructor(ground: CompileGround, main: RelationId) {
    this.ground = ground;
    this.main = main;
    const isTaken = ground.design.schema.relations.some(({ name }) => /^t\d+$/i.test(name));
    this.prefix = isTaken ? 'joined_row_' : 't';
    this.aliases.set('', `${this.prefix}1`);
  }

  column({ attribute, path }: ReachedAttribute): string {
    return `${this.alias(path)}.${attributeSql(this.ground, attribute)}`;
  }

  alias(path: JoinPath): string {
    const key = path.map(({ foreignKey, direction }) => `${direction} ${foreignKey.id}`).join('\n');
    const known = this.aliases.get(key);
    if (known !== undefined) return known;
    const step = path.at(-1);
    const from = this.alias(path.slice(0, -1));
    const alias = `${this.prefix}${this.aliases.size + 1}`;
    this.aliases.set(key, alias);
    if (step === undefined) return alias;
    const on = step.foreignKey.pairs.map((pair) => {
      const [near, far] = step.direction === 'forward' ? [pair.from, pair.to] : [pair.to, pair.from];
      return `${from}.${attributeSql(this.ground, near)} = ${alias}.${attributeSql(this.ground, far)}`;
    });
    // A row without what it may refer to is still a row; one that nothing refers to has no row on the other side.
    const kind = step.direction === 'forward' ? 'LEFT JOIN' : 'JOIN';
    this.joins.push(` ${kind} ${relationSql(this.ground, step.to)} AS ${alias} ON ${on.join(' AND ')}`);
    return alias;
  }

  /** Call it when all columns have been asked for. */
  from(): string {
    return `FROM ${relationSql(this.ground, this.main)} AS ${this.aliases.get('')}${this.joins.join('')}`;
  }
}
