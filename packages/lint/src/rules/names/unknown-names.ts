import {
  type AttributeId,
  type Edit,
  type Fix,
  type JoinPath,
  quoteIfNeeded,
  type RelationId,
  type Span,
} from '@askema/core';
import type { ColumnShape, RelationRef, RelationShape } from '@askema/sql';
import { areKnownQualifiers } from '../../resolve/catalog-names.ts';
import { attributeName, isSameName, relationLabel, relationName, textOf } from '../../resolve/query-facts.ts';
import type { ResolvedBlock, ResolvedColumn, ResolvedQuery } from '../../resolve/resolved-query.ts';
import type { InspectionRule, RuleFinding } from '../rule.ts';

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

type Unknown = Extract<ResolvedColumn, { readonly kind: 'unknown' }>;

/** Relations elsewhere that a message names. */
const MAX_ELSEWHERE = 3;

/** A column that no relation in sight has. */
export const unknownColumn: InspectionRule = {
  code: 'unknown-column',
  severity: 'error',
  title: 'A column does not exist in the relations that the statement reads.',
  check: (query) =>
    query.blocks.flatMap((block) =>
      block.columns.flatMap((resolved, index) => {
        const shape = block.block.columns[index];
        return resolved.kind === 'unknown' && shape !== undefined ? [describe(query, block, shape, resolved)] : [];
      }),
    ),
};

function describe(query: ResolvedQuery, block: ResolvedBlock, shape: ColumnShape, resolved: Unknown): RuleFinding {
  const { span } = shape;
  const base = { span, nearestNames: resolved.nearest };
  const name = textOf(query, shape.name.span);
  const owners = ownersInSight(query, block, shape, resolved.relation);
  const alias = hiddenAlias(query, block, shape);
  if (alias !== undefined)
    return {
      ...base,
      message: `${name} is a name that the select list gives, and ${query.dialect.displayName} does not know it in ${placeOf(shape)}.`,
      advice: `Write the expression of ${name} out, or compute it in a sub-query or CTE first.`,
    };
  const comma = hiddenByComma(query, block, shape, resolved);
  if (comma !== undefined) return { ...base, ...comma };
  const subject = subjectOf(query, shape, resolved);
  if (shape.qualifier.length > 0 && owners.length > 0) {
    const hidden = owners.filter((ref) => isNamedLike(query, ref, shape));
    const labels = (hidden.length === 1 ? hidden : owners).map((ref) => relationLabel(query, ref));
    const [only] = labels.length === 1 ? labels : [];
    return {
      ...base,
      message: `${subject} ${listOf(labels)} ${labels.length === 1 ? 'has' : 'have'} ${name}.`,
      advice: `Write ${listOf(
        labels.map((label) => `${label}.${name}`),
        'or',
      )}.`,
      ...(only === undefined ? {} : { fix: qualifierFix(shape, only, name) }),
    };
  }
  const places = placesElsewhere(query, block, resolved);
  const near = resolved.relation === undefined && shape.qualifier.length > 0 ? [] : resolved.nearest;
  const fix = places.length > 0 ? undefined : nameFix(query, block, shape, near);
  const first = places[0];
  const join = first === undefined ? undefined : joinAdvice(query, block, first);
  const written = near.map((one) => quoteIfNeeded(one, query.dialect));
  const others = near.length === 0 ? '' : ` Near names: ${listOf(written)}.`;
  const names = places.map((id) => relationName(query, id));
  return {
    ...base,
    message: `${subject}${names.length === 0 ? '' : ` ${name} is in ${listOf(names)}, which ${names.length === 1 ? 'is' : 'are'} not joined.`}${others}`,
    advice: adviceOf(textOf(query, span), written, names, join),
    ...(fix === undefined ? {} : { fix }),
  };
}

