import type { EntitySet } from '../model/index.ts';
import { isBareName, KEY_ENDINGS, keyRank } from './key-name.ts';
import { foldedName } from './name-lookup.ts';

/** An entity set with its names in their folded form. */
export interface FoldedEntity {
  readonly entity: EntitySet;
  /** In the model, from 0. */
  readonly index: number;
  readonly name: string;
  readonly attributes: ReadonlySet<string>;
}

/** Tells whose key an attribute is by its name; in time that does not grow with the model. */
export class KeyOwners {
  readonly entities: readonly FoldedEntity[];
  readonly #places: ReadonlyMap<EntitySet, number>;
  readonly #byName = new Map<string, FoldedEntity[]>();
  /** Only where the attribute reads like the key of the set that has it. */
  readonly #byAttribute = new Map<string, FoldedEntity[]>();

  constructor(entities: readonly EntitySet[]) {
    this.entities = entities.map((entity, index) => ({
      entity,
      index,
      name: foldedName(entity.name),
      attributes: new Set(entity.attributes.map(foldedName)),
    }));
    this.#places = new Map(entities.map((entity, index) => [entity, index]));
    for (const one of this.entities) {
      put(this.#byName, one.name, one);
      if (one.name.endsWith('s')) put(this.#byName, one.name.slice(0, -1), one);
      for (const attribute of one.entity.attributes)
        if (!isBareName(attribute) && keyRank(one.entity, attribute) > 0)
          put(this.#byAttribute, foldedName(attribute), one);
    }
  }

  /**
   * The entity set whose key an attribute is by its name. With an `owner`, another one that has a better claim to it, or as good a one by
   * standing before it in the model.
   */
  find(attribute: string, owner?: EntitySet | undefined): EntitySet | undefined {
    if (isBareName(attribute)) return undefined;
    const folded = foldedName(attribute);
    const candidates = new Set(this.#byAttribute.get(folded));
    for (const ending of KEY_ENDINGS)
      if (folded.endsWith(ending))
        for (const one of this.#byName.get(folded.slice(0, -ending.length)) ?? []) candidates.add(one);
    let best: FoldedEntity | undefined;
    let bestRank = owner === undefined ? 0 : keyRank(owner, attribute);
    const ownerAt = owner === undefined ? -1 : (this.#places.get(owner) ?? -1);
    for (const one of [...candidates].sort((a, b) => a.index - b.index)) {
      const rank = keyRank(one.entity, attribute);
      const earlier = best === undefined && rank === 1 && bestRank === 1 && one.index < ownerAt;
      if (rank > bestRank || earlier) {
        best = one;
        bestRank = rank;
      }
    }
    return best?.entity;
  }
}

function put(map: Map<string, FoldedEntity[]>, key: string, entity: FoldedEntity): void {
  const all = map.get(key);
  if (all === undefined) map.set(key, [entity]);
  else if (!all.includes(entity)) all.push(entity);
}
