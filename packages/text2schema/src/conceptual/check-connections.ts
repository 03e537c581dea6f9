import { splitWords } from '@askema/grounding';
import type { ConceptualModel, EntitySet, RequirementReport } from '../model/index.ts';
import type { ConceptualReporter } from './conceptual-codes.ts';
import { foldedName, NameLookup, quoted, wordForm } from './name-lookup.ts';

/** Entity sets in no relationship set, and attributes on both sides of one. */
export function checkConnections(
  model: ConceptualModel,
  report: RequirementReport | undefined,
  add: ConceptualReporter,
): void {
  const entities = new NameLookup(model.entitySets.map((entity) => ({ name: entity.name, value: entity })));
  const members = new Set<EntitySet>();
  for (const { name, participants, attributes } of model.relationshipSets) {
    for (const { entity } of participants) {
      const member = entities.find(entity);
      if (member !== undefined) members.add(member);
    }
    for (const attribute of attributes) {
      // One word (`Status`, `Date`) is a fact of its own on either side.
      if (splitWords(attribute).length < 2 && /\p{Script=Latin}/u.test(attribute)) continue;
      const side = participants
        .map(({ entity }) => entities.find(entity))
        .find((member) => member?.attributes.some((own) => foldedName(own) === foldedName(attribute)));
      if (side !== undefined)
        add(
          'attribute-on-both-sides',
          name,
          `${quoted(attribute)} stands in ${quoted(name)} and in its participant ${quoted(side.name)}.`,
          'Keep it where it depends on the whole key: on the participant alone, or on the connection.',
        );
    }
  }
  const sentences = (report?.relationships ?? []).map((sentence) => new Sentence(sentence));
  for (const entity of model.entitySets) {
    if (members.has(entity) || entity.name.trim() === '') continue;
    const sentence = sentences.find((one) => one.connects(entity.name, model.entitySets));
    if (sentence !== undefined && model.entitySets.length > 1)
      add(
        'relationship-missing',
        entity.name,
        `${quoted(entity.name)} is in no relationship set, but the report says: “${sentence.text}”`,
        `Add the relationship set between ${quoted(entity.name)} and what it is connected with, with its cardinalities.`,
      );
    else
      add(
        'entity-isolated',
        entity.name,
        `${quoted(entity.name)} is in no relationship set.`,
        'Connect it with the entity set that it belongs to, or that uses it; leave it alone only where the requirement does.',
      );
  }
}

/** A sentence of the report about a relationship. */
class Sentence {
  readonly text: string;
  readonly #words: string;
  readonly #folded: string;

  constructor(text: string) {
    this.text = text.trim();
    this.#words = ` ${splitWords(text).join(' ')} `;
    this.#folded = foldedName(text);
  }

  /** True when it names this entity set and another one, and does not say that there is nothing between them. */
  connects(name: string, entities: readonly EntitySet[]): boolean {
    if (/\b(?:no|not|none|never|nothing|independent|without|unrelated)\b|[不无非]|独立/iu.test(this.text)) return false;
    if (!this.#names(name)) return false;
    return entities.some((other) => wordForm(other.name) !== wordForm(name) && this.#names(other.name));
  }

  #names(name: string): boolean {
    if (/[\p{Script=Han}]/u.test(name)) return this.#folded.includes(foldedName(name));
    const words = splitWords(name).join(' ');
    return words !== '' && this.#words.includes(` ${words} `);
  }
}