function subjectOf(query: ResolvedQuery, shape: ColumnShape, resolved: Unknown): string {
  const name = textOf(query, shape.name.span);
  if (resolved.relation !== undefined) {
    const label = relationLabel(query, resolved.relation);
    const relation = query.blocks[resolved.relation.block]?.relations[resolved.relation.relation];
    const id = relation?.kind === 'relation' ? relationName(query, relation.id) : label;
    return `${label}${id.toLowerCase() === label.toLowerCase() ? '' : ` (${id})`} has no column ${name}.`;
  }
  const first = shape.qualifier[0];
  const last = shape.qualifier.at(-1);
  if (first === undefined || last === undefined) return `No relation in FROM has a column ${name}.`;
  return `No relation in FROM is called ${textOf(query, { start: first.span.start, end: last.span.end })}.`;
}

function adviceOf(
  column: string,
  near: readonly string[],
  places: readonly string[],
  join: string | undefined,
): string {
  const choices: string[] = [];
  if (near.length > 0) choices.push(`use ${listOf(near, 'or')} in its place`);
  if (join !== undefined) choices.push(`add ${join}`);
  else if (places.length > 0) choices.push(`join ${listOf(places, 'or')}`);
  if (choices.length === 0) return `Replace ${column} with a column of the schema, or leave it out.`;
  const text = choices.join(', or ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** Relations of the same FROM that have a column of this name, other than the one that was named. */
function ownersInSight(
  query: ResolvedQuery,
  block: ResolvedBlock,
  { name }: ColumnShape,
  named: RelationRef | undefined,
): readonly RelationRef[] {
  return block.relations.flatMap((resolved, position) => {
    if (named?.block === block.block.id && named.relation === position) return [];
    const has = columnNamesOf(query, resolved).some((other) => isSameName(query, other, name));
    return has ? [{ block: block.block.id, relation: position }] : [];
  });
}

/** An alias hides the name that the qualifier uses. */
function isNamedLike(query: ResolvedQuery, ref: RelationRef, { qualifier }: ColumnShape): boolean {
  const written = query.shape.blocks[ref.block]?.relations[ref.relation]?.name.at(-1);
  const used = qualifier.at(-1);
  return written !== undefined && used !== undefined && isSameName(query, written, used);
}

function columnNamesOf(query: ResolvedQuery, resolved: ResolvedBlock['relations'][number]): readonly string[] {
  if (resolved.kind === 'relation') return query.index.attributesOf(resolved.id).map(({ name }) => name);
  if (resolved.kind !== 'block') return [];
  return (query.blocks[resolved.block]?.outputs ?? []).flatMap(({ name }) => name ?? []);
}

/** The relation has the column, but a comma hides it from ON: a JOIN binds tighter. */
function hiddenByComma(
  query: ResolvedQuery,
  { block }: ResolvedBlock,
  { name }: ColumnShape,
  { relation }: Unknown,
): Pick<RuleFinding, 'message' | 'advice' | 'fix'> | undefined {
  if (relation?.block !== block.id) return undefined;
  const resolved = query.blocks[block.id]?.relations[relation.relation];
  const has = resolved !== undefined && columnNamesOf(query, resolved).some((other) => isSameName(query, other, name));
  if (!has) return undefined;
  const label = relationLabel(query, relation);
  const edits = block.joins
    .filter(({ kind, relation: added }) => kind === 'comma' && added > relation.relation)
    .map(({ span }) => ({ span: { start: span.start, end: span.start + 1 }, text: ' CROSS JOIN' }));
  return {
    message: `${label} is not visible in this ON: JOIN binds tighter than the comma between ${label} and it.`,
    advice: `Write CROSS JOIN in place of the comma, or put ${label} directly before the JOIN.`,
    fix: { description: 'Write CROSS JOIN in place of the comma', edits },
  };
}

/** The item whose alias stands in a clause that must not use it. */
function hiddenAlias(
  query: ResolvedQuery,
  { block }: ResolvedBlock,
  { qualifier, name }: ColumnShape,
): number | undefined {
  if (qualifier.length > 0) return undefined;
  const item = block.items.findIndex(({ alias }) => alias !== undefined && isSameName(query, alias, name));
  return item < 0 ? undefined : item;
}

function placeOf({ clause }: ColumnShape): string {
  return clause === 'select' ? 'the select list itself' : clause === 'join' ? 'ON' : clause.toUpperCase();
}

/** Relations beside those of the block that have an attribute of this name. */
function placesElsewhere(query: ResolvedQuery, block: ResolvedBlock, { elsewhere }: Unknown): readonly RelationId[] {
  const here = new Set(block.relations.flatMap((relation) => (relation.kind === 'relation' ? [relation.id] : [])));
  const places = new Set<RelationId>();
  for (const id of elsewhere) {
    const relation = query.index.attribute(id)?.relation;
    if (relation !== undefined && !here.has(relation)) places.add(relation);
  }
  const reachable = [...places].filter((id) => query.index.neighbours(id).some((neighbour) => here.has(neighbour)));
  return (reachable.length > 0 ? reachable : [...places]).slice(0, MAX_ELSEWHERE);
}

function qualifierFix(shape: ColumnShape, label: string, name: string): Fix {
  return { description: `Write ${label}.${name}`, edits: [{ span: qualifierSpan(shape), text: label }] };
}

function qualifierSpan({ qualifier, span }: ColumnShape): Span {
  return { start: qualifier[0]?.span.start ?? span.start, end: qualifier.at(-1)?.span.end ?? span.start };
}

/** The one near name; also the first of several when it differs in case, quotes, underscores and blanks only. */
function nameFix(
  query: ResolvedQuery,
  block: ResolvedBlock,
  shape: ColumnShape,
  near: readonly string[],
): Fix | undefined {
  const bare = (text: string): string => text.toLowerCase().replaceAll(/[\s_]/g, '');
  const same = near.filter((name) => bare(name) === bare(shape.name.text));
  const [only] = same.length === 1 ? same : near.length === 1 ? near : [];
  if (only === undefined || block.block.kind !== 'select') return undefined;
  const text = quoteIfNeeded(only, query.dialect);
  return { description: `Use ${text}`, edits: [{ span: shape.name.span, text }] };
}

/** Ways longer than this are no advice. */
const MAX_STEPS = 3;
/** Relations of FROM from which a way is looked for. */
const MAX_STARTS = 10;

/**
 * The shortest way along foreign keys from the relations of a block to another, as joins; undefined when there is none.
 */
function joinAdvice(query: ResolvedQuery, block: ResolvedBlock, target: RelationId): string | undefined {
  let best: { readonly path: JoinPath; readonly label: string } | undefined;
  for (const [position, resolved] of block.relations.slice(0, MAX_STARTS).entries()) {
    if (resolved.kind !== 'relation') continue;
    const [path] = query.index.joinPaths(resolved.id, target, { limit: 1, maxSteps: MAX_STEPS });
    if (path === undefined || path.length === 0 || path.length >= (best?.path.length ?? MAX_STEPS + 1)) continue;
    best = { path, label: relationLabel(query, { block: block.block.id, relation: position }) };
  }
  if (best === undefined) return undefined;
  const labels = new Map<RelationId, string>();
  const [first] = best.path;
  if (first !== undefined) labels.set(first.from, best.label);
  const labelOf = (id: RelationId): string => labels.get(id) ?? relationName(query, id);
  return best.path
    .map(({ to, foreignKey, from }) => {
      const write = (relation: RelationId, attribute: AttributeId): string =>
        `${labelOf(relation)}.${attributeName(query, attribute)}`;
      const isForward = foreignKey.relation === from;
      const pairs = foreignKey.pairs.map((pair) =>
        isForward
          ? `${write(from, pair.from)} = ${write(to, pair.to)}`
          : `${write(from, pair.to)} = ${write(to, pair.from)}`,
      );
      return `JOIN ${relationName(query, to)} ON ${pairs.join(' AND ')}`;
    })
    .join(' ');
}

/** Names as part of a sentence: `a`, `a and b`, `a, b and c`. */
export function listOf(names: readonly string[], word: 'and' | 'or' = 'and'): string {
  if (names.length <= 1) return names[0] ?? '';
  return `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`;
}
