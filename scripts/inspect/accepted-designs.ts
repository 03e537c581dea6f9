/**
 * Designs that people accepted, as entity-relationship models: the gold schemas of RSchema read backwards, and the
 * model of the demonstration. The rules of the conceptual design run on them.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ComparedForeignKey, type ComparedRelation, type ComparedSchema, loadSchemaDataset } from '@askema/eval';
import { DEMONSTRATION_MODEL } from '../../packages/text2schema/src/demonstration/music-school.ts';
import type { ConceptualModel, Participant, RelationshipSet } from '../../packages/text2schema/src/index.ts';

const DATA = path.join(
  process.env.ASKEMA_DATA ?? fileURLToPath(new URL('../../../shared/data', import.meta.url)),
  'rschema-dev',
);

export const hasAcceptedDesigns = (): boolean => existsSync(DATA);

/** A model and where it is from. */
export interface AcceptedDesign {
  readonly id: string;
  readonly model: ConceptualModel;
}

/**
 * Gold has no roles and no names of relationship sets: both come from the attributes that refer. `withRoles: false`
 * leaves the roles out, as designers often do where two sets connect the same entity sets.
 */
export async function readAcceptedDesigns({ withRoles }: { readonly withRoles: boolean }): Promise<AcceptedDesign[]> {
  const { items } = await loadSchemaDataset(DATA);
  return [
    ...items.map(({ id, gold }) => ({ id, model: modelOf(gold, withRoles) })),
    { id: 'demonstration', model: DEMONSTRATION_MODEL },
  ];
}

/** A relation whose key is made of references, and which nothing refers to, is a relationship set. */
function modelOf({ relations }: ComparedSchema, withRoles: boolean): ConceptualModel {
  const isBridge = ({ name, primaryKey, foreignKeys }: ComparedRelation): boolean =>
    foreignKeys.length > 1 &&
    foreignKeys.filter(({ attributes }) => attributes.some((one) => primaryKey.includes(one))).length > 1 &&
    !relations.some((other) => other.foreignKeys.some(({ target }) => target === name));
  const entities = relations.filter((relation) => !isBridge(relation));
  const isEntity = ({ target }: ComparedForeignKey): boolean => entities.some(({ name }) => name === target);
  const own = ({ attributes, foreignKeys }: ComparedRelation): string[] =>
    attributes.map(({ name }) => name).filter((name) => !foreignKeys.some((key) => key.attributes.includes(name)));
  const participant = (key: ComparedForeignKey, cardinality: Participant['cardinality']): Participant => {
    const role = withRoles ? roleOf(key) : undefined;
    return { entity: key.target, cardinality, ...(role === undefined ? {} : { role }) };
  };
  return {
    entitySets: entities.map((entity) => ({ name: entity.name, attributes: own(entity) })),
    relationshipSets: relations.flatMap((relation): RelationshipSet[] => {
      const keys = relation.foreignKeys.filter(isEntity);
      if (isBridge(relation))
        return [
          { name: relation.name, participants: keys.map((key) => participant(key, 'many')), attributes: own(relation) },
        ];
      return keys.map((key) => ({
        name: roleOf(key) ?? `${key.target} ${relation.name}`,
        participants: [participant(key, 'one'), { entity: relation.name, cardinality: 'many' }],
        attributes: [],
      }));
    }),
  };
}

/** What the referring attribute is called beyond the key that it refers to: `Seller ID` to `User ID` gives `Seller`. */
function roleOf({ attributes, targetAttributes }: ComparedForeignKey): string | undefined {
  const [name, key] = [attributes[0] ?? '', targetAttributes[0] ?? ''];
  if (name.toLowerCase() === key.toLowerCase()) return undefined;
  return name.replace(/[\s_]+(?:id|no|number|code|name)$/iu, '');
}
