import { type ForeignKey, indexSchema, isAskemaError, type Relation, type SchemaIndex } from '@askema/core';
import { attributesText, normalFormOf, verifyCertificate } from '@askema/normal-form';
import type { DesignedRelation, LogicalDesign } from '../model/logical-design.ts';
import { blocks, inline, list, table } from './markdown.ts';
import type { ReportTexts } from './report-texts.ts';

/** Each relation with its keys, foreign keys, types and normal form. */
export function logicalSection(texts: ReportTexts, design: LogicalDesign): string {
  const index = indexSchema(design.schema);
  const designed = new Map(design.relations.map((each) => [each.relation, each]));
  return blocks(
    ...design.schema.relations.map((relation) => relationBlock(texts, index, relation, designed.get(relation.id))),
  );
}

function relationBlock(
  texts: ReportTexts,
  index: SchemaIndex,
  { id, name }: Relation,
  designed: DesignedRelation | undefined,
): string {
  const { columns, labels } = texts;
  const attributes = index.attributesOf(id);
  const key = index.primaryKey(id)?.attributes ?? [];
  const foreignKeys = index.foreignKeysFrom(id);
  const rows = attributes.map((attribute) => [
    attribute.name,
    attribute.type,
    key.includes(attribute.id) ? labels.primaryKey : '',
    foreignKeys
      .filter(({ pairs }) => pairs.some(({ from }) => from === attribute.id))
      .map((foreignKey) => referenceOf(index, foreignKey, attribute.id))
      .join(texts.comma),
    index
      .constraintsOn(attribute.id)
      .map((constraint) => (constraint === 'unique' ? labels.unique : labels.notNull))
      .join(texts.comma),
  ]);
  const composite = foreignKeys
    .filter(({ pairs }) => pairs.length > 1)
    .map((foreignKey) => `- ${compositeText(index, foreignKey)}`);
  return blocks(
    `### ${inline(name)}`,
    table([columns.attribute, columns.type, columns.key, columns.references, columns.constraints], rows),
    composite.length > 0 && `${labels.foreignKeys}${texts.colon.trimEnd()}\n\n${composite.join('\n')}`,
    designed &&
      factsOf(
        texts,
        designed,
        attributes.map((attribute) => attribute.name),
      ),
  );
}

function referenceOf(index: SchemaIndex, { target, pairs }: ForeignKey, attribute: string): string {
  const pair = pairs.find(({ from }) => from === attribute);
  const far = pair === undefined ? undefined : index.attribute(pair.to)?.name;
  return `${index.relation(target)?.name ?? target}(${far ?? ''})`;
}

function compositeText(index: SchemaIndex, { target, pairs }: ForeignKey): string {
  const names = (ids: readonly string[]): string => ids.map((id) => index.attribute(id)?.name ?? id).join(', ');
  const near = names(pairs.map(({ from }) => from));
  const far = names(pairs.map(({ to }) => to));
  return inline(`(${near}) → ${index.relation(target)?.name ?? target}(${far})`);
}

function factsOf(texts: ReportTexts, designed: DesignedRelation, attributes: readonly string[]): string {
  const { labels, colon, comma } = texts;
  const { source, absorbed, candidateKeys, dependencies, name } = designed;
  const keys = candidateKeys.map((key) =>
    key.length === attributes.length && key.length > 1 ? `{${texts.allKey}}` : `{${key.join(', ')}}`,
  );
  return list([
    ...(source.set === name ? [] : [`${labels.madeFrom}${colon}${inline(source.set)}`]),
    ...(absorbed.length === 0 ? [] : [`${labels.absorbed}${colon}${inline(absorbed.join(comma))}`]),
    `${labels.candidateKeys}${colon}${inline(keys.join(comma) || texts.none)}`,
    `${labels.dependencies}${colon}${dependencies.length === 0 ? texts.noDependencies : dependencies.map(({ left, right }) => inline(`${left.length === 0 ? '∅' : attributesText(left)} → ${attributesText(right)}`)).join('; ')}`,
    `${labels.normalForm}${colon}${formOf(texts, designed, attributes)}`,
  ]);
}

/** Computed anew; a part of a design that was edited may not fit together. */
function formOf(texts: ReportTexts, { name, dependencies }: DesignedRelation, attributes: readonly string[]): string {
  try {
    const { form, complete, violations } = normalFormOf({ name, attributes, dependencies });
    const reason = form === '3NF' || form === 'BCNF' ? undefined : violations[0]?.reason;
    return `${form}${complete ? '' : ` (${texts.normalFormCut})`}${reason === undefined ? '' : ` (${inline(reason)})`}`;
  } catch (thrown) {
    if (isAskemaError(thrown)) return inline(thrown.message);
    throw thrown;
  }
}

/** What the certificates prove, in plain words; they are checked here once more. */
export function certificateSection(texts: ReportTexts, { decompositions }: LogicalDesign): string {
  return list(
    decompositions.map((decomposition) => {
      const set = inline(decomposition.original.name);
      const verdict = verifyCertificate(decomposition);
      if (verdict.valid)
        return texts.proved(
          set,
          decomposition.relations.map(({ name }) => inline(name)),
        );
      return [texts.notProved(set), ...verdict.problems.map(({ message }) => `  - ${inline(message)}`)].join('\n');
    }),
  );
}
