import type { Catalog } from '../catalog/catalog.ts';
import { countTokensRoughly } from '../ports/count-tokens-roughly.ts';
import type { AttributeId, RelationId } from '../schema/schema.ts';
import { indexSchema } from '../schema/schema-index.ts';
import type { CompressedCatalog, CompressOptions, Compressor } from './compressor.ts';
import { oneLine } from './one-line.ts';
import { rankRelations } from './rank-relations.ts';
import type { RenderInput } from './render-relation.ts';
import { relationName, renderRelation } from './render-relation.ts';
import { STANDARD_IDENTIFIERS, STANDARD_LEXER } from './standard-identifiers.ts';

const GAP_CHARACTERS = 240;

/** A name list at the end of a cut catalog is itself cut after so many characters. */
const OMITTED_CHARACTERS = 2_000;

/**
 * The default compressor: the whole catalog as prompt text, one CREATE TABLE of short lines for each relation, in the order of
 * the catalog. It ends with what the catalog could not read.
 *
 * With `maxTokens` the relations that share most words with the question, and their key neighbours, stay; the others stand in
 * `omitted` and by name in the last line. A relation stays whole or goes: when not even one fits, only names are left.
 */
export const renderCatalog: Compressor = (catalog, options = {}) => {
  const input = prepare(catalog, options);
  const count = options.countTokens ?? countTokensRoughly;
  const gaps = catalog.incomplete.map(({ subject, reason }) =>
    oneLine(`-- Not read: ${subject}: ${reason}`, GAP_CHARACTERS),
  );
  const blocks = catalog.schema.relations.map(({ id }) => ({ id, text: renderRelation(input, id) }));
  const whole = [...blocks.map((block) => block.text), ...gaps].join('\n\n');
  const fits = options.maxTokens === undefined || count(whole) <= options.maxTokens;
  const { text, omitted } = fits ? { text: whole, omitted: [] } : fitBudget(input, blocks, gaps, options);
  return {
    text,
    tokens: count(text),
    families: catalog.families,
    omitted,
    expand: (name) => expand(input, name),
  } satisfies CompressedCatalog;
};

function prepare(catalog: Catalog, options: CompressOptions): RenderInput {
  const uniqueKeys = new Map<RelationId, (readonly AttributeId[])[]>();
  for (const key of catalog.uniqueKeys) {
    if (key.attributes.length < 2) continue;
    const keys = uniqueKeys.get(key.relation);
    if (keys === undefined) uniqueKeys.set(key.relation, [key.attributes]);
    else keys.push(key.attributes);
  }
  const checks = new Map<RelationId, string[]>();
  for (const { relation, expression } of catalog.checks) {
    const expressions = checks.get(relation);
    if (expressions === undefined) checks.set(relation, [expression]);
    else expressions.push(expression);
  }
  const dialect = options.dialect ?? { identifiers: standardIdentifiers(catalog), lexer: STANDARD_LEXER };
  return { catalog, index: indexSchema(catalog), dialect, samples: options.samples ?? {}, uniqueKeys, checks };
}

/** Where stored names compare exactly, an unquoted name may be folded either way: all are quoted. */
const QUOTE_ALL = { ...STANDARD_IDENTIFIERS, plainPattern: '(?!)' };

function standardIdentifiers({ nameComparison }: Catalog): typeof STANDARD_IDENTIFIERS {
  return nameComparison === 'insensitive' ? STANDARD_IDENTIFIERS : QUOTE_ALL;
}

interface Block {
  readonly id: RelationId;
  readonly text: string;
}

/** The best relations first, each if it still fits into what is left of the budget. */
function chooseBlocks(
  input: RenderInput,
  blocks: readonly Block[],
  budget: number,
  { question, countTokens }: CompressOptions,
): RelationId[] {
  const count = countTokens ?? countTokensRoughly;
  const texts = new Map(blocks.map((block) => [block.id, block.text]));
  const kept: RelationId[] = [];
  let left = budget;
  for (const id of rankRelations(input, question ?? '')) {
    const tokens = count(`${texts.get(id)}\n\n`);
    if (tokens > left) continue;
    left -= tokens;
    kept.push(id);
  }
  return kept;
}

function fitBudget(input: RenderInput, blocks: readonly Block[], gaps: readonly string[], options: CompressOptions) {
  const maxTokens = options.maxTokens ?? Number.POSITIVE_INFINITY;
  const count = options.countTokens ?? countTokensRoughly;
  const compose = (kept: readonly RelationId[]) => {
    const chosen = new Set(kept);
    const omitted = blocks.filter(({ id }) => !chosen.has(id)).map(({ id }) => id);
    const texts = blocks.filter(({ id }) => chosen.has(id)).map(({ text }) => text);
    const list = omittedLine(input, omitted, Math.min(OMITTED_CHARACTERS, maxTokens));
    return { text: [...texts, list, ...gaps].join('\n\n'), omitted };
  };
  // The names of what is left out, and the gaps, are paid for first. Token counts need not add up: what is too much goes again.
  const kept = chooseBlocks(input, blocks, maxTokens - count(compose([]).text), options);
  let composed = compose(kept);
  while (kept.length > 0 && count(composed.text) > maxTokens) {
    kept.pop();
    composed = compose(kept);
  }
  return composed;
}

function omittedLine(input: RenderInput, omitted: readonly RelationId[], maxCharacters: number): string {
  const names = omitted.map((id) => relationName(input, id)).join(', ');
  return `-- ${omitted.length} more relation${omitted.length === 1 ? '' : 's'} without details: ${oneLine(names, maxCharacters)}`;
}

function expand(input: RenderInput, name: string): string | undefined {
  const found = input.index.relation(name);
  const relations = found === undefined ? input.index.relationsNamed(name) : [found];
  return relations.length === 0 ? undefined : relations.map(({ id }) => renderRelation(input, id)).join('\n\n');
}
