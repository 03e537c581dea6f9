import type { AttributeId, ForeignKey } from '@askema/core';
import type { TestCase, TestCell } from '../model/test-plan.ts';
import { meantCells, updateStatement, withNotice } from './compile-change.ts';
import { type CompileGround, CompileProblem, namesOf } from './compile-ground.ts';
import { type KeySupply, writtenCells } from './compile-insert.ts';
import type { Target } from './compile-target.ts';
import type { CompiledCase } from './compiled-case.ts';
import { foldWords } from './fold-words.ts';
import { type Bound, type Condition, selectStatement, typeOf } from './statement.ts';

/**
 * An insert into a relationship set that is a foreign key: the row on the many side must be there, its foreign key
 * empty; then it is written. A relationship that is there already, or another one in its place, is refused by the shape
 * of the schema itself.
 *
 * @throws CompileProblem
 */
export function compileConnect(
  ground: CompileGround,
  target: Target,
  cells: readonly TestCell[],
  keys: KeySupply,
): CompiledCase {
  const { values, steps, notices } = writtenCells(ground, target, cells, keys);
  const key = keyOf(ground, target, values);
  const written = new Map([...values].filter(([attribute]) => !key.some((cell) => cell.attribute === attribute)));
  const references = ground.index.foreignKeysFrom(target.main).flatMap(({ pairs }) => pairs.map(({ from }) => from));
  const wanted = [...written].flatMap(([attribute, value]) =>
    references.includes(attribute)
      ? [
          {
            name: ground.index.attribute(attribute)?.name ?? attribute,
            type: typeOf(ground, attribute),
            value,
            attribute,
          },
        ]
      : [],
  );
  if (wanted.length === 0)
    throw new CompileProblem(
      'qa-engineer',
      `The row of ${JSON.stringify(target.name)} does not say what ${JSON.stringify(nameOf(ground, target))} is connected with.`,
    );
  const where = key.map(({ attribute, value }) => ({ attribute, value, path: [] }));
  const statement = selectStatement(
    ground,
    target.main,
    wanted.map(({ attribute }) => attribute),
    key,
  );
  return {
    steps: [
      ...steps,
      { kind: 'vacant', statement, wanted, subject: nameOf(ground, target) },
      { kind: 'write', statement: updateStatement(ground, target, target.main, written, where) },
    ],
    notices: withNotice(target, notices),
  };
}

/** A delete from such a relationship set: its foreign key is emptied. */
export function compileDisconnect(ground: CompileGround, target: Target, { where }: TestCase): CompiledCase {
  const { cells, notices } = meantCells(ground, target, where);
  const emptied = new Map<AttributeId, Bound>();
  for (const { pairs } of relationshipKeys(ground, target)) for (const { from } of pairs) emptied.set(from, null);
  if (emptied.size === 0)
    throw new CompileProblem(
      'qa-engineer',
      `Which foreign key of ${JSON.stringify(nameOf(ground, target))} holds ${JSON.stringify(target.name)} cannot be told.`,
    );
  return {
    steps: [{ kind: 'write', statement: updateStatement(ground, target, target.main, emptied, cells) }],
    notices: withNotice(target, notices),
  };
}

/**
 * The foreign keys that hold a relationship set: by its participants in the conceptual model, else the only one that is
 * no part of the primary key. Empty where that does not tell.
 */
export function relationshipKeys(ground: CompileGround, target: Target): readonly ForeignKey[] {
  const keys = ground.index.foreignKeysFrom(target.main);
  const named = foldWords(target.relationship ?? '');
  const set = ground.conceptual?.relationshipSets.find(({ name }) => foldWords(name) === named);
  if (set !== undefined) {
    const own = namesOf(ground, target.main).map(foldWords);
    const many = set.participants.findIndex(
      ({ entity, cardinality }) => cardinality === 'many' && own.includes(foldWords(entity)),
    );
    const self = many >= 0 ? many : set.participants.findIndex(({ entity }) => own.includes(foldWords(entity)));
    const others = set.participants.filter((_, at) => at !== self);
    const found = others.map(({ entity, role }) => {
      const candidates = keys.filter((key) => namesOf(ground, key.target).map(foldWords).includes(foldWords(entity)));
      const words = [role, set.name].filter((word) => word !== undefined).map(foldWords);
      const spoken = candidates.filter((key) => words.some((word) => nearName(ground, key).includes(word)));
      return candidates.length === 1 ? candidates[0] : spoken.length === 1 ? spoken[0] : undefined;
    });
    const certain = found.filter((key) => key !== undefined);
    if (certain.length === others.length) return certain;
  }
  const primary = ground.index.primaryKey(target.main)?.attributes ?? [];
  const free = keys.filter(({ pairs }) => !pairs.every(({ from }) => primary.includes(from)));
  return free.length === 1 ? free : [];
}

function nearName({ index }: CompileGround, { pairs }: ForeignKey): string {
  return pairs.map(({ from }) => foldWords(index.attribute(from)?.name ?? '')).join('');
}

/** The cells that say which row is meant: a candidate key of the many side, the primary one first. */
function keyOf(ground: CompileGround, target: Target, values: ReadonlyMap<AttributeId, Bound>): readonly Condition[] {
  const attributes = ground.index.attributesOf(target.main);
  const primary = ground.index.primaryKey(target.main)?.attributes ?? [];
  const candidates = (ground.designed.get(target.main)?.candidateKeys ?? []).map((key) =>
    key.flatMap((name) => attributes.find((attribute) => attribute.name === name)?.id ?? []),
  );
  for (const key of [primary, ...candidates]) {
    const cells = key.flatMap((attribute): Condition[] => {
      const value = values.get(attribute);
      return value === undefined ? [] : [{ attribute, value }];
    });
    if (key.length > 0 && cells.length === key.length) return cells;
  }
  throw new CompileProblem(
    'qa-engineer',
    `The row of ${JSON.stringify(target.name)} does not say which ${JSON.stringify(nameOf(ground, target))} is meant; give ${primary.map((id) => JSON.stringify(ground.index.attribute(id)?.name ?? id)).join(', ')}.`,
  );
}

function nameOf(ground: CompileGround, { main }: Target): string {
  return ground.index.relation(main)?.name ?? main;
}
