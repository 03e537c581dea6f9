import { didYouMean, type RelationId } from '@askema/core';
import type { SchemaRole } from '../model/role-id.ts';
import { type CompileGround, CompileProblem, namesOf } from './compile-ground.ts';
import { foldWords, isWordForm } from './fold-words.ts';

/** What a target of the plan stands for. */
export interface Target {
  /** As the plan writes it. */
  readonly name: string;
  /** The relation whose rows are meant: each row of the target is one of its rows. */
  readonly main: RelationId;
  /** The relations that hold the facts of the target, `main` first: several where its set was decomposed. */
  readonly relations: readonly RelationId[];
  /** The relationship set, where it has no relation of its own: it is a foreign key of `main`. */
  readonly relationship?: string | undefined;
  /** How the name was read, where that goes beyond its spelling. */
  readonly notice?: string | undefined;
}

type Matches = (name: string) => boolean;

/**
 * Finds what a target names: by spelling, then folded; the relations themselves, then the sets that they were made
 * from, then relationship sets that became foreign keys, then (with notice) other forms of the same words and the
 * participants of a relationship set.
 *
 * @throws CompileProblem
 */
export function compileTarget(ground: CompileGround, name: string): Target {
  const folded = foldWords(name);
  const exactly: Matches = (other) => other === name;
  const alike: Matches = (other) => foldWords(other) === folded;
  const found =
    relationCalled(ground, name, exactly) ??
    setCalled(ground, name, exactly) ??
    relationshipCalled(ground, name, exactly) ??
    relationCalled(ground, name, alike) ??
    setCalled(ground, name, alike) ??
    relationshipCalled(ground, name, alike) ??
    byParticipants(ground, name) ??
    byWordForm(ground, name);
  if (found !== undefined) return found;
  const hint = didYouMean(name, knownTargets(ground));
  throw new CompileProblem(
    roleForTarget(ground, name),
    `No relation holds ${JSON.stringify(name)}.${hint && ` ${hint}`}`,
  );
}

/** A relation by its own name; where the set that it was made from has that name too, all parts of the set. */
function relationCalled(ground: CompileGround, name: string, matches: Matches): Target | undefined {
  const relations = ground.design.schema.relations.filter((relation) => matches(relation.name));
  const [first] = relations;
  if (first === undefined) return undefined;
  if (relations.length > 1)
    throw ambiguous(
      name,
      relations.map((relation) => relation.name),
    );
  const source = ground.designed.get(first.id)?.source.set;
  const parts = source !== undefined && foldWords(source) === foldWords(name) ? partsOf(ground, source) : [first.id];
  return targetOf(ground, name, parts);
}

function setCalled(ground: CompileGround, name: string, matches: Matches): Target | undefined {
  const sets = [...new Set(ground.design.relations.map(({ source }) => source.set).filter(matches))];
  if (sets.length > 1) throw ambiguous(name, sets);
  return sets[0] === undefined ? undefined : targetOf(ground, name, partsOf(ground, sets[0]));
}

function relationshipCalled(
  ground: CompileGround,
  name: string,
  matches: Matches,
  notice?: string,
): Target | undefined {
  const holders = ground.design.relations.flatMap(({ relation, absorbed }) =>
    absorbed.filter(matches).map((relationship) => ({ relation, relationship })),
  );
  const [holder] = holders;
  if (holder === undefined) return undefined;
  if (holders.length > 1)
    throw ambiguous(
      name,
      holders.map(({ relation, relationship }) => `${relationship} (in ${ground.index.relation(relation)?.name})`),
    );
  return { name, main: holder.relation, relations: [holder.relation], relationship: holder.relationship, notice };
}

/** `Student, Course` for the relationship set that connects the two, when it is the only one. */
function byParticipants(ground: CompileGround, name: string): Target | undefined {
  const folded = foldWords(name);
  const listed = name
    .split(/[,，、&+/]|\band\b|和|与/u)
    .map(foldWords)
    .filter((word) => word !== '')
    .sort();
  const sets = (ground.conceptual?.relationshipSets ?? []).filter(({ participants }) => {
    const names = participants.map(({ entity }) => foldWords(entity));
    if (names.join('') === folded || names.toReversed().join('') === folded) return true;
    return names.length > 1 && names.sort().join('\n') === listed.join('\n');
  });
  if (sets.length > 1)
    throw ambiguous(
      name,
      sets.map((set) => set.name),
    );
  return sets[0] === undefined ? undefined : ofSet(ground, name, sets[0].name);
}

function byWordForm(ground: CompileGround, name: string): Target | undefined {
  const sets = new Set<string>();
  for (const { source, absorbed } of ground.design.relations) {
    if (source.kind === 'relationship') sets.add(source.set);
    for (const relationship of absorbed) sets.add(relationship);
  }
  const forms = [...sets].filter((set) => isWordForm(set, name));
  return forms.length === 1 && forms[0] !== undefined ? ofSet(ground, name, forms[0]) : undefined;
}

function ofSet(ground: CompileGround, name: string, set: string): Target | undefined {
  const notice = `${JSON.stringify(name)} was read as the relationship set ${JSON.stringify(set)}.`;
  const target = setCalled(ground, name, (other) => other === set);
  return target === undefined
    ? relationshipCalled(ground, name, (other) => other === set, notice)
    : { ...target, notice };
}

function partsOf({ design }: CompileGround, set: string): RelationId[] {
  return design.relations.filter(({ source }) => source.set === set).map(({ relation }) => relation);
}

/** The main part is the one from which the others are reached along foreign keys. */
function targetOf(ground: CompileGround, name: string, parts: readonly RelationId[]): Target {
  const reached = parts.map((part) => ({ part, parts: reachable(ground, part, parts) }));
  const most = Math.max(...reached.map((entry) => entry.parts.length));
  const best = reached.filter((entry) => entry.parts.length === most);
  const main = best.find(({ part }) => namesOf(ground, part)[0] === name) ?? best[0];
  if (main === undefined) throw new CompileProblem('logical-designer', `No relation holds ${JSON.stringify(name)}.`);
  return { name, main: main.part, relations: main.parts };
}

function reachable({ index }: CompileGround, start: RelationId, within: readonly RelationId[]): readonly RelationId[] {
  const found = new Set([start]);
  for (const relation of found)
    for (const { target } of index.foreignKeysFrom(relation)) if (within.includes(target)) found.add(target);
  return [...found];
}

function knownTargets({ design }: CompileGround): string[] {
  return [
    ...design.schema.relations.map(({ name }) => name),
    ...design.relations.flatMap(({ source, absorbed }) => [source.set, ...absorbed]),
  ];
}

/** The plan is at fault where it speaks of what the report does not know. */
function roleForTarget({ report, conceptual }: CompileGround, name: string): SchemaRole {
  const folded = foldWords(name);
  const sets = [...(conceptual?.entitySets ?? []), ...(conceptual?.relationshipSets ?? [])];
  if (sets.some((set) => foldWords(set.name) === folded)) return 'logical-designer';
  if (report === undefined || report.subjects.some((subject) => foldWords(subject.name) === folded))
    return 'conceptual-designer';
  return report.relationships.some((sentence) => foldWords(sentence).includes(folded))
    ? 'conceptual-designer'
    : 'qa-engineer';
}

function ambiguous(name: string, names: readonly string[]): CompileProblem {
  return new CompileProblem(
    'qa-engineer',
    `${JSON.stringify(name)} may be any of ${names.map((other) => JSON.stringify(other)).join(', ')}; write the one that is meant.`,
  );
}
